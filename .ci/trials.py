#!/usr/bin/env python3
"""Try the small programs of trials, on which freehold was wrong once, and compare with what is right.

usage: trials.py SHARED

SHARED/trials/README.md says what happened with each program, and what is right. Here it is a line for each: a command of the shell, in
which "freehold" is bin/freehold and "$p" the program; the status that it must have; a regular expression that its output (both streams)
must have, and one after "not" that it must not have. Each program of the folder must be in the table.
"""
import os, re, subprocess, sys

SAFE = r'^safe: '
COMPILED = r'same results, bit for bit; no leak'
# What compile --run says natively as well, so that the meaning of the interpreter isn't asked alone.
NATIVELY = 'freehold compile --run --native $p -o /dev/null'


def peak(size, copies=0):
    """Returns the pattern of a summary of compile with that peak and so many copies, in the column of freehold."""
    return rf'(?s)copies +\S+ +{copies}\n.*peak +\S+(?: [KM]iB| B)? +{re.escape(size)}(?: |$)'


def needs(size, copies=0):
    return 'freehold compile $p -o /dev/null', 0, peak(size, copies)


def as22(passes):
    """Returns a command that compares what a pass makes with mlir-opt-22."""
    return f"diff <(freehold opt --mlir-version=22 {passes} $p 2>&1) <($mlir_opt_22 {passes} $p 2>&1)", 0, r'\A\Z'


BUFFERIZE = "--one-shot-bufferize='bufferize-function-boundaries allow-return-allocs-from-loops'"
UNCHANGED = 'diff <(freehold opt {} $p) <(freehold opt $p)'

