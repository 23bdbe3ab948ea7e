#!/usr/bin/env python3
"""Measure what is read from other versions of LLVM, and whether they read what is printed for them.

usage: versions.py [--tool 'bin/freehold opt'] [--peers FOLDER] [--sample N] [--floors FILE] [-v] PATH...

PATH: .mlir files, scripts (.txtar), or folders of them. A row `from N` counts programs that both mlir-opt-N and the
tool accept, and of which the tool reads, with --mlir-version=N, what mlir-opt-N prints in both forms; the row `for N` those that the tool
accepts and of which mlir-opt-N reads what the tool prints with --mlir-version=N. -v shows the others, with the error.
mlir-opt-N is looked for in FOLDER, then in PATH; rows of versions that aren't there are left out. With --floors, no row may
be below its share in the FILE (floors.json), and rows may be left out only if they are `optional` there.
"""
import argparse, hashlib, json, os, re, shutil, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument('--tool', default='bin/freehold opt')
ap.add_argument('--peers', default='')
ap.add_argument('--sample', type=int)
ap.add_argument('--only', help='one row, such as "from 16"')
ap.add_argument('--cache', default=os.path.join(tempfile.gettempdir(), 'mlir-versions'), help='where what the peers say is kept')
ap.add_argument('--floors', help='a file with the least shares of rows')
ap.add_argument('-v', action='store_true')
ap.add_argument('paths', nargs='+')
a = ap.parse_args()
os.makedirs(a.cache, exist_ok=True)
UNREGISTERED = ['--allow-unregistered-dialect']
GENERIC = ['--mlir-print-op-generic']


def run(cmd, text):
    try:
        p = subprocess.run(cmd, input=text, capture_output=True, text=True, errors='replace', timeout=30)
    except subprocess.TimeoutExpired:
        return False, 'timeout'
    return p.returncode == 0, p.stdout if p.returncode == 0 else p.stderr


def tool(text, *flags):
    return run(a.tool.split() + UNREGISTERED + list(flags), text)


def peer(command, text, *flags):
    """What mlir-opt says of a program, with its verdict, from the cache if it said so before."""
    key = hashlib.sha1('\0'.join([os.path.basename(command), *flags, text]).encode()).hexdigest()
    path = os.path.join(a.cache, key)
    if os.path.exists(path):
        verdict, out = open(path, errors='replace').read().split('\n', 1)
        return verdict == 'ok', out
    ok, out = run([command] + UNREGISTERED + list(flags), text)
    with tempfile.NamedTemporaryFile('w', dir=a.cache, delete=False) as f:
        f.write(('ok' if ok else 'error') + '\n' + out)
    os.replace(f.name, path)
    return ok, out


def first_error(text):
    m = re.search(r'(error: .*(?:\n.*){0,2})', text)
    return (m.group(1) if m else text[:200]).strip()


def reads(command, version, text):
    """Errors with which the tool refuses what mlir-opt prints of a program; None if one of them refuses the program."""
    ok, pretty = peer(command, text)
    if not ok or not tool(text)[0]:
        return None
    errors = []
    for flags in ([], GENERIC):
        ok, printed = peer(command, text, *flags)
        if ok:
            ok, out = tool(printed, f'--mlir-version={version}')
            if not ok:
                errors.append(' '.join(flags) + ' ' + first_error(out))
    return errors


def printed(command, version, text):
    """Errors with which mlir-opt refuses what the tool prints of a program; None if the tool refuses the program."""
    errors = []
    for flags in ([], GENERIC):
        ok, out = tool(text, f'--mlir-version={version}', *flags)
        if not ok:
            return None
        ok, again = peer(command, out)
        if not ok:
            errors.append(' '.join(flags) + ' ' + first_error(again))
    return errors


def programs(path):
    """The programs of a file: itself, or those that a script holds."""
    text = open(path, errors='replace').read()
    if path.endswith('.mlir'):
        return [(path, text)]
    parts = re.split(r'^-- (\S+) --\n', text, flags=re.M)
    return [(path + ':' + n, t) for n, t in zip(parts[1::2], parts[2::2]) if n.endswith('.mlir')]


files = []
for p in a.paths:
    if os.path.isdir(p):
        files += [os.path.join(d, f) for d, _, fs in os.walk(p) for f in fs if f.endswith(('.mlir', '.txtar'))]
    else:
        files.append(p)
files = sorted(files, key=lambda f: hashlib.sha1(os.path.basename(f).encode()).digest())[:a.sample]
jobs = [x for f in files for x in programs(f)]
shares = {}
for version in (15, 16, 19, 22):
    command = os.path.join(a.peers, f'mlir-opt-{version}')
    command = command if a.peers and os.path.exists(command) else shutil.which(f'mlir-opt-{version}')
    if not command:
        continue
    rows = {f'from {version}': lambda t: reads(command, version, t)}
    if version >= 19:
        rows[f'for {version}'] = lambda t: printed(command, version, t)
    for row, measure in rows.items():
        if a.only and a.only != row:
            continue
        with ThreadPoolExecutor(os.cpu_count()) as ex:
            results = list(ex.map(lambda j: measure(j[1]), jobs))
        judged = [(n, e) for (n, _), e in zip(jobs, results) if e is not None]
        good = sum(not e for _, e in judged)
        if not judged:
            sys.exit(f'{row}: no program is judged, of {len(jobs)}')
        shares[row] = 100 * good / len(judged)
        print(f'{row}: {good} of {len(judged)} ({shares[row]:.2f}%)', flush=True)
        if a.v:
            for n, e in judged:
                for x in e:
                    print(f'  {n}: {x}'.replace('\n', '\n      '))
if not shares:
    sys.exit('nothing is measured: there is no mlir-opt-15, -16, -19 or -22' + (f', or no row {a.only}' if a.only else ''))
if a.floors:
    floors = [j for j in json.load(open(a.floors)) if 'row' in j and a.only in (None, j['row'])]
    low = [j['row'] for j in floors if shares.get(j['row'], 100 if j.get('optional') else -1) < j['good']]
    if low:
        sys.exit('below the floor, or without mlir-opt: ' + ', '.join(low))
