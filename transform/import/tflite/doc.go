// Package tflite makes programs of models of TensorFlow Lite: functions on tensors in func, linalg, tensor, scf, arith and math.
//
// Each operator becomes the arithmetic of TensorFlow Lite Micro's reference kernel for its types, so that numbers are the
// same bit for bit: the 8 bit and 16 bit kernels' fixed-point multipliers with their two roundings, their tables, and
// floating-point sums in the order of the kernels. A convolution is one linalg.generic over the elements of its result, with
// the sum as loops in its body; so there is no array of accumulators in any form of the program.
package tflite
