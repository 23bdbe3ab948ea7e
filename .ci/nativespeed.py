#!/usr/bin/env python3
"""Measure how fast programs are as C, next to mlir-opt-19's loops with LLVM at -O3.

usage: nativespeed.py [--tool bin/freehold] [--cc COMMAND] [--repeat N] [FILE...]

Without FILEs, the programs of transform/emit/emitc/testdata/speed are taken. Each is compiled by freehold to a program on buffers, whose
results are written where the caller says; that one program is then written as C, and lowered to loops and LLVM by mlir-opt-19 for
mlir-cpu-runner-19 -O3. Its only public function takes memrefs of static size; all elements are 0.5 or 1, and constants that the file leaves out are made up. A time is that of the
processor, in milliseconds: the least of N calls, and of three such runs, taken in turn, the median. The exit status
is 1 if the geometric mean of the ratios is below 1.5, or one below 0.9.
"""
import argparse, array, glob, math, os, random, re, statistics, subprocess, sys, tempfile

LIBRARIES = '/usr/lib/llvm-19/lib/'
TYPES = {'f16': 'uint16_t', 'bf16': 'uint16_t', 'i16': 'uint16_t', 'f32': 'float', 'f64': 'double', 'i1': 'uint8_t', 'i8': 'uint8_t', 'i32': 'uint32_t', 'i64': 'uint64_t'}
# What an element is in C: 0.5 or 1.
VALUES = {'f16': '0x3800', 'bf16': '0x3f00', 'f32': '0.5', 'f64': '0.5'}
# What both programs read: the time that the thread had a processor, as others may use the machine, too.
CLOCK = '''#define _GNU_SOURCE
#include <time.h>
double processor_ms(void) { struct timespec t; clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); return 1e3 * t.tv_sec + 1e-6 * t.tv_nsec; }
'''
HARNESS = CLOCK + '''#include <stdio.h>
#include <stdlib.h>
#include "model.c"
#ifdef MODEL_WEIGHTS_SIZE
static void set_weights(const char *name) {
  void *p = aligned_alloc(64, (MODEL_WEIGHTS_SIZE + 63) / 64 * 64);
  FILE *f = fopen(name, "rb");
  if (!f || fread(p, 1, MODEL_WEIGHTS_SIZE, f) != MODEL_WEIGHTS_SIZE) exit(1);
  model_set_weights(p);
}
#else
#define set_weights(name) (void)(name)
#endif
int main(int argc, char **argv) {
  double best = 1e9;
  if (argc > 1) set_weights(argv[1]);
%s  for (int r = 0; r < %d; r++) {
    double start = processor_ms();
    kernel(%s);
    double took = processor_ms() - start;
    if (took < best) best = took;
  }
  printf("%%f\\n", best);
  return 0;
}
'''
LOWERING = '''--expand-realloc --convert-linalg-to-loops --convert-scf-to-cf --convert-math-to-llvm --convert-math-to-libm --memref-expand --expand-strided-metadata --lower-affine
    --convert-arith-to-llvm --convert-index-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts'''.split()
OUT_PARAMS = 'builtin.module(buffer-results-to-out-params{modify-public-functions hoist-static-allocs})'


def run(command):
    r = subprocess.run(command, capture_output=True, text=True)
    if r.returncode:
        sys.exit(f'{" ".join(command)}: {r.stderr}')
    return r.stdout


def buffers(o, file, folder):
    """Returns the program on buffers, its function called @kernel, and of each argument type, number of elements, and their type."""
    run([o.tool, 'compile', '--quiet', '--no-check', file, '-o', folder + '/buffers.mlir'])
    text = run([o.tool, 'opt', folder + '/buffers.mlir', '--mlir-version=19', '--pass-pipeline=' + OUT_PARAMS])
    text = re.sub(r'(memref<([\dx]*)x(f32|i64)> = )dense_resource<__elided__>', lambda m: m.group(1) + contents(m.group(2), m.group(3)), text)
    name, signature = re.search(r'func\.func @(\w+)\((.*?)\)\s*(?:attributes.*?)?\{\n', text, re.S).groups()
    args = []
    for t in re.findall(r'%\w+: (memref<[\dx]*x?\w+>)', signature):
        *sizes, elem = t[len('memref<'):-1].split('x')
        args.append((t, math.prod(map(int, sizes)), elem))
    return re.sub(rf'@{name}\b', '@kernel', text), args


def contents(shape, elem):
    """Makes up the elements of a constant: small numbers, or positions."""
    n = math.prod(int(size) for size in shape.split('x'))
    elements = array.array('f', (random.uniform(-0.1, 0.1) for _ in range(n))) if elem == 'f32' else array.array('q', range(n))
    return f'dense<"0x{elements.tobytes().hex().upper()}">'


