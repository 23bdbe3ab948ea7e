#!/usr/bin/env python3
"""Execute compiled programs of a corpus as C code, and count those that do what they do in checked memory.

usage: native.py [--tool bin/freehold] [--cc COMMAND] [--sanitize] [--jobs N] [--sample N] [--seed N] [--only TEXT] [-v] PATH...

PATHs are .mlir files and folders of them; a file is cut where its lines say `// -----`. Of each part, every public
function that `freehold compile --run` executes is executed by `freehold compile --run --native`, too: it must be written
as C, be compiled without a warning, and give the same bits (within 4 units in the last place where it calls functions
such as exp). The share may not fall below FLOOR percent; of a sample, none may be wrong.
"""
import argparse, collections, concurrent.futures, os, random, re, subprocess, sys, tempfile

FLOOR = 98.0
# Of a sample, which may have more of the operations for tests that aren't written in C.
FLOOR_OF_SAMPLE = 94.0


def parts(paths, only):
    for root in paths:
        files = [root] if os.path.isfile(root) else sorted(
            os.path.join(folder, name) for folder, _, names in os.walk(root) for name in names if name.endswith('.mlir'))
        for file in files:
            if only not in file:
                continue
            text = open(file, errors='replace').read()
            for k, part in enumerate(re.split(r'^// -----.*\n', text, flags=re.M)):
                names = [n for n in re.findall(r'func\.func (?!private)(?:public )?@([\w$.-]+)', part)]
                if 'extract_aligned_pointer' in part:
                    continue # an address is another one in another process
                for name in names:
                    yield file, k, name, part


def judge(o, file, k, name, part):
    version = ['--mlir-version=22'] if 'corpus22' in file else []
    with tempfile.NamedTemporaryFile('w', suffix='.mlir') as f:
        f.write(part)
        f.flush()
        command = [o.tool, 'compile', '--run', '--quiet', '--allow-unregistered-dialect', '--random-constants', '--no-check',
                   '--max-steps', '3000000', '--max-bytes', str(1 << 28), '--entry', name, '-o', os.devnull] + version + [f.name]
        try:
            if subprocess.run(command, capture_output=True, timeout=o.seconds).returncode:
                return 'not executed', ''
            r = subprocess.run(command + ['--native', '--cc', o.cc] + ['--sanitize'] * o.sanitize, capture_output=True, text=True,
                               errors='replace', timeout=4 * o.seconds)
        except subprocess.TimeoutExpired:
            return 'out of time', ''
    if r.returncode == 0:
        return ('close' if 'units in the last place' in r.stderr else 'same'), ''
    if 'not accepted by' in r.stderr:
        reason = re.search(r'(?:error|warning): (.*)', r.stderr)
        return 'not compiled', reason.group(1) if reason else r.stderr
    if 'differs natively' in r.stderr:
        return 'differs', re.search(r'.*differs natively.*', r.stderr).group(0)
    if 'ended early' in r.stderr:
        return 'crashed', r.stderr[:400]
    reason = re.search(r'error: (.*)', r.stderr)
    return 'not written', reason.group(1) if reason else r.stderr[:200]


arguments = argparse.ArgumentParser(usage=__doc__)
arguments.add_argument('--tool', default='bin/freehold')
arguments.add_argument('--cc', default='cc -O2 -Wall -Wextra -Werror')
arguments.add_argument('--sanitize', action='store_true')
arguments.add_argument('--seconds', type=float, default=20)
arguments.add_argument('--jobs', type=int, default=1)
arguments.add_argument('--sample', type=int, default=0)
arguments.add_argument('--seed', type=int, default=1)
arguments.add_argument('--only', default='')
arguments.add_argument('-v', action='store_true')
arguments.add_argument('paths', nargs='+')
o = arguments.parse_args()
tasks = list(parts(o.paths, o.only))
if o.sample:
    tasks = random.Random(o.seed).sample(tasks, min(o.sample, len(tasks)))
counts, reasons = collections.Counter(), collections.defaultdict(list)
with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
    for (file, k, name, _), (outcome, reason) in zip(tasks, pool.map(lambda t: judge(o, *t), tasks)):
        counts[outcome] += 1
        if reason:
            reasons[outcome + ': ' + re.sub(r'[%@#]\w+|\d+', '_', reason)[:160]].append(f'{os.path.basename(file)}:{k}@{name}')
for reason, names in sorted(reasons.items(), key=lambda x: -len(x[1])):
    print(f'{len(names):4} {reason}: ' + ' '.join(names if o.v else names[:3]))
good = counts['same'] + counts['close']
total = sum(counts.values()) - counts['not executed'] - counts['out of time']
print(', '.join(f'{n} {outcome}' for outcome, n in sorted(counts.items())))
share = 100 * good / max(total, 1)
print(f'natively the same: {good} of {total} functions, {share:.1f}%')
wrong = counts['differs'] + counts['crashed'] + counts['not compiled']
floor = FLOOR_OF_SAMPLE if o.sample else FLOOR
if share < floor or o.sample and wrong:
    sys.exit(f'that is below the floor of {floor}%, or {wrong} are wrong')