TABLE = {
    # check
    'U1_rollback_double_free': [('freehold check $p', 1, 'double free')],
    'U2_recursion_part': [('freehold check $p', 1, 'invalid free')],
    'U3_trip_count_overflow': [('freehold check $p', 1, 'double free')],
    'U4_view_shift_check': [('freehold check $p', 1, 'leak')],
    'U4_view_shift_pipeline': [(NATIVELY, 0, COMPILED)],
    'U4b_base_of_view': [('freehold check $p', 0, SAFE), ('freehold run $p', 0, 'peak bytes')],
    'U5_laundered_call': [('freehold check $p', 2, '^not judged')],
    'U5_laundered_llvm_load': [('freehold check $p', 2, '^not judged')],
    'U5_llvm_malloc': [('freehold check $p', 2, '^not judged')],
    'U6_reshape_freed_shape': [('freehold check $p', 1, 'use after free')],
    'A3_reduce_of_buffers': [('freehold check $p', 2, '^not judged')],
    'A4_reversed_view': [('freehold check $p', 0, SAFE), ('freehold run $p 1', 0, 'peak bytes')],
    'C2_cf_not_proved': [('freehold opt --convert-scf-to-cf --complete-buffer-deallocation-pipeline $p | freehold check -', 0, SAFE)],
    'C_affine_loop_not_certified': [('freehold compile --quiet $p | freehold check --certificate /dev/null -', 0, SAFE)],
    'C_unreachable': [('freehold check $p', 1, 'leak'), ('freehold compile $p -o /dev/null', 0, 'not error')],
    # Executions and difftest
    'I1_yield_swap': [('freehold run $p [1,2] [3,4]', 0, r'(?s)\[3(\.0)?, ?4(\.0)?\].*\[1(\.0)?, ?2(\.0)?\]')],
    'I1_reduce': [('freehold run $p [1,2,3,4] [5,6,7,8] 100 200', 0, r'(?s)106.*204')],
    'I1_yield_in_false_alarm': [(NATIVELY, 0, COMPILED)],
    'A1_difftest_private': [('freehold difftest $p', 0, '0 mismatches, 0 findings')],
    'A2_writable': [(NATIVELY, 0, COMPILED), ('freehold difftest $p', 0, '0 mismatches, 0 findings')],
    'A5_view_of_f80': [('freehold compile --run $p -o /dev/null', 0, COMPILED)],
    'E3_run_ignores_prints': [(NATIVELY, 0, COMPILED)],
    'C_runner_utils': [('freehold run $p', 0, r'\[1,  1,  1,  1\]')],
    'X4_external': [('freehold explain $p', 0, '0 copies and 0 buffers')],
    # Wrong results
    'V1_gather_linear': [(NATIVELY, 0, COMPILED), ('freehold compile --quiet $p | freehold run -', 0, r'0, 5, 10, -1')],
    'V1_maskedload_strided': [(NATIVELY, 0, COMPILED), ('freehold compile --quiet $p | freehold run -', 0, r'0, 4, 8, 0')],
    'V1_compressstore_strided': [(NATIVELY, 0, COMPILED), ('freehold compile --quiet $p | freehold run -', 0, r'1, 0, 2, 0, 3, 0, 0, 0')],
    'V1_affine_vector_load': [('freehold compile --quiet $p | freehold opt --lower-affine -o /dev/null', 0, 'not error')],
    'V2_interp_masked': [(NATIVELY, 0, COMPILED), ('freehold run $p', 0, '1, 2, 3, 0')],
    'V2_gather_of_the_vectorizer': [
        ('freehold run $p "$(printf "[[1,2,3,4],[5,6,7,8],[9,10,11,12],[13,14,15,16]]")" "[[3,0,1,2]]" "[[3,0,1,2]]"', 0, r'16(\.0)?, ?1(\.0)?, ?6(\.0)?, ?11')],
    'E1_returned_part_is_written': [(NATIVELY, 0, COMPILED)],
    'E1_global_getter': [(NATIVELY, 0, COMPILED)],
    'E2_stored_in_the_callers_table': [('freehold compile $p', 0, 'no free is made'), ('freehold compile --quiet $p', 0, 'not memref.dealloc')],
    'M1_address_returned': [('freehold compile --quiet $p', 0, r'(?s)llvm\.load.*memref\.dealloc %alloc ')],
    'M2_cse_reshape': [('freehold opt --cse $p', 0, r'(?s)memref\.reshape.*memref\.reshape'), ('freehold run $p [1,2,3,4]', 0, r'(?s)2.*4')],
    'R1_vector_mask': [('freehold compile $p', 0, 'vector.mask')],
    'C1_nested_swap_alloca': [('freehold compile $p -o /dev/null', 0, 'not warning')],
    'P2_forall': [('freehold compile --run $p -o /dev/null', 0, COMPILED), ('freehold peak $p', 0, r'^peak +12\.0 KiB')],
    'H1_realloc_in_loop': [('freehold opt --hlo-deallocation-pipeline $p | freehold check -', 0, SAFE)],
    'H2_freed_twice': [('freehold opt --hlo-deallocate $p', 1, "'scf.if' op same value released twice")],
    'H3_view_hands_over': [('freehold opt --allow-unregistered-dialect --hlo-deallocate $p', 0, r'deallocation\.|memref\.dealloc')],
    'H4_annotation': [('freehold opt --allow-unregistered-dialect --hlo-deallocation-annotation $p', 0, r'deallocation\.')],
    'G1_async_copy': [('freehold opt --free-after-last-use $p', 0, r'(?s)gpu\.wait \[%\d+\].*memref\.dealloc %alloc ')],
    'G2_gpu_alloc': [('freehold compile --quiet $p', 0, r'gpu\.dealloc'), ('freehold compile --quiet $p', 0, r'not memref\.dealloc')],
    # Folds
    'F_icmp': [('freehold compile --quiet $p', 0, r'index\.sub')],
    'F_icast2': [('freehold run $p', 0, r'(?m)^0$'), ('freehold compile --quiet $p | freehold run -', 0, r'(?m)^0$')],
    'F_minnum': [('freehold compile --quiet $p | freehold run -', 0, r'(?im)^inf')],
    'F_caddm': [('freehold compile --quiet $p | freehold run -', 0, r'(?m)^0(\.0)?$')],
    'F_nsw': [('freehold compile --quiet $p', 0, 'not overflow')],
    'F_mapgen': [('freehold opt --canonicalize $p', 0, r'vector\.print')],
    'F_esm': [('freehold opt --expand-strided-metadata $p', 0, r'memref\.view|addi')],
    'F_fma': [(UNCHANGED.format('--fold-memref-alias-ops'), 0, r'\A\Z')],
    # Invalid operations, valid programs that were refused, messages
    'C_tbc': [('freehold opt --canonicalize $p', 0, r'to_buffer %arg0 read_only : tensor<4x\?xf32> to memref<4x\?xf32, strided<\[\?, \?\], offset: \?>, 3>')],
    'C_tbu': [(UNCHANGED.format('--canonicalize'), 0, r'\A\Z')],
    'C_unp': [('freehold opt --canonicalize $p', 0, r'inner_tiles = \[8, 1\]')],
    'C_selfins': [('freehold opt --eliminate-empty-tensors $p | freehold opt -o /dev/null', 0, 'not error')],
    'C_copy_of_empty': [(UNCHANGED.format('--eliminate-empty-tensors'), 0, r'\A\Z')],
    'C_tensors_left': [('freehold compile --quiet $p', 0, 'not tensor')],
    'C_exr': [as22(BUFFERIZE)], 'C_swap': [as22(BUFFERIZE)], 'C_ni': [as22(BUFFERIZE)], 'C_armw': [as22(BUFFERIZE)],
    'C_scat': [as22(BUFFERIZE)], 'C_lay': [as22(BUFFERIZE)], 'C_col': [as22(BUFFERIZE)],
    'C_dlti': [('freehold opt $p', 0, r'dl_entry<index, 32')],
    'C_array_of_i0': [('freehold opt --allow-unregistered-dialect $p', 0, r'array<i0')],
    'C_line_0': [('freehold opt --verify-diagnostics --no-implicit-module $p', 0, 'not error')],
    'C_func_bufferize_terminator': [('freehold opt --allow-unregistered-dialect --func-bufferize $p', 1, r"failed to legalize operation 'test\.terminator'$")],
    'C_escape_of_16': [('freehold opt --mlir-version=16 $p', 0, 'not error')],
    'C_isnan': [('freehold opt $p', 0, r'math\.isnan')],
    'C_tosa_of_16': [('freehold opt --mlir-version=16 $p', 0, r'tosa\.avg_pool2d')],
    'C_print_and_return': [needs('16 B')],
    # Memory that depends on the form
    'M1_shared_fill': [needs('32.0 KiB')], 'M1_shared_init': [needs('4.0 KiB')], 'M2_dead': [needs('16 B', 1)],
    'M3_while_invariant': [needs('0 B')],
    'M4_argument_overwritten': [needs('16 B'), ('freehold compile --run $p -o /dev/null', 0, COMPILED)],
    'M5_donated': [needs('0 B'), ('freehold compile $p -o /dev/null', 0, 'overwritten: argument 0')],
    'M6_accumulators': [('freehold compile $p -o /dev/null', 0, r'peak .*34\.1 KiB')],
    'M7_broadcasts': [needs('1.0 MiB')], 'M8_pad': [('freehold compile $p -o /dev/null', 0, r'copies +1 +0')],
    'M9_private_calls': [needs('32.0 KiB')], 'M10_order': [('freehold compile $p -o /dev/null', 0, r'peak .*256\.\d KiB')],
    'M11_ping_pong': [needs('64 B', 2)], 'M12_degenerate_slice': [needs('0 B')], 'M12_there_and_back': [needs('128 B')],
    'M13_early_free': [needs('512 B')], 'M14_disjoint_ranges': [needs('32 B', 1)],
    # Answers that help
    'X1_rope': [needs('32 B'), ('freehold explain $p', 0, r'canonicalize removes 2 copies')],
    'X2_kv_cache': [('freehold explain $p', 0, r'--drop-equivalent-results.*(?s:.*)512 B instead of')],
    'X3_constant': [('freehold explain $p', 0, r'0 copies and 1 buffer')],
    'X5_dynamic': [('freehold report $p -o /dev/null', 0, r'4\*%n'), ('freehold peak $p', 0, 'n')],
}


