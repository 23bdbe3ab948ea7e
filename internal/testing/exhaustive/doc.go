// Package exhaustive has no code but tests: it tries the operations on numbers, and all that rewrites them, on all values of small
// types.
//
// What is tried isn't listed anywhere. It is generated from the definitions of operations: each that can be executed, has no effects
// and no regions, with every combination of the types of a small "world", every value of its attributes that is an enumeration, and
// attributes of a pool for the others. So what is defined, or folds, tomorrow is tried tomorrow.
//
//   - TestKernels executes every operation on all values and compares with package naive, which computes with integers and
//     fractions of any size.
//   - TestTrees makes functions of one operation, of two of which one is an operand of the other, and random ones of more. Leaves are arguments,
//     constants, and poison. It canonicalizes them, and executes what has changed, before and after, on all arguments.
//   - TestPasses does so with all other passes.
//   - TestVectors tries the same with vectors and tensors, with constants that are splats and that aren't.
//   - TestLowered tries the operations of chlo, stablehlo and tosa, which are executed as what they are lowered to. Lowering folds, too: before, constants are
//     hidden from it.
//   - TestConstants folds pairs of all constants of floating-point formats of at most 8 bits.
//   - TestNarrowIndex executes programs of the index dialect as a target does on which index has 32 bits.
//   - TestAffineMaps tries random affine maps.
//
// A rewriting may replace poison by anything, and undefined behaviour too; a value it must keep. All NaNs are the same, and -0 isn't
// 0, but where the flag nsz says that it may be.
//
// By default a fraction is tried, in a few seconds, another one each time that -seed is another number:
//
//	go test ./internal/testing/exhaustive
//
// This tries all, which takes some minutes:
//
//	go test ./internal/testing/exhaustive -all -timeout 2h
//
// and -programs says how many random trees there are.
package exhaustive
