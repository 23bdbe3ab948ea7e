#!/usr/bin/env python3
"""Execute programs in StableHLO that check themselves, and count how far they come.

usage: stablehlo.py [-v] [--tool COMMAND] [--floor PERCENT] [--mutate N] [DIRECTORY…]

Each program is read, printed and read again as the same program, stored as a portable artifact and read from there as the same program, lowered and compiled,
executed before and after that with the same results, and its checks hold. Programs with arguments get random ones, of which sizes that aren't known are 3.
Then an expectation of N of the programs with checks is changed, in one element, which must make the run fail. -v names what doesn't hold. The status is 1 if
less than PERCENT of the programs hold, or if a change isn't noticed.
"""
import argparse, collections, pathlib, random, re, subprocess, sys, tempfile

parser = argparse.ArgumentParser(usage=__doc__)
parser.add_argument('-v', action='store_true')
parser.add_argument('--tool', default='bin/freehold')
parser.add_argument('--floor', type=float, default=100)
parser.add_argument('--mutate', type=int, default=40)
parser.add_argument('directories', nargs='*', default=['../shared/stablehlo/testdata'])
options = parser.parse_args()
rng = random.Random(1)
work = pathlib.Path(tempfile.mkdtemp())


def run(*args):
    """Returns whether the tool succeeds, what it prints, and what it says is wrong."""
    try:
        p = subprocess.run([options.tool, *map(str, args)], capture_output=True, timeout=120)
    except subprocess.TimeoutExpired:
        return False, b'', 'it takes too long'
    wrong = next((l for l in p.stderr.decode(errors='replace').splitlines() if 'error' in l or 'panic' in l), '')
    return p.returncode == 0, p.stdout, wrong


def arguments(text):
    """The arguments of @main, one a parameter."""
    m = re.search(r'@main\((.*?)\) *(->|\{|attributes)', text, re.S)
    out = []
    for t in re.findall(r'%\w+: tensor<([^ ,){]*)>', m.group(1)) if m else []:
        dims = re.match(r'(?:[?0-9]+x)*', t).group(0)
        if not dims:
            out.append('3' if t == 'i64' else 'random')
        else:
            out.append('random:' + dims.replace('?', '3').rstrip('x') if '?' in dims else 'random')
    return out


def same(a, b):
    ok, x, wrong = run('opt', '--mlir-print-op-generic', a)
    also, y, worse = run('opt', '--mlir-print-op-generic', b)
    return ok and also and x == y, b'', wrong or worse or 'it is another program'


def stages(path, text):
    args = arguments(text)
    printed, lowered, artifact = work / 'printed.mlir', work / 'client.mlir', work / 'artifact.mlirbc'
    yield 'read', run('opt', path, '-o', printed)
    yield 'printed back', same(path, printed)
    ok = run('opt', '--chlo-to-stablehlo', path, '-o', lowered)
    yield 'stored', run('opt', '--target=1.9.0', lowered, '-o', artifact) if ok[0] else ok
    yield 'read from the artifact', same(lowered, artifact)
    yield 'compiled', run('compile', path, '-o', work / 'buffers.mlir')
    ok, out, wrong = run('run', path, *args)
    yield 'executed, checks hold', (ok and not ('@check.eq' in text and b'tensor<i1> = false' in out), out, wrong or 'a comparison is false')
    yield 'executed as compiled', run('compile', '--run', '--quiet', path, '-o', work / 'buffers.mlir', *args)


def mutated(text):
    """The program with another expectation: in a constant of @expected, or of what is compared, another element; None if there is none that can be changed."""
    where = re.search(r'@expected\(\)[^\n]*\{\n(.*?)return', text, re.S)
    if not where:
        return None
    m = re.search(r'dense<(\[*)(-?\d+(?:\.\d+)?(?:E[+-]?\d+|e[+-]?\d+)?|true|false)(?![x.\d])', where.group(1))
    if not m:
        return None
    old = m.group(2)
    new = {'true': 'false', 'false': 'true'}.get(old)
    if new is None:
        new = str(float(old) * 2 + 1) if '.' in old or 'e' in old.lower() else ('1' if old == '0' else '0')
    at = where.start(1) + m.start(2)
    return text[:at] + new + text[at + len(old):]


counts, total, failed, candidates = collections.Counter(), 0, [], []
for directory in options.directories:
    for path in sorted(pathlib.Path(directory).glob('*.mlir')):
        total += 1
        text = path.read_text()
        good = True
        for stage, (ok, _, wrong) in stages(path, text):
            counts[stage] += ok
            if not ok:
                good = False
                failed.append(f'{path.name}: not {stage}: {wrong}')
        counts['all of it'] += good
        if good and 'check.expect' in text:
            candidates.append(path)
for stage, n in counts.items():
    print(f'{n:5} of {total}  {100 * n / max(total, 1):5.1f} %  {stage}')
unnoticed, changed = 0, 0
rng.shuffle(candidates)
for path in candidates:
    if changed == options.mutate:
        break
    text = mutated(path.read_text())
    if text is None:
        continue
    changed += 1
    program = work / 'mutated.mlir'
    program.write_text(text)
    ok, _, wrong = run('run', program)
    if ok or 'is expected' not in wrong:
        unnoticed += 1
        failed.append(f'{path.name}: a changed expectation: {wrong or "not noticed"}')
print(f'{changed - unnoticed:5} of {changed} changed expectations are noticed')
if options.v:
    print('\n'.join(failed))
sys.exit(total == 0 or 100 * counts['all of it'] / total < options.floor or unnoticed > 0)
