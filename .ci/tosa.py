#!/usr/bin/env python3
"""Compare what freehold and mlir-opt-19 make of random programs in TOSA.

usage: tosa.py [-v] [--seed N] [--count N] [--only OP,…] [--passes TEXT] [--tool COMMAND] [--peer COMMAND]

Each program is a function of a few operations with random shapes, types and attributes; sizes are unknown at random. Both
tools run each of the passes on it: the text has to be the same, or both have to refuse the program. What the peer alone refuses,
crashes on, or makes constants of unknown size of, is counted apart. -v prints the programs that differ, with the difference. The status is 1 if any does.
"""
import argparse, collections, difflib, random, re, subprocess, sys

PASSES = [
    '--pass-pipeline=builtin.module(func.func(tosa-to-linalg-named))', '--pass-pipeline=builtin.module(func.func(tosa-to-linalg))', '--tosa-to-tensor',
    '--tosa-to-arith=include-apply-rescale=true', '--tosa-to-arith=include-apply-rescale=true use-32-bit=true', '--tosa-to-scf', '--canonicalize',
    '--pass-pipeline=builtin.module(func.func(tosa-infer-shapes))', '--pass-pipeline=builtin.module(func.func(tosa-make-broadcastable))',
    '--pass-pipeline=builtin.module(func.func(tosa-optional-decompositions))',
    '--pass-pipeline=builtin.module(func.func(tosa-layerwise-constant-fold{aggressive-reduce-constant}))',
    '--pass-pipeline=builtin.module(func.func(tosa-layerwise-constant-fold))',
    '--tosa-validate=profile=mi level=8k strict-op-spec-alignment=true', '--tosa-validate=profile=bi', '--tosa-to-linalg-pipeline',
]
MARKER = '// -----'
FLOATS, INTS = ['f32', 'f32', 'f32', 'f16', 'bf16'], ['i8', 'i16', 'i32', 'i32']

parser = argparse.ArgumentParser(usage=__doc__)
parser.add_argument('-v', action='store_true')
parser.add_argument('--seed', type=int, default=1)
parser.add_argument('--count', type=int, default=300)
parser.add_argument('--only', default='')
parser.add_argument('--passes', default='', help='only passes whose flags contain this')
parser.add_argument('--tool', default='bin/freehold opt')
parser.add_argument('--peer', default='mlir-opt-19')
options = parser.parse_args()
rng = random.Random(options.seed)


def one_in(n):
    return rng.randrange(n) == 0


def ints(values):
    return 'array<i64: ' + ', '.join(map(str, values)) + '>' if values else 'array<i64>'


class Value:
    """A tensor: its name, what it holds, its sizes at run time, and those that its type has, None where it doesn't say."""

    def __init__(self, name, elem, shape, known):
        self.name, self.elem, self.shape, self.known = name, elem, list(shape), list(known)

    def type(self):
        return 'tensor<' + ''.join(('?' if d is None else str(d)) + 'x' for d in self.known) + self.elem + '>'


