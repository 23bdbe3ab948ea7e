#!/usr/bin/env python3
"""Measure what a program costs as C: time to write and to compile it, and the memory of the process that executes it.

usage: nativememory.py [--tool bin/freehold] [--cc COMMAND] [--run] FILE

FILE has one public function on tensors or memrefs of static size. It is compiled with --results=arguments --arena=argument, so that nothing is
allocated. With --run it is executed once: floating-point arguments are parts of one buffer of random numbers, which may be smaller
than all of them together, as those of large language models don't fit into a machine for tests; integers are small. What the process has at most is then
compared with that buffer, the results and the arena of the header. The exit status is 1 if to write C takes more than 1.5 times as long as compile alone,
the C compiler more than two minutes, or the process has more than 8 MB beside what is counted.
"""
import argparse, os, re, resource, subprocess, sys, tempfile

SIZES = {'float': 4, 'double': 8, 'uint8_t': 1, 'uint16_t': 2, 'uint32_t': 4, 'uint64_t': 8, 'int64_t': 8}
REST = 8 << 20 # the C library, the program, its stack


def timed(command):
    """Runs a command and returns the seconds of processor time that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    r = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if r.returncode:
        sys.exit(f'{" ".join(command)}: {r.stderr[:2000]}')
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def harness(header, results):
    """Returns a program that calls the function of a header, some of whose arguments are results, once; how many bytes its memory has, and its arena."""
    name, params = re.search(r'^void (\w+)\((.*?)\);', header, re.S | re.M).groups()
    prefix = name.upper()
    sizes = [int(n) for n in re.findall(rf'^#define {prefix}_ARG\d+_SIZE (\d+)', header, re.M)]
    arena = re.search(rf'^#define {prefix}_ARENA_SIZE (\d+)', header, re.M)
    types = [re.match(r'(?:const )?(\w+) \*', p.strip()).group(1) for p in params.split(',')]
    last = len(types) - bool(arena)
    written = set(range(last - results, len(types))) # results and the arena
    inputs = [i for i in range(len(types)) if i not in written and types[i] in ('float', 'double')]
    shared = max([sizes[i] for i in inputs], default=0) + (1 << 20)
    total, setup, args = shared, '', []
    for i, t in enumerate(types):
        if i in inputs:
            args.append(f'({t} *)(numbers + {i * 4096 % (1 << 20)})')
            continue
        total += sizes[i]
        setup += f'  {t} *a{i} = memory({sizes[i]});\n'
        if i not in written:
            setup += f'  for (long k = 0; k < {sizes[i] // SIZES[t]}; k++) a{i}[k] = ({t})(k * 7 % 1000);\n'
        args.append(f'a{i}')
    return f'''#include "model.h"
#include <stdio.h>
#include <stdlib.h>
static void *memory(size_t n) {{ void *p = aligned_alloc(64, (n + 63) / 64 * 64); if (!p) exit(3); return p; }}
int main(void) {{
  char *numbers = memory({shared});
  unsigned seed = 1;
  for (size_t k = 0; k < {shared} / sizeof(float); k++) {{
    seed = seed * 1664525 + 1013904223;
    ((float *)numbers)[k] = (float)(seed >> 8) / (1 << 24) * 0.1f - 0.05f;
  }}
{setup}  {name}({', '.join(args)});
  printf("%.9g\\n", (double)*a{min(written)});
  return 0;
}}
''', total, int(arena.group(1)) if arena else 0


parser = argparse.ArgumentParser(usage=__doc__)
parser.add_argument('--tool', default='bin/freehold')
parser.add_argument('--cc', default='gcc -O2 -march=native -Wall -Wextra -Werror')
parser.add_argument('--run', action='store_true')
parser.add_argument('file')
o = parser.parse_args()
with tempfile.TemporaryDirectory() as folder:
    model = folder + '/model.c'
    command = [o.tool, 'compile', '--quiet', '--no-check', '--results=arguments', '--arena=argument', o.file, '-o']
    alone = min(timed(command + [folder + '/buffers.mlir']) for _ in range(3))
    written = min(timed(command + [model, '--emit=c']) for _ in range(3))
    print(f'compile alone {alone:.2f} s, with C {written:.2f} s: {written / alone:.2f} times; {os.path.getsize(model)} bytes of C', flush=True)
    if re.search(r'\bfh_alloc\b', open(model).read()):
        sys.exit('it still allocates')
    strict = ['-std=gnu11', '-ffp-contract=off', '-fno-strict-aliasing', '-I' + folder]
    took = timed(o.cc.split() + strict + ['-c', model, '-o', folder + '/model.o'])
    print(f'{o.cc}: {took:.1f} s', flush=True)
    bad = written > 1.5 * alone or took > 120
    if o.run:
        timed([o.tool, 'compile', '--quiet', '--no-check', '--emit=c', o.file, '-o', folder + '/returning.c'])
        results = len(re.findall(r'^   result ', open(folder + '/returning.h').read(), re.M))
        text, total, arena = harness(open(folder + '/model.h').read(), results)
        open(folder + '/main.c', 'w').write(text)
        timed(o.cc.split() + strict + ['-o', folder + '/program', folder + '/main.c', folder + '/model.o', '-lm'])
        process = subprocess.Popen([folder + '/program'], stdout=subprocess.PIPE, text=True)
        out = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        if status:
            sys.exit(f'the program ended with status {status}')
        rest = usage.ru_maxrss * 1024 - total
        print(f'executed in {usage.ru_utime:.1f} s; first result {out.strip()}')
        print(f'the process had {usage.ru_maxrss * 1024} bytes: {total} in arguments, results and the arena of {arena}, and {rest} beside')
        bad = bad or rest > REST
if bad:
    sys.exit('that is too much')
