#!/usr/bin/env python3
"""Measure for which version of LLVM programs are taken that name none.

usage: which.py SHARED [--tool 'bin/freehold opt'] [--floor PERCENT] [-v]

Of the programs in SHARED/corpus22, which mlir-opt-22 reads, those count that mlir-opt-19 refuses: at least --floor percent of them must be
taken for LLVM 22 or later. No program in SHARED/corpus may be taken for a later version than 19. -v shows the others.
"""
import argparse, os, re, subprocess
from concurrent.futures import ThreadPoolExecutor

ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument('shared')
ap.add_argument('--tool', default='bin/freehold opt')
ap.add_argument('--floor', type=float, default=95)
ap.add_argument('-v', action='store_true')
a = ap.parse_args()


def programs(folder):
    return sorted(os.path.join(d, f) for d, _, names in os.walk(folder) for f in names if f.endswith('.mlir'))


def refused_by_19(path):
    return subprocess.run(['mlir-opt-19', '--allow-unregistered-dialect', path], capture_output=True).returncode != 0


def taken_for(path):
    p = subprocess.run(a.tool.split() + ['--allow-unregistered-dialect', '-v', path], capture_output=True, text=True, errors='replace')
    m = re.search(r'taken for a program of LLVM (\d+)', p.stderr)
    return int(m.group(1)) if m else 0


with ThreadPoolExecutor(os.cpu_count()) as ex:
    files = programs(os.path.join(a.shared, 'corpus22'))
    later = [f for f, refused in zip(files, ex.map(refused_by_19, files)) if refused]
    versions = list(ex.map(taken_for, later))
    usual = programs(os.path.join(a.shared, 'corpus'))
    mistaken = [f for f, v in zip(usual, ex.map(taken_for, usual)) if v > 19]
good = sum(v >= 22 for v in versions)
if a.v:
    for f, v in zip(later, versions):
        if v < 22:
            print(f'taken for {v}: {f}')
    for f in mistaken:
        print(f'taken for a later one than 19: {f}')
share = 100 * good / len(later)
print(f'taken for 22 or later: {share:.1f}% of {len(later)} programs that 19 refuses; taken for a later one than 19: {len(mistaken)} of {len(usual)} of 19')
if share < a.floor:
    raise SystemExit(f'{share:.1f}% is below the floor of {a.floor:g}%')
if mistaken:
    raise SystemExit('programs of 19 are taken for those of a later version')