class Function:
    def __init__(self, name):
        self.name, self.args, self.lines, self.values, self.results, self.count = name, [], [], [], [], 0
        self.unknown = rng.choice([0, 0, 0.2, 0.5, 1])

    def fresh(self, stem='v'):
        self.count += 1
        return f'%{stem}{self.count}'

    def forget(self, shape):
        return [None if rng.random() < self.unknown else d for d in shape]

    def number(self, elem):
        if elem.startswith(('f', 'bf')):
            return rng.choice(['0.0', '1.0', '-1.5', '3.0e+00', '0.25', '100.0'])
        if elem == 'i1':
            return rng.choice(['true', 'false'])
        return str(rng.choice([0, 1, 2, 3, 7, 100, 127] + ([] if elem.startswith('u') else [-1, -128])))

    def dense(self, elem, shape):
        def part(s):
            if not s:
                return self.number(elem)
            return '[' + ', '.join(part(s[1:]) for _ in range(s[0])) + ']'
        return f'dense<{self.number(elem) if one_in(2) or 0 in shape else part(shape)}> : tensor<{"".join(str(d) + "x" for d in shape)}{elem}>'

    def const(self, elem, shape, text=None):
        v = Value(self.fresh('c'), elem, shape, shape)
        self.lines.append(f'{v.name} = "tosa.const"() <{{value = {text or self.dense(elem, shape)}}}> : () -> {v.type()}')
        return v

    def value(self, elem, shape, known=None, const=True):
        """Returns a tensor of these sizes: one that there is, a constant or an argument."""
        fitting = [v for v in self.values if v.elem == elem and v.shape == list(shape)]
        if fitting and known is None and not one_in(3):
            return rng.choice(fitting)
        n = 1
        for d in shape:
            n *= d
        if const and known is None and n <= 24 and one_in(4):
            v = self.const(elem, shape)
        else:
            v = Value(self.fresh('a'), elem, shape, self.forget(shape) if known is None else known)
            self.args.append(v)
        self.values.append(v)
        return v

    def op(self, name, operands, elem, shape, attrs='', known=None):
        v = Value(self.fresh(), elem, shape, self.forget(shape) if known is None else known)
        props = f' <{{{attrs}}}>' if attrs else ''
        self.lines.append(f'{v.name} = "tosa.{name}"({", ".join(o.name for o in operands)}){props} : ({", ".join(o.type() for o in operands)}) -> {v.type()}')
        self.values.append(v)
        self.results.append(v)
        return v

    def text(self):
        args = ', '.join(f'{a.name}: {a.type()}' for a in self.args)
        results = [r for r in self.results]
        return (f'func.func @{self.name}({args}) -> ({", ".join(r.type() for r in results)}) {{\n  ' + '\n  '.join(self.lines) +
                f'\n  return {", ".join(r.name for r in results)} : {", ".join(r.type() for r in results)}\n}}\n')


def shape(least=0, most=4):
    return [rng.choice([1, 1, 2, 3, 4, 5]) for _ in range(rng.randint(least, most))]


def some_shape(f):
    """A shape, often one that there is."""
    if f.values and not one_in(3):
        return list(rng.choice(f.values).shape)
    return shape()


def broadcast_to(s):
    """A shape that becomes s."""
    return [1 if one_in(4) else d for d in s]


def unary(name, elems):
    def make(f):
        s, elem = some_shape(f), rng.choice(elems)
        attrs = ''
        if name == 'negate' and elem.startswith('i') and one_in(2):
            attrs = f'quantization_info = #tosa.unary_quant<input_zp = {rng.choice([0, 1, 127, -5, 40000])}, output_zp = {rng.choice([0, 1, 77])}>'
        f.op(name, [f.value(elem, s)], elem, s, attrs)
    return make


def binary(name, elems, result=None, attrs=lambda elem: ''):
    def make(f):
        s, elem = some_shape(f), rng.choice(elems)
        a, b = broadcast_to(s) if one_in(2) else s, broadcast_to(s) if one_in(2) else s
        if one_in(6) and len(s) > 1:
            b = b[1:]
        s = [max(x, y) for x, y in zip(a, [1] * (len(a) - len(b)) + b)]
        # The peer forgets that constants may be larger than what they change nothing of.
        const = not f.unknown or name not in ('add', 'sub')
        f.op(name, [f.value(elem, a, const=const), f.value(elem, b, const=const)], result or elem, s, attrs(elem))
    return make


def multiply(f):
    elem = rng.choice(FLOATS + INTS)
    to = elem if elem in FLOATS or one_in(2) else rng.choice(['i32', elem])
    shift = rng.choice([0, 0, 0, 1, 30]) if to == 'i32' else 0
    s = some_shape(f)
    a, b = broadcast_to(s), broadcast_to(s)
    const = not f.unknown and elem not in FLOATS  # the peer folds products with zero even if the other factor is no number
    f.op('mul', [f.value(elem, a, const=const), f.value(elem, b, const=const)], to, [max(x, y) for x, y in zip(a, b)], f'shift = {shift} : i8')


