#!/usr/bin/env python3
"""Execute the programs of a corpus before and after pipelines, and list where they compute something else.

usage: difftest.py [--tool bin/freehold] [--seconds N] [--jobs N] [--json OUT] [--only TEXT] PATH...

PATHs are .mlir files and folders of them; a file is cut where its lines say `// -----`. Each part goes through
PIPELINES by `freehold difftest`. Mismatches and findings are listed with the file and the part, and all outcomes are
counted. The exit status is 1 if there are any.
"""
import argparse, collections, concurrent.futures, json, os, re, subprocess, sys, tempfile

# None stands for the passes of compile.
PIPELINES = {'canonicalize': ['--pipeline', '--canonicalize --cse'], 'compile': []}


def parts(paths):
    for root in paths:
        files = [root] if os.path.isfile(root) else sorted(
            os.path.join(folder, name) for folder, _, names in os.walk(root) for name in names if name.endswith('.mlir'))
        for file in files:
            text = open(file, errors='replace').read()
            for k, part in enumerate(re.split(r'^// -----.*\n', text, flags=re.M)):
                if 'func' in part:
                    yield file, k, part


def judge(options, file, k, part, name):
    version = ['--mlir-version=22'] if 'corpus22' in file else []
    with tempfile.NamedTemporaryFile('w', suffix='.mlir') as f:
        f.write(part)
        f.flush()
        command = [options.tool, 'difftest', '--allow-unregistered-dialect', '--random-constants', '--max-steps', '300000',
                   '--max-bytes', str(1 << 26)] + version + PIPELINES[name] + [f.name]
        try:
            r = subprocess.run(command, capture_output=True, text=True, errors='replace', timeout=options.seconds)
        except subprocess.TimeoutExpired:
            return 'out of time', []
    if 'panic:' in r.stderr or r.returncode not in (0, 1, 2, 3, 4):
        return 'crashed', [r.stderr[:300]]
    if r.returncode == 1:
        lines = sorted(set(re.findall(r'error: (@.*)', r.stderr))) or [r.stderr[:300]]
        lines = [line for line in lines if 'the limit of' not in line]  # lowered programs take more steps
        return ('differs', lines[:6]) if lines else ('limited', [])
    if r.returncode:
        return 'refused', []
    counted = re.search(r'(\d+) executed', r.stdout)
    return 'same' if counted and int(counted.group(1)) else 'not executed', []


arguments = argparse.ArgumentParser(usage=__doc__)
arguments.add_argument('--tool', default='bin/freehold')
arguments.add_argument('--seconds', type=float, default=20)
arguments.add_argument('--jobs', type=int, default=1)
arguments.add_argument('--json')
arguments.add_argument('--only', default='')
arguments.add_argument('paths', nargs='+')
options = arguments.parse_args()
counts, found = collections.Counter(), []
tasks = [(file, k, part, name) for file, k, part in parts(options.paths) if options.only in file for name in PIPELINES]
with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
    for (file, k, _, name), (outcome, lines) in zip(tasks, pool.map(lambda t: judge(options, *t), tasks)):
        counts[name, outcome] += 1
        if lines:
            found.append({'file': file, 'part': k, 'pipeline': name, 'outcome': outcome, 'lines': lines})
            print(f'{file}, part {k}, {name}: {outcome}', *lines, sep='\n  ', flush=True)
for name in PIPELINES:
    print(f'{name}: ' + ', '.join(f'{n} {outcome}' for (other, outcome), n in sorted(counts.items()) if other == name))
if options.json:
    json.dump({'found': found, 'counts': [[*key, n] for key, n in counts.items()]}, open(options.json, 'w'), indent=1)
sys.exit(1 if found else 0)