def tried(program, command, status, pattern, env):
    """Runs a command, and returns what is wrong with it, or nothing."""
    r = subprocess.run(['bash', '-o', 'pipefail', '-c', command], capture_output=True, text=True, timeout=120, env=env | {'p': program})
    said = r.stdout + r.stderr
    wanted = not pattern.startswith('not ')
    pattern = pattern.removeprefix('not ')
    if r.returncode != status:
        return f'status {r.returncode} and not {status}: {said.strip()[:300]}'
    if bool(re.search(pattern, said, re.M)) != wanted:
        return f'{"no" if wanted else "there is"} {pattern!r}: {said.strip()[:600]}'


def main():
    shared = os.path.abspath(sys.argv[1])
    folder = os.path.join(shared, 'trials')
    env = os.environ | {'PATH': os.path.abspath('bin') + os.pathsep + os.environ['PATH'], 'mlir_opt_22': os.path.join(shared, 'tools/mlir-opt-22')}
    programs = {f.removesuffix('.mlir') for f in os.listdir(folder) if f.endswith('.mlir')}
    failed = [f'{name}: it is not in the table' for name in sorted(programs - TABLE.keys())]
    failed += [f'{name}: there is no such program' for name in sorted(TABLE.keys() - programs)]
    for name, lines in TABLE.items():
        for command, status, pattern in lines:
            if wrong := tried(os.path.join(folder, name + '.mlir'), command, status, pattern, env):
                failed.append(f'{name}: {command}: {wrong}')
    print('\n'.join(failed))
    print(f'trials: {sum(map(len, TABLE.values()))} commands on {len(TABLE)} programs, {len(failed)} failed')
    sys.exit(bool(failed))


main()
