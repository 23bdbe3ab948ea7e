#!/usr/bin/env python3
"""Measure how fast programs are as C, next to mlir-opt-19's loops with LLVM at -O3.

usage: nativespeed.py [--tool bin/freehold] [--cc COMMAND] [--repeat N] [FILE...]

Each FILE has a function @main on memrefs of static size, without results; without FILEs, those of
transform/emit/emitc/testdata/speed are taken. All elements are 0.5 or 1. The times are the least of N calls, in
milliseconds, on one core. The exit status is 1 if the geometric mean of the ratios is below 1.5, or one below 0.9.
"""
import argparse, glob, math, os, re, subprocess, sys, tempfile

LIBRARIES = '/usr/lib/llvm-19/lib/'
TYPES = {'f32': 'float', 'f64': 'double', 'i8': 'uint8_t', 'i32': 'uint32_t', 'i64': 'uint64_t'}
HARNESS = '''#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "model.c"
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return 1e3 * t.tv_sec + 1e-6 * t.tv_nsec; }
int main(void) {
  double best = 1e9;
%s  for (int r = 0; r < %d; r++) {
    double start = now();
    main_0(%s);
    double took = now() - start;
    if (r > 0 && took < best) best = took;
  }
  printf("%%f\\n", best);
  return 0;
}
'''
LOWERING = '''--convert-linalg-to-loops --convert-scf-to-cf --convert-math-to-libm --expand-strided-metadata --lower-affine --convert-arith-to-llvm
    --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts'''.split()


def run(command):
    r = subprocess.run(command, capture_output=True, text=True)
    if r.returncode:
        sys.exit(f'{" ".join(command)}: {r.stderr}')
    return r.stdout


def arguments(text):
    """Lists the types of the arguments of @main, with number and type of their elements."""
    signature = re.search(r'func\.func @main\((.*?)\)\s*(?:attributes.*?)?\{\n', text, re.S).group(1)
    for t in re.findall(r'%\w+: (memref<[\dx]*x?\w+>)', signature):
        *sizes, elem = t[len('memref<'):-1].split('x')
        yield t, math.prod(map(int, sizes)), elem


def native(o, file, args, folder):
    run([o.tool, 'compile', '--quiet', '--no-check', '--emit=c', file, '-o', folder + '/model.c'])
    setup = ''.join(f'  {TYPES[e]} *a{i} = aligned_alloc(64, ({n} * sizeof *a{i} + 63) / 64 * 64);\n'
                    f'  for (int k = 0; k < {n}; k++) a{i}[k] = ({TYPES[e]}){0.5 if e[0] == "f" else 1};\n' for i, (_, n, e) in enumerate(args))
    open(folder + '/main.c', 'w').write(HARNESS % (setup, o.repeat + 1, ', '.join(f'a{i}' for i in range(len(args)))))
    run(o.cc.split() + ['-std=gnu11', '-ffp-contract=off', '-fno-strict-aliasing', '-o', folder + '/program', folder + '/main.c', '-lm'])
    return float(run([folder + '/program']))


def lowered(o, text, args, folder):
    names, types = [f'%a{i}' for i in range(len(args))], ', '.join(t for t, _, _ in args)
    call = f'func.call @kernel({", ".join(names)}) : ({types}) -> ()\n'
    text = text.replace('@main(', '@kernel(') + '''
func.func private @rtclock() -> f64
func.func private @printF64(f64)
func.func @main() {
'''
    for name, (t, _, e) in zip(names, args):
        value = '0.5' if e[0] == 'f' else '1'
        text += f'{name} = memref.alloc() {{alignment = 64 : i64}} : {t}\n{name}v = arith.constant {value} : {e}\n'
        text += f'linalg.fill ins({name}v : {e}) outs({name} : {t})\n'
    text += call + f'''%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = arith.constant {o.repeat} : index
%large = arith.constant 1.0e9 : f64
%best = scf.for %r = %c0 to %n step %c1 iter_args(%b = %large) -> f64 {{
  %start = func.call @rtclock() : () -> f64
  {call}  %end = func.call @rtclock() : () -> f64
  %took = arith.subf %end, %start : f64
  %less = arith.minimumf %b, %took : f64
  scf.yield %less : f64
}}
%k = arith.constant 1.0e3 : f64
%ms = arith.mulf %best, %k : f64
func.call @printF64(%ms) : (f64) -> ()
return
}}
'''
    open(folder + '/kernel.mlir', 'w').write(text)
    run(['mlir-opt-19', folder + '/kernel.mlir', '-o', folder + '/llvm.mlir'] + LOWERING)
    libraries = f'{LIBRARIES}libmlir_c_runner_utils.so,{LIBRARIES}libmlir_runner_utils.so,/lib/x86_64-linux-gnu/libm.so.6'
    return float(run(['mlir-cpu-runner-19', '-O3', folder + '/llvm.mlir', '-e', 'main', '-entry-point-result=void', '--shared-libs=' + libraries]))


parser = argparse.ArgumentParser(usage=__doc__)
parser.add_argument('--tool', default='bin/freehold')
parser.add_argument('--cc', default='gcc -O3 -march=native')
parser.add_argument('--repeat', type=int, default=20)
parser.add_argument('files', nargs='*')
o = parser.parse_args()
ratios = []
for file in o.files or sorted(glob.glob('transform/emit/emitc/testdata/speed/*.mlir')):
    text = open(file).read()
    args = list(arguments(text))
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = native(o, file, args, folder), lowered(o, text, args, folder)
    ratios.append(theirs / ours)
    print(f'{os.path.basename(file)[:-5]:26} as C {ours:10.3f} ms, by loops {theirs:10.3f} ms: {theirs / ours:6.2f} times as fast', flush=True)
mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
print(f'geometric mean {mean:.2f}, least {min(ratios):.2f}')
if mean < 1.5 or min(ratios) < 0.9:
    sys.exit('that is below the floor of 1.5, or of 0.9 for a single program')