def clamp(f):
    elem = rng.choice(FLOATS + ['i8', 'i16', 'i32', 'ui8'])
    s = some_shape(f)
    t = elem if elem in FLOATS and one_in(2) else 'f32'
    low, high = rng.choice([('-1.0', '1.0'), ('0.0', '6.0'), ('0.0', '3.4028e+38') if t != 'f16' else ('0.0', '100.0')])
    a, b = rng.choice([(-1, 1), (0, 6), (-128, 127), (-1000000, 1000000), (0, 9223372036854775807), (0, 255)])
    f.op('clamp', [f.value(elem, s)], elem, s, f'min_fp = {low} : {t}, max_fp = {high} : {t}, min_int = {a} : i64, max_int = {b} : i64')


def cast(f):
    # The peer casts constants that are true to -1, and fractions to false.
    s, kinds = some_shape(f), ['f32', 'f16', 'bf16', 'f64', 'i1', 'i8', 'i16', 'i32', 'i64', 'ui8']
    # Too large numbers become the least of i64 there.
    from_, to = rng.choice(kinds), rng.choice(kinds)
    if to == 'i64' and 'f' in from_:
        to = 'i32'
    f.op('cast', [f.value(from_, s, known=f.forget(s) if 'i1' in (from_, to) else None)], to, s)


def select(f):
    s, elem = some_shape(f), rng.choice(FLOATS + INTS + ['i1'])
    p, a, b = broadcast_to(s), broadcast_to(s), broadcast_to(s)
    f.op('select', [f.value('i1', p), f.value(elem, a), f.value(elem, b)], elem, [max(x) for x in zip(p, a, b)])


def reduction(name, elems):
    def make(f):
        s, elem = some_shape(f), rng.choice(elems)
        if not s:
            s = [3]
        axis = rng.randrange(len(s))
        # The peer takes constants to be unsigned when it looks for the largest or least.
        known = f.forget(s) if elem in INTS and name in ('reduce_max', 'reduce_min') else None
        f.op(name, [f.value(elem, s, known=known)], elem, s[:axis] + [1] + s[axis + 1:], f'axis = {axis} : i32')
    return make


def argmax(f):
    s = some_shape(f) or [3]
    axis = rng.randrange(len(s))
    f.op('argmax', [f.value(rng.choice(FLOATS + INTS), s)], rng.choice(['i32', 'i64' if s[axis] > 1 else 'i32']), s[:axis] + s[axis + 1:], f'axis = {axis} : i32')


def concat(f):
    s, elem = some_shape(f) or [2], rng.choice(FLOATS + INTS)
    axis, n = rng.randrange(len(s)), rng.randint(1, 3)
    parts = [s[:axis] + [rng.choice([1, 2, s[axis]])] + s[axis + 1:] for _ in range(n)]
    total = sum(p[axis] for p in parts)
    f.op('concat', [f.value(elem, p) for p in parts], elem, s[:axis] + [total] + s[axis + 1:], f'axis = {axis} : i32')


def pad(f):
    s, elem = some_shape(f) or [2], rng.choice(FLOATS + ['i8', 'i32'])
    around = [[rng.choice([0, 0, 1, 2]) for _ in range(2)] for _ in s]
    index = rng.choice(['i32', 'i64'])
    if one_in(4):
        list_ = f.value(index, [len(s), 2], known=[len(s), 2])
    else:
        list_ = f.const(index, [len(s), 2], f'dense<{around}> : tensor<{len(s)}x2x{index}>')
    operands = [f.value(elem, s), list_]
    attrs = ''
    if one_in(3):
        operands.append(f.value(elem, []))
    elif elem == 'i8' and one_in(2):
        attrs = 'quantization_info = #tosa.pad_quant<input_zp = 5>'
    f.op('pad', operands, elem, [d + l + h for d, (l, h) in zip(s, around)], attrs)


