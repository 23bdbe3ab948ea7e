#!/usr/bin/env python3
"""Compare the passes that bufferize dialect by dialect, and --buffer-deallocation, with mlir-opt-16.

usage: older.py SHARED [--tool 'bin/freehold opt'] [--peer mlir-opt-16] [--sample N] [--only PASS] [-v]

SHARED is the folder with tools/conformance.py and corpus/, of whose programs those that the peer takes are judged. A row says of
how many of the programs that the pass changes the output is the same; -v shows the others. With all programs, no share may
be below that in FLOORS.
"""
import argparse, contextlib, io, json, os, re, sys, tempfile

FLOORS = {'arith-bufferize': 98.4, 'bufferization-bufferize': 100, 'func-bufferize': 99.6, 'linalg-bufferize': 100, 'scf-bufferize': 96.4,
          'shape-bufferize': 100, 'tensor-bufferize': 97.7, 'vector-bufferize': 98.8, 'buffer-deallocation': 94.9}

ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument('shared')
ap.add_argument('--tool', default='bin/freehold opt')
ap.add_argument('--peer', default='mlir-opt-16')
ap.add_argument('--sample', type=int)
ap.add_argument('--only', choices=sorted(FLOORS))
ap.add_argument('-v', action='store_true')
a = ap.parse_args()
READ = "peer(tout, '')"  # where the harness has the peer read what the tool printed

# The harness has no suite for a single pass; it gets one for each.
harness = os.path.join(a.shared, 'tools', 'conformance.py')
head, options, rest = open(harness).read().partition('\nap = argparse.ArgumentParser')
if not options:
    sys.exit(f'{harness} has changed: no suites can be added')
if rest.count(READ) != 1:
    sys.exit(f'{harness} has changed: what the tool prints can\'t be spelled as the peer has it')


def read(peer, text):
    """What the peer reads. Before LLVM 17, the offset of a memref.subview of a buffer with unknown strides was unknown, also where it is 0 today:
    where the peer refuses what is printed for today, all types that could be such have an unknown offset."""
    said = peer(text, '')
    return said if said[0] == 'ok' else peer(re.sub(r'(strided<\[[^\]]*\?[^\]]*\])>', r'\1, offset: ?>', text), '')


low = False
for name, floor in FLOORS.items():
    if a.only not in (None, name):
        continue
    with tempfile.NamedTemporaryFile(suffix='.json') as out:
        sys.argv = [harness, '--tool', a.tool, '--peer', a.peer, '--suite', name, '--json', out.name]
        sys.argv += ['--sample', str(a.sample)] if a.sample else []
        sys.argv += ['-v'] if a.v else []
        sys.argv += [os.path.join(a.shared, 'corpus', f) for f in ('core', 'wide')]
        said = io.StringIO()
        with contextlib.redirect_stdout(sys.stdout if a.v else said), contextlib.suppress(SystemExit):
            exec(compile(head + f'\nSUITES = {{{name!r}: [{"--" + name!r}]}}' + options + rest.replace(READ, "read(peer, tout)"), harness, 'exec'),
                 {'__name__': '__main__', '__file__': harness, 'read': read})
        figures = json.load(open(out.name))[name]
    total = figures['nontrivial_judged']
    if not total:
        sys.exit(f'{name}: no program is judged')
    share = 100 * figures['nontrivial_good'] / total
    print(f'{name}: {figures["nontrivial_good"]} of {total} ({share:.1f}%)', flush=True)
    low = low or not a.sample and share < floor
if low:
    sys.exit('a share is below its floor')
