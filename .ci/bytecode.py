#!/usr/bin/env python3
"""Compare how freehold and mlir-opt-19 read each other's bytecode, and compare with a floor.

usage: bytecode.py SHARED [-v] [--tool COMMAND] [--peer COMMAND] [--each]

Programs are those of corpus/core, corpus/wide and models in the folder SHARED that the peer takes. In each version of the
format, what the peer writes is read by freehold and printed, and what freehold writes is read and printed by the peer: the
text, with locations, has to be that of the peer, which read the program as text, or its own bytecode (which renames some
resources).

The programs of the corpus are joined to one, a module each, so that few processes are needed; --each makes files of
them, in the latest version. -v names the programs that differ. The share may not fall below FLOOR percent.
"""
import argparse, os, re, subprocess, sys, tempfile

FLOOR = 100.0
VERSIONS = range(7)
FLAGS = ['--allow-unregistered-dialect', '--mlir-print-debuginfo', '--mlir-print-local-scope']
MARKER = '// -----'

parser = argparse.ArgumentParser(usage=__doc__)
parser.add_argument('shared')
parser.add_argument('-v', action='store_true')
parser.add_argument('--tool', default='bin/freehold opt')
parser.add_argument('--peer', default='mlir-opt-19')
parser.add_argument('--each', action='store_true')
options = parser.parse_args()
tool, peer = options.tool.split(), options.peer.split()
problems = set()


def run(command, flags, data):
    """Returns what a command prints for its input, and keeps what it says."""
    r = subprocess.run(command + flags, input=data, capture_output=True)
    if r.returncode:
        problems.add(' '.join(command + flags[-2:]) + ': ' + r.stderr.decode(errors='replace')[:300])
    return r.stdout


def joined(files):
    """Returns one program with those of the files that the peer takes as nested modules, and their number."""
    texts = []
    for f in files:
        text = open(f, errors='replace').read()
        texts.append(re.sub(r'\{-#.*#-\}', '', text, flags=re.S))
    r = subprocess.run(peer + ['--split-input-file', '--mlir-print-op-generic', '--mlir-print-local-scope', '--allow-unregistered-dialect'],
                       input=(MARKER + '\n').join(texts).encode(), capture_output=True)
    pieces = [p for p in r.stdout.decode().split(MARKER) if p.strip()]
    return ('"builtin.module"() ({\n' + ''.join(pieces) + '}) : () -> ()\n').encode()


def modules(text):
    """Splits the text of a program into its nested modules."""
    return re.split(rb'\n  (?=module)', text)


def compare(what, program, versions):
    """Counts modules and how many of them come back as they should, by way of the tool's and the peer's bytecode."""
    want = modules(run(peer, FLAGS, program))
    good = total = 0
    for v in versions:
        emit = ['--allow-unregistered-dialect', '--emit-bytecode', f'--emit-bytecode-version={v}']
        own = run(peer, emit, program)
        wants = list(zip(want, modules(run(peer, FLAGS, own))))
        for writer, reader in (peer, tool), (tool, peer):
            got = modules(run(reader, FLAGS, own if writer == peer else run(writer, emit, program)))
            same = sum(b in w for w, b in zip(wants, got)) if len(got) == len(wants) else 0
            good, total = good + same, total + len(wants)
            if same < len(wants):
                problems.add(f'{what}: {len(wants) - same} of {len(wants)} modules differ, written by {writer[0]} in version {v}')
                if options.v and len(got) == len(wants):
                    for w, b in zip(wants, got):
                        if b not in w:
                            problems.add(f'{w[0].decode()}\nis read as\n{b.decode()}')
    return good, total


folders = [os.path.join(options.shared, 'corpus', f) for f in ('core', 'wide')]
files = [os.path.join(d, f) for d in folders for f in sorted(os.listdir(d)) if f.endswith('.mlir')]
models = os.path.join(options.shared, 'models')
jobs = [(f, open(os.path.join(models, f), 'rb').read(), [max(VERSIONS)]) for f in sorted(os.listdir(models)) if f.endswith('.mlir')]
if options.each:
    jobs += [(f, open(f, 'rb').read(), [max(VERSIONS)]) for f in files]
else:
    jobs.append(('the corpus', joined(files), VERSIONS))
good = total = 0
for job in jobs:
    g, t = compare(*job)
    good, total = good + g, total + t
for p in sorted(problems):
    print(p)
share = 100 * good / max(total, 1)
print(f'bytecode: {good} of {total} programs and versions come back as they were, {share:.2f}%')
if share < FLOOR:
    sys.exit(f'that is below the floor of {FLOOR}%')