def reshape(f):
    elem = rng.choice(FLOATS + INTS)
    s = some_shape(f)
    primes = [p for d in s for p in ([2, 2] if d == 4 else [d]) if d != 1]
    rng.shuffle(primes) if one_in(2) else None
    t = []
    while primes:
        n = rng.randint(1, len(primes))
        d = 1
        for p in primes[:n]:
            d *= p
        t, primes = t + [d], primes[n:]
    for _ in range(rng.choice([0, 0, 1, 2])):
        t.insert(rng.randint(0, len(t)), 1)
    new = list(t)
    if t and one_in(3):
        new[rng.randrange(len(t))] = -1
    known = [None if n == -1 and one_in(2) else k for n, k in zip(new, f.forget(t) if one_in(3) else t)]
    f.op('reshape', [f.value(elem, s)], elem, t, f'new_shape = {ints(new)}', known)


def slice_(f):
    s, elem = some_shape(f) or [4], rng.choice(FLOATS + INTS)
    start = [rng.randrange(d) for d in s]
    size = [rng.randint(1, d - b) for d, b in zip(s, start)]
    f.op('slice', [f.value(elem, s)], elem, size, f'start = {ints(start)}, size = {ints(size)}')


def tile(f):
    s, elem = some_shape(f) or [2], rng.choice(FLOATS + INTS)
    times = [rng.choice([1, 1, 2, 3]) for _ in s]
    f.op('tile', [f.value(elem, s)], elem, [a * b for a, b in zip(s, times)], f'multiples = {ints(times)}')


def transpose(f):
    s, elem = some_shape(f) or [2], rng.choice(FLOATS + INTS)
    perm = list(range(len(s)))
    if not one_in(6):
        rng.shuffle(perm)
    index = rng.choice(['i32', 'i64'])
    by = f.const(index, [len(s)], f'dense<{perm}> : tensor<{len(s)}x{index}>')
    f.op('transpose', [f.value(elem, s), by], elem, [s[p] for p in perm])


def reverse(f):
    s, elem = some_shape(f) or [2], rng.choice(FLOATS + INTS)
    f.op('reverse', [f.value(elem, s)], elem, s, f'axis = {rng.randrange(len(s))} : i32')


def gather(f):
    n, k, c, w = (rng.choice([1, 2, 3]) for _ in range(4))
    elem = rng.choice(FLOATS + INTS)
    v, i = f.value(elem, [n, k, c]), f.value('i32', [n, w])
    # The peer takes the sizes that the operands don't know for those of the result.
    f.op('gather', [v, i], elem, [n, w, c], known=[v.known[0], i.known[1], v.known[2]])


def scatter(f):
    n, k, c, w = (rng.choice([1, 2, 3]) for _ in range(4))
    elem = rng.choice(FLOATS + INTS)
    f.op('scatter', [f.value(elem, [n, k, c]), f.value('i32', [n, w]), f.value(elem, [n, w, c])], elem, [n, k, c])


def table(f):
    s = some_shape(f)
    elem, n, to = rng.choice([('i8', 256, 'i8'), ('i16', 513, 'i32')])
    v = f.value(elem, s)
    f.op('table', [v, f.value(elem, [n], known=[n])], to, s, known=v.known)


def rescale(f):
    s = some_shape(f) or [2]
    from_, to = rng.choice(['i8', 'i16', 'i32', 'i48', 'ui8']), rng.choice(['i8', 'i16', 'i32', 'ui8'])
    channels = one_in(2) and s[-1] > 1
    n = s[-1] if channels else 1
    wide = one_in(2) and from_ != 'i48'
    factors = ', '.join(str(rng.choice([19689, 1073741824, 2147483647, 12345])) for _ in range(n))
    shifts = ', '.join(str(rng.choice([15, 30, 31, 32, 40, 62, 63])) for _ in range(n))
    f.op('rescale', [f.value(from_, s)], to, s, f'input_zp = {rng.choice([0, 17, -3])} : i32, output_zp = {rng.choice([0, 22, -128])} : i32, '
         f'multiplier = array<i32: {factors}>, shift = array<i8: {shifts}>, scale32 = {str(wide).lower()}, double_round = {str(wide and one_in(2)).lower()}, '
         f'per_channel = {str(bool(channels)).lower()}')