def build_native(o, text, args, folder):
    open(folder + '/kernel.mlir', 'w').write(text)
    run([o.tool, 'compile', '--quiet', '--no-check', '--pass-pipeline=builtin.module(canonicalize)', '--emit=c', '--weights=' + folder + '/weights',
         folder + '/kernel.mlir', '-o', folder + '/model.c'])
    setup = ''.join(f'  {TYPES[e]} *a{i} = aligned_alloc(64, ({n} * sizeof *a{i} + 63) / 64 * 64);\n'
                    f'  for (int k = 0; k < {n}; k++) a{i}[k] = ({TYPES[e]}){VALUES.get(e, 1)};\n' for i, (_, n, e) in enumerate(args))
    open(folder + '/main.c', 'w').write(HARNESS % (setup, o.repeat, ', '.join(f'a{i}' for i in range(len(args)))))
    run(o.cc.split() + ['-std=gnu11', '-ffp-contract=off', '-fno-strict-aliasing', '-o', folder + '/program', folder + '/main.c', '-lm'])
    return [folder + '/program', folder + '/weights']


def build_lowered(o, text, args, folder):
    names, types = [f'%a{i}' for i in range(len(args))], ', '.join(t for t, _, _ in args)
    call = f'func.call @kernel({", ".join(names)}) : ({types}) -> ()\n'
    main = '''func.func private @processor_ms() -> f64
func.func private @printF64(f64)
func.func @main() {
'''
    for name, (t, _, e) in zip(names, args):
        value = '0.5' if 'f' in e else '1'
        main += f'{name} = memref.alloc() {{alignment = 64 : i64}} : {t}\n{name}v = arith.constant {value} : {e}\n'
        main += f'linalg.fill ins({name}v : {e}) outs({name} : {t})\n'
    main += f'''%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = arith.constant {o.repeat} : index
%large = arith.constant 1.0e9 : f64
%best = scf.for %r = %c0 to %n step %c1 iter_args(%b = %large) -> f64 {{
  %start = func.call @processor_ms() : () -> f64
  {call}  %end = func.call @processor_ms() : () -> f64
  %took = arith.subf %end, %start : f64
  %less = arith.minimumf %b, %took : f64
  scf.yield %less : f64
}}
func.call @printF64(%best) : (f64) -> ()
return
}}
'''
    at = text.rindex('}') if re.search(r'^module\b', text, re.M) else len(text)
    open(folder + '/both.mlir', 'w').write(text[:at] + main + text[at:])
    run(['mlir-opt-19', folder + '/both.mlir', '-o', folder + '/llvm.mlir'] + LOWERING)
    open(folder + '/clock.c', 'w').write(CLOCK)
    run(['cc', '-O2', '-shared', '-fPIC', '-o', folder + '/clock.so', folder + '/clock.c'])
    libraries = f'{LIBRARIES}libmlir_c_runner_utils.so,{LIBRARIES}libmlir_runner_utils.so,/lib/x86_64-linux-gnu/libm.so.6,{folder}/clock.so'
    return ['mlir-cpu-runner-19', '-O3', folder + '/llvm.mlir', '-e', 'main', '-entry-point-result=void', '--shared-libs=' + libraries]


parser = argparse.ArgumentParser(usage=__doc__)
parser.add_argument('--tool', default='bin/freehold')
parser.add_argument('--cc', default='gcc -O3 -march=native -mprefer-vector-width=512 -fno-math-errno -fno-trapping-math')
parser.add_argument('--repeat', type=int, default=20)
parser.add_argument('files', nargs='*')
o = parser.parse_args()
ratios = []
for file in o.files or sorted(glob.glob('transform/emit/emitc/testdata/speed/*.mlir')):
    with tempfile.TemporaryDirectory() as folder:
        text, args = buffers(o, file, folder)
        commands = build_native(o, text, args, folder), build_lowered(o, text, args, folder)
        runs = [[float(run(c)) for c in commands] for _ in range(3)]
    ours, theirs = (statistics.median(column) for column in zip(*runs))
    ratios.append(theirs / ours)
    print(f'{os.path.basename(file)[:-5]:26} as C {ours:10.3f} ms, by loops {theirs:10.3f} ms: {theirs / ours:6.2f} times as fast', flush=True)
mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
print(f'geometric mean {mean:.2f}, least {min(ratios):.2f}')
if mean < 1.5 or min(ratios) < 0.9:
    sys.exit('that is below the floor of 1.5, or of 0.9 for a single program')
