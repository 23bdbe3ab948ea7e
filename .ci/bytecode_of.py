#!/usr/bin/env python3
"""Compare how freehold and the mlir-opt of another version than 19 read each other's bytecode, and compare with a floor.

usage: bytecode_of.py VERSION [-v] [--tool COMMAND] [--peer COMMAND] PATH...

PATH: .mlir files, scripts (.txtar), or folders of them. Of each program that both mlir-opt-VERSION (--peer) and the tool take as
text, what the peer writes as bytecode has to be read by the tool as the same program as the text, and what the tool
writes with --mlir-version=VERSION has to be read by the peer as what the tool prints as text for it: in generic form, with
locations. -v shows how the others differ.

Programs are nested modules of one, some dozens each, so that few processes are needed. The share may not fall below FLOOR percent.
"""
import argparse, os, re, subprocess, sys

FLOOR = 100.0
BATCH = 32
FLAGS = ['--allow-unregistered-dialect', '--mlir-print-op-generic', '--mlir-print-debuginfo', '--mlir-print-local-scope']
EMIT = ['--allow-unregistered-dialect', '--emit-bytecode']
MARKER = '// -----'
REFUSED = 'refused'

parser = argparse.ArgumentParser(usage=__doc__)
parser.add_argument('version')
parser.add_argument('-v', action='store_true')
parser.add_argument('--tool', default='bin/freehold opt')
parser.add_argument('--peer')
parser.add_argument('paths', nargs='+')
options = parser.parse_args()
peer = (options.peer or 'mlir-opt-' + options.version).split()
tool = options.tool.split() + ['--mlir-version=' + options.version]


def run(command, flags, data):
    """Returns what a command prints for its input, or None and its first error."""
    r = subprocess.run(command + flags, input=data, capture_output=True)
    error = re.search(r'error: .*', r.stderr.decode(errors='replace'))
    return (None, error.group(0) if error else 'status %d' % r.returncode) if r.returncode else (r.stdout, '')


def programs(path):
    """The programs of a file, without their resources, which modules share."""
    text = open(path, errors='replace').read()
    texts = [text]
    if path.endswith('.txtar'):
        parts = re.split(r'^-- (\S+) --\n', text, flags=re.M)
        texts = [t for n, t in zip(parts[1::2], parts[2::2]) if n.endswith('.mlir')]
    return [p for t in texts for p in re.sub(r'\{-#.*#-\}', '', t, flags=re.S).split(MARKER)]


def pieces(texts):
    """What the peer prints of the programs that it takes."""
    out = []
    for i in range(0, len(texts), 8 * BATCH):
        joined = ('\n' + MARKER + '\n').join(texts[i:i + 8 * BATCH])
        r = subprocess.run(peer + ['--split-input-file'] + FLAGS, input=joined.encode(), capture_output=True)
        out += [p.strip() for p in r.stdout.decode(errors='replace').split(MARKER) if p.strip()]
    return list(dict.fromkeys(out))


def program(modules):
    return ('"builtin.module"() ({\n' + '\n'.join(modules) + '\n}) : () -> ()\n').encode()


def modules(text):
    """Splits the text of a program into its nested modules."""
    return re.split(rb'\n  (?="builtin.module)', text)


def compare(texts):
    """Returns how each program differs, or None, by way of bytecode."""
    source = program(texts)
    read, error = run(tool, FLAGS, source)
    ways = [('read', read, run(tool, FLAGS, run(peer, EMIT, source)[0] or b'') if read else (None, error))]
    if read:
        written, error = run(tool, EMIT, source)
        ways.append(('written', run(peer, FLAGS, read)[0], run(peer, FLAGS, written) if written else (None, error)))
    problems = [None] * len(texts)
    for way, want, (got, error) in ways:
        if want is None and way == 'written':
            return halves(texts) if len(texts) > 1 else [REFUSED]  # .ci/versions.py measures that
        if got is None:
            return halves(texts) if len(texts) > 1 else [f'{way}: {error}']
        a, b = modules(want), modules(got)
        if len(a) != len(b) or len(a) != len(texts) + 1:
            return halves(texts) if len(texts) > 1 else [f'{way}: another program']
        for i in range(len(texts)):
            if a[i + 1] != b[i + 1] and not problems[i]:
                x, y = next((x, y) for x, y in zip(a[i + 1].split(b'\n'), b[i + 1].split(b'\n')) if x != y)
                problems[i] = f'{way}: {x.decode()}\n  is  {y.decode()}'
    return problems


def halves(texts):
    k = len(texts) // 2
    return compare(texts[:k]) + compare(texts[k:])


files = []
for p in options.paths:
    files += [os.path.join(d, f) for d, _, fs in os.walk(p) for f in fs if f.endswith(('.mlir', '.txtar'))] if os.path.isdir(p) else [p]
texts = pieces([t for f in sorted(files) for t in programs(f)])
refused = [t for t in texts if run(tool, FLAGS, program([t]))[0] is None]
texts = [t for t in texts if t not in set(refused)]
problems = [q for i in range(0, len(texts), BATCH) for q in compare(texts[i:i + BATCH])]
good, unread = problems.count(None), problems.count(REFUSED)
if options.v:
    for t, q in zip(texts, problems):
        if q and q != REFUSED:
            print(q)
share = 100 * good / max(len(texts) - unread, 1)
print(f'bytecode of {options.version}: {good} of {len(texts) - unread} programs come back as they were, {share:.2f}%; '
      f'as text, {len(refused)} more are refused, and what is printed of {unread} is')
if share < FLOOR:
    sys.exit(f'that is below the floor of {FLOOR}%')