def apply_scale(f):
    s = rng.choice([[], [2], [2, 3], [4]])
    kind = rng.choice(['vector', 'scalar'])
    names = [f.fresh('s') for _ in range(4)]
    from_ = rng.choice(['i32', 'i32', 'i32', 'i16', 'i64'])
    types = [f'vector<{"x".join(map(str, s))}x{e}>' if kind == 'vector' and s else e for e in (from_, 'i32', 'i8', 'i32')]
    for n, t in zip(names, types[:3]):
        f.args.append(Raw(n, t))
    f.lines.append(f'{names[3]} = tosa.apply_scale {names[0]}, {names[1]}, {names[2]} {{double_round = {rng.choice(["true", "false"])}}} : ({", ".join(types[:3])}) -> {types[3]}')
    f.results.append(Raw(names[3], types[3]))


class Raw:
    def __init__(self, name, type_):
        self.name, self.text = name, type_

    def type(self):
        return self.text


def windows(size, kernel, before, after, stride, dilation):
    return (size + before + after - (kernel - 1) * dilation - 1) // stride + 1


def image(rank):
    """Sizes of an image, of a window on it, padding, strides, dilations, and how often the window fits."""
    while True:
        size, kernel = [rng.randint(3, 9) for _ in range(rank)], [rng.randint(1, 3) for _ in range(rank)]
        pads = [rng.choice([0, 0, 1]) for _ in range(2 * rank)]
        stride, dilation = [rng.randint(1, 2) for _ in range(rank)], [rng.choice([1, 1, 2]) for _ in range(rank)]
        out = [windows(s, k, pads[2 * i], pads[2 * i + 1], t, d) for i, (s, k, t, d) in enumerate(zip(size, kernel, stride, dilation))]
        if min(out) > 0:
            return size, kernel, pads, stride, dilation, out


def accumulated(quantized):
    return (rng.choice([('i8', 'i32'), ('i8', 'i32'), ('i16', 'i32')]) if quantized else rng.choice([('f32', 'f32'), ('f32', 'f32'), ('f16', 'f16'), ('f16', 'f32')]))


def quant(quantized, kind='conv_quant', a='input_zp', b='weight_zp'):
    return f', quantization_info = #tosa.{kind}<{a} = {rng.choice([0, -128, 42])}, {b} = {rng.choice([0, 0, 3])}>' if quantized else ''


def convolution(name, rank, depthwise=False):
    def make(f):
        size, kernel, pads, stride, dilation, out = image(rank)
        quantized = one_in(3)
        elem, acc = accumulated(quantized)
        weights = 'i8' if quantized else elem
        batch, in_, out_ = rng.randint(1, 2), rng.randint(1, 3), rng.randint(1, 4)
        filter_ = kernel + [in_, out_] if depthwise else [out_] + kernel + [in_]
        channels = in_ * out_ if depthwise else out_
        bias = 1 if one_in(5) and not depthwise else channels
        w = f.value(weights, filter_, known=None if one_in(8) else filter_)
        f.op(name, [f.value(elem, [batch] + size + [in_]), w, f.value(acc, [bias], known=None if one_in(8) else [bias])], acc, [batch] + out + [channels],
             f'dilation = {ints(dilation)}, pad = {ints(pads)}, stride = {ints(stride)}{quant(quantized)}')
    return make


def transpose_conv(f):
    size, kernel, pads, stride, _, _ = image(2)
    quantized = one_in(3)
    elem, acc = accumulated(quantized)
    batch, in_, out_ = rng.randint(1, 2), rng.randint(1, 3), rng.randint(1, 4)
    if one_in(3):
        stride = [1, 1]
    if one_in(4):
        pads = [-rng.choice([0, 1]) if k > 1 else 0 for k in (kernel[0], kernel[0], kernel[1], kernel[1])]
    out = [(s - 1) * t + pads[2 * i] + pads[2 * i + 1] + k for i, (s, k, t) in enumerate(zip(size, kernel, stride))]
    o = [batch] + out + [out_]
    w = [out_] + kernel + [in_]
    f.op('transpose_conv2d', [f.value(elem, [batch] + size + [in_]), f.value('i8' if quantized else elem, w, known=w), f.value(acc, [out_], known=[out_])], acc, o,
         f'out_pad = {ints(pads)}, stride = {ints(stride)}, out_shape = {ints([-1] * 4 if one_in(3) else o)}{quant(quantized)}')


