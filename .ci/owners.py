#!/usr/bin/env python3
"""Judge what MLIR-HLO's deallocation makes of the corpus, and measure how its time grows.

usage: owners.py SHARED

Every program of corpus/core in the folder SHARED that the passes accept is judged after each of them, with each
transformation of hlo-buffer-reuse on and off; those that can be executed must do nothing wrong (the test says which
does). At least SAFE percent must be called safe, and at least EXECUTED programs be executed.
For ten times the size, the programs of tools/gen_scale.py may take at most GROWTH times the time of the processor; those
with several blocks are an error with a position.
"""
import os, re, resource, subprocess, sys, tempfile

# Growth is 9 to 13 times on a quiet machine, and would be 100 if something were quadratic.
SAFE, EXECUTED, GROWTH = 95.0, 5000, 20
SIZES = {'funcs': 4000, 'straight': 1000, 'tensor': 1000}
shared = sys.argv[1]
pipeline = ('--one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops '
            'function-boundary-type-conversion=identity-layout-map', '--hlo-deallocation-pipeline')

r = subprocess.run(['go', 'test', './proof/check', '-run', 'OwnersInCorpus', '-owners-every', '1', '-v'], capture_output=True, text=True)
found = re.search(r'(\d+) of (\d+) safe; (\d+) of programs', r.stdout)
if r.returncode or not found:
    sys.exit(r.stdout + r.stderr + 'owners: the test fails, or the corpus is missing')
safe, judged, executed = map(int, found.groups())
print(f'owners: {safe} of {judged} programs safe, {executed} executed')
if 100 * safe < SAFE * judged or executed < EXECUTED:
    sys.exit(f'that is below the floor of {SAFE}% and {EXECUTED} programs')


def seconds(family, n, folder):
    """Returns the time of the processor that the passes take for a program, and what they say."""
    path = os.path.join(folder, f'{family}.mlir')
    with open(path, 'w') as f:
        subprocess.run([sys.executable, os.path.join(shared, 'tools/gen_scale.py'), family, str(n)], stdout=f, check=True)
    best = float('inf')
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        r = subprocess.run(['bin/freehold', 'opt', *pipeline, '-o', os.devnull, path], capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best, r.stderr


with tempfile.TemporaryDirectory() as folder:
    for family, size in SIZES.items():
        small, _ = seconds(family, size, folder)
        large, _ = seconds(family, 10 * size, folder)
        print(f'owners: {family} {small:.2f} s, and {large:.2f} s for ten times the size')
        if large > GROWTH * small:
            sys.exit(f'that is more than {GROWTH} times as much')
    _, message = seconds('cfg', 10, folder)
    if not re.search(r'cfg\.mlir:\d+:\d+: error: .*blocks', message):
        sys.exit(f'owners: several blocks are no error with a position: {message}')
