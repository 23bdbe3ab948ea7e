#!/usr/bin/env python3
"""Run the conformance harness and compare its figures with .ci/floors.json.

usage: floors.py SHARED [--raise] [--only JOB]

SHARED is the folder with tools/conformance.py and corpus/. floors.json lists jobs:
a suite of the harness, a folder of the corpus, how many files of it (null: all),
and the least share in percent of pairs that must be `good` (exact or equivalent)
and `exact`. Jobs with `llvm` are measured with the tool of that version in SHARED/tools and programs of SHARED/corpus22, if both are there. Those with a
`row` are for versions.py. Floors only rise: --raise writes higher figures back, rounded down.
No job may have a crash.
"""
import json, os, subprocess, sys, tempfile

here = os.path.dirname(os.path.abspath(__file__))
path = os.path.join(here, 'floors.json')
shared = sys.argv[1]
floors = json.load(open(path))
only = sys.argv[sys.argv.index('--only') + 1] if '--only' in sys.argv else None
failed = False
measured = 0


def floor(share):
    return int(share * 10) / 10


for job in floors:
    if 'row' in job:
        continue
    version = job.get('llvm')
    corpora = 'corpus22' if version else 'corpus'
    name = f"{job['suite']}/{corpora}/{job['corpus']}" if version else f"{job['suite']}/{job['corpus']}"
    if only and only != name:
        continue
    measured += 1
    peer = os.path.join(shared, f'tools/mlir-opt-{version}')
    if version and not (os.path.exists(peer) and os.path.exists(os.path.join(shared, corpora))):
        print(f'{name}: skipped, there is no mlir-opt-{version}')
        continue
    with tempfile.NamedTemporaryFile(suffix='.json') as out:
        cmd = [sys.executable, os.path.join(shared, 'tools/conformance.py'), '--tool', 'bin/freehold opt',
               '--suite', job['suite'], '--json', out.name]
        if version:
            cmd += ['--peer', peer]
            cmd[cmd.index('--tool') + 1] += f' --mlir-version={version}'
        if job.get('sample'):
            cmd += ['--sample', str(job['sample'])]
        subprocess.run(cmd + [os.path.join(shared, corpora, job['corpus'])], check=True)
        figures = json.load(open(out.name))[job['suite']]
    if not figures['judged']:
        print(f'{name}: no pair was judged')
        failed = True
        continue
    judged = figures['judged']
    shares = {'good': 100 * figures['good'] / judged, 'exact': 100 * figures['exact'] / judged}
    crashes = figures['counts'].get('crash', 0)
    for key, share in shares.items():
        if share < job[key]:
            print(f'{name}: {key} {share:.2f}% is below the floor of {job[key]}%')
            failed = True
        elif '--raise' in sys.argv:
            job[key] = max(job[key], floor(share))
    if crashes > job.get('crashes', 0):
        print(f'{name}: {crashes} crashes')
        failed = True
    elif '--raise' in sys.argv:
        job['crashes'] = crashes
if not measured:
    sys.exit(f'there is no job {only}')
if '--raise' in sys.argv:
    with open(path, 'w') as f:
        f.write('[\n' + ',\n'.join('  ' + json.dumps(j) for j in floors) + '\n]\n')
sys.exit(failed)
