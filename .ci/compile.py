#!/usr/bin/env python3
"""Count how many programs `freehold compile` takes, and compare with a floor.

usage: compile.py SHARED [-v]

Programs are those of corpus/core and corpus/wide in the folder SHARED all of whose operations belong to
the dialects that freehold is made for. Those that are wrong before they are compiled, by the word of `freehold check`, such as by a
use after free, don't count, nor do those without a function that has a body. The reasons why the others are refused are listed; -v names the programs.
The share may not fall below FLOOR percent.
"""
import collections, os, re, subprocess, sys

FLOOR = 99.0
DIALECTS = set('builtin func arith math index cf scf memref tensor linalg affine bufferization ub vector shape sparse_tensor complex'.split())


def in_scope(text):
    """Tells whether all operations belong to DIALECTS. Types and attributes begin with ! and #."""
    named = re.findall(r'(?<![\w!#%@^.<])"?([a-z_]+)\.[a-z_]\w*', re.sub(r'"[^"]*"(?!\s*\()|//.*|#[\w.]+|![\w.]+', '', text))
    generic = re.findall(r'"(\w+)\.?[\w.]*"\s*\(', text)
    return DIALECTS.issuperset(named) and DIALECTS.issuperset(generic)


def wrong(file):
    """Tells whether a program does something wrong itself; leaks aside, as frees are what compile adds."""
    r = subprocess.run(['bin/freehold', 'check', '--allow-unregistered-dialect', file], capture_output=True, text=True, errors='replace')
    return any(not m.startswith('leak') for m in re.findall(r'error: (.*)', r.stderr)) and 'unsafe' in r.stdout


taken, refused = 0, collections.defaultdict(list)
for folder in 'core', 'wide':
    path = os.path.join(sys.argv[1], 'corpus', folder)
    for name in sorted(os.listdir(path)):
        file = os.path.join(path, name)
        if not in_scope(open(file, errors='replace').read()):
            continue
        r = subprocess.run(['bin/freehold', 'compile', '--allow-unregistered-dialect', '-o', os.devnull, file],
                           capture_output=True, text=True, errors='replace')
        if 'no function has a body' in r.stderr:
            continue
        if r.returncode == 0:
            taken += 1
        elif not wrong(file):
            reason = re.search(r'error: (.*)', r.stderr)
            refused[re.sub(r'[%@#]\w+|\d+', '_', reason.group(1) if reason else r.stderr[:80])].append(name)
total = taken + sum(map(len, refused.values()))
for reason, names in sorted(refused.items(), key=lambda x: -len(x[1])):
    print(f'{len(names):4} {reason}' + (': ' + ' '.join(names) if '-v' in sys.argv else ''))
share = 100 * taken / max(total, 1)
print(f'compile takes {taken} of {total} programs, {share:.1f}%')
if share < FLOOR:
    sys.exit(f'that is below the floor of {FLOOR}%')