def fully_connected(f):
    n, i, o = rng.randint(1, 4), rng.randint(1, 5), rng.randint(1, 5)
    quantized = one_in(3)
    elem, acc = accumulated(quantized)
    bias = 1 if one_in(4) else o
    v, w, b = f.value(elem, [n, i]), f.value('i8' if quantized else elem, [o, i], known=None if one_in(5) else [o, i]), f.value(acc, [bias], known=[bias])
    f.op('fully_connected', [v, w, b], acc, [n, o], quant(quantized)[2:], known=[v.known[0], w.known[0]])


def matmul(f):
    n, h, c, w = (rng.randint(1, 4) for _ in range(4))
    quantized = one_in(3)
    elem, acc = ('i8', 'i32') if quantized else rng.choice([('f32', 'f32'), ('f16', 'f16'), ('f16', 'f32')])
    f.op('matmul', [f.value(elem, [n, h, c]), f.value(elem, [n, c, w])], acc, [n, h, w], quant(quantized, 'matmul_quant', 'a_zp', 'b_zp')[2:])


def pool(name):
    def make(f):
        size, kernel, pads, stride, _, _ = image(2)
        out = [windows(s, k, pads[2 * i], pads[2 * i + 1], t, 1) for i, (s, k, t) in enumerate(zip(size, kernel, stride))]
        elem = rng.choice(['f32', 'f32', 'f16', 'bf16', 'i8', 'i16'])
        batch, c = rng.randint(1, 2), rng.randint(1, 4)
        attrs = f'kernel = {ints(kernel)}, pad = {ints(pads)}, stride = {ints(stride)}'
        if name == 'avg_pool2d':
            attrs += ', acc_type = ' + {'f32': 'f32', 'f16': rng.choice(['f16', 'f32']), 'bf16': 'f32'}.get(elem, 'i32')
            if elem == 'i8' and one_in(2):
                attrs += quant(True, 'unary_quant', 'input_zp', 'output_zp')
        s, o = [batch] + size + [c], [batch] + out + [c]
        batch_only = lambda t: [None if rng.random() < f.unknown else t[0]] + t[1:]
        f.op(name, [f.value(elem, s, known=batch_only(s) if not one_in(8) else None)], elem, o, attrs, known=batch_only(o))
    return make


def resize(f):
    n, h, w, c = rng.randint(1, 2), rng.randint(1, 6), rng.randint(1, 6), rng.randint(1, 3)
    if one_in(4):
        h = w = 1
    mode = rng.choice(['BILINEAR', 'NEAREST_NEIGHBOR'])
    elem = rng.choice(['f32', 'f32', 'f16', 'i8', 'i8', 'i16'])
    to = elem
    if elem == 'i8' and mode == 'BILINEAR':
        to = 'i32'
    elif elem == 'i16' and mode == 'BILINEAR':
        to = 'i48'
    scale = []
    for _ in range(2):
        scale += rng.choice([[2, 1], [4, 2], [1, 1], [3, 1], [1, 2], [4, 1], [6, 4], [2, 2]])
    while True:
        offset, border = [rng.choice([0, 0, 1, -1]) for _ in range(2)], [rng.choice([0, 0, 1, 2, -1]) for _ in range(2)]
        out = [((s - 1) * scale[2 * i] - offset[i] + border[i]) // scale[2 * i + 1] + 1 for i, s in enumerate((h, w))]
        if min(out) > 0:
            break
    s, o = [n, h, w, c], [n] + out + [c]
    batch_only = lambda t: [None if rng.random() < f.unknown else t[0]] + t[1:]
    f.op('resize', [f.value(elem, s, known=batch_only(s) if not one_in(5) else None)], to, o,
         f'mode = "{mode}", scale = {ints(scale)}, offset = {ints(offset)}, border = {ints(border)}', known=batch_only(o))


def fourier(f):
    n, h, w = rng.randint(1, 3), rng.choice([1, 2, 4, 5, 8]), rng.choice([1, 2, 4, 5, 8])
    a = f.value('f32', [n, h, w])
    real = one_in(2)
    out = [n, h, w // 2 + 1] if real else [n, h, w]
    names = f.fresh('z')
    known = f.forget(out)
    v = [Value(f'{names}#{i}', 'f32', out, known) for i in range(2)]
    types = f'({v[0].type()}, {v[1].type()})'
    if real:
        f.lines.append(f'{names}:2 = "tosa.rfft2d"({a.name}) : ({a.type()}) -> {types}')
    else:
        b = f.value('f32', [n, h, w])
        f.lines.append(f'{names}:2 = "tosa.fft2d"({a.name}, {b.name}) <{{inverse = {rng.choice(["true", "false"])}}}> : ({a.type()}, {b.type()}) -> {types}')
    f.values += v
    f.results += v


def identity(f):
    s, elem = some_shape(f), rng.choice(FLOATS + INTS)
    f.op('identity', [f.value(elem, s)], elem, s)


def condition(f):
    s, elem = some_shape(f), rng.choice(['f32', 'i32'])
    a, b, p, r = f.value(elem, s), f.value(elem, s, known=None), f.value('i1', []), Value(f.fresh(), elem, s, f.forget(s))
    f.lines.append(f'{r.name} = tosa.cond_if {p.name} -> ({r.type()}) {{\n    %x = "tosa.add"({a.name}, {b.name}) : ({a.type()}, {b.type()}) -> {r.type()}\n'
                   f'    tosa.yield %x : {r.type()}\n  }} else {{\n    %y = "tosa.sub"({a.name}, {b.name}) : ({a.type()}, {b.type()}) -> {r.type()}\n    tosa.yield %y : {r.type()}\n  }}')
    f.values.append(r)
    f.results.append(r)


def loop(f):
    s = some_shape(f)
    a, b = f.value('i32', [], known=[]), f.value('f32', s)
    names = f.fresh('w')
    known = f.forget(s) if one_in(3) else b.known
    t = Value('', 'f32', s, known).type()
    f.lines.append(f'{names}:2 = tosa.while_loop (%i = {a.name}, %x = {b.name}) : ({a.type()}, {b.type()}) -> (tensor<i32>, {t}) {{\n'
                   f'    %n = "tosa.const"() <{{value = dense<3> : tensor<i32>}}> : () -> tensor<i32>\n    %l = "tosa.greater_equal"(%n, %i) : (tensor<i32>, tensor<i32>) -> tensor<i1>\n'
                   f'    tosa.yield %l : tensor<i1>\n  }} do {{\n  ^bb0(%j: tensor<i32>, %y: {t}):\n    %o = "tosa.const"() <{{value = dense<1> : tensor<i32>}}> : () -> tensor<i32>\n'
                   f'    %k = "tosa.add"(%j, %o) : (tensor<i32>, tensor<i32>) -> tensor<i32>\n    %z = "tosa.exp"(%y) : ({t}) -> {t}\n    tosa.yield %k, %z : tensor<i32>, {t}\n  }}')
    v = Value(names + '#1', 'f32', s, known)
    f.values.append(v)
    f.results.append(v)


MAKERS = {
    **{n: unary(n, FLOATS) for n in 'ceil exp floor log reciprocal rsqrt sigmoid tanh erf sin cos'.split()},
    'abs': unary('abs', FLOATS + INTS), 'negate': unary('negate', FLOATS + INTS), 'clz': unary('clz', ['i32']), 'logical_not': unary('logical_not', ['i1']),
    'bitwise_not': unary('bitwise_not', INTS),
    **{n: binary(n, FLOATS + INTS) for n in 'add sub minimum maximum'.split()}, 'pow': binary('pow', FLOATS), 'int_div': binary('int_div', ['i32']),
    **{n: binary(n, INTS) for n in 'bitwise_and bitwise_or bitwise_xor logical_left_shift logical_right_shift'.split()},
    **{n: binary(n, ['i1']) for n in 'logical_and logical_or logical_xor'.split()},
    # The peer rounds what is shifted by zero with poison.
    'arithmetic_right_shift': binary('arithmetic_right_shift', INTS, attrs=lambda e: 'round = false'),
    **{n: binary(n, FLOATS + INTS, 'i1') for n in 'equal greater greater_equal'.split()},
    'mul': multiply, 'clamp': clamp, 'cast': cast, 'select': select, 'identity': identity,
    'reduce_all': reduction('reduce_all', ['i1']), 'reduce_any': reduction('reduce_any', ['i1']),
    **{n: reduction(n, FLOATS + INTS) for n in 'reduce_max reduce_min reduce_prod reduce_sum'.split()},
    'argmax': argmax, 'concat': concat, 'pad': pad, 'reshape': reshape, 'slice': slice_, 'tile': tile, 'transpose': transpose, 'reverse': reverse,
    'gather': gather, 'scatter': scatter, 'table': table, 'rescale': rescale, 'apply_scale': apply_scale,
    'conv2d': convolution('conv2d', 2), 'conv3d': convolution('conv3d', 3), 'depthwise_conv2d': convolution('depthwise_conv2d', 2, True),
    'transpose_conv2d': transpose_conv, 'fully_connected': fully_connected, 'matmul': matmul, 'max_pool2d': pool('max_pool2d'), 'avg_pool2d': pool('avg_pool2d'),
    'resize': resize, 'fft2d': fourier, 'cond_if': condition, 'while_loop': loop,
}


def program(n):
    f = Function(f'f{n}')
    names = [m for m in options.only.split(',') if m] or list(MAKERS)
    for _ in range(rng.choice([1, 1, 1, 2, 3, 5])):
        MAKERS[rng.choice(names)](f)
    return f.text()


def run(command, flag, programs):
    """Returns what a tool prints for each of the programs; None is a program that it refuses, and 'crash' one that it crashes on."""
    r = subprocess.run(command.split() + [flag, '--split-input-file', '--allow-unregistered-dialect'], input=(MARKER + '\n').join(programs).encode(), capture_output=True)
    if r.returncode < 0 or r.returncode > 1:
        if len(programs) == 1:
            return ['crash']
        half = len(programs) // 2
        return run(command, flag, programs[:half]) + run(command, flag, programs[half:])
    got = {}
    for piece in r.stdout.decode().split(MARKER):
        m = re.search(r'func\.func @(f\d+)', piece)
        if m:
            got[m.group(1)] = piece.strip()
    return [got.get(re.search(r'@(f\d+)', p).group(1)) for p in programs]


programs = [program(i) for i in range(options.count)]
bad = 0
for flag in PASSES:
    if options.passes not in flag:
        continue
    want, got = run(options.peer, flag, programs), run(options.tool, flag, programs)
    tally = collections.Counter()
    for p, w, g in zip(programs, want, got):
        if w == 'crash':
            tally['crash of the peer'] += 1
        elif w and re.search(r'dense<[^>]*> : tensor<[^>]*\?', w):
            tally['constants of no known size'] += 1
        elif w and '-9223372036854775808' in w:
            tally['shapes that are none'] += 1
        elif w == g:
            tally['same' if w else 'refused'] += 1
        elif w is None and g != 'crash':
            tally['refused by the peer alone'] += 1
        else:
            tally['differ'] += 1
            if options.v:
                print('=' * 20, flag, '\n' + p)
                if w and g and g != 'crash':
                    print('\n'.join(difflib.unified_diff(w.splitlines(), g.splitlines(), 'peer', 'tool', lineterm='', n=2)))
                else:
                    for command in options.tool, options.peer:
                        r = subprocess.run(command.split() + [flag, '--split-input-file'], input=p.encode(), capture_output=True)
                        print(command, 'says' if r.returncode else 'accepts', '' if r.returncode == 0 else r.stderr.decode()[:600])
    bad += tally['differ']
    if not tally['same'] + tally['differ']:
        bad += 1
        print(f'{flag}: no program is judged, of {len(programs)}')
    print(f'{flag}: ' + ', '.join(f'{v} {k}' for k, v in sorted(tally.items())))
sys.exit(bad > 0)
