// Package elementary has the elementary functions of numbers of 64 bits, by which programs are executed and constants are folded.
//
// Results are mostly the nearest number to the exact one, and always, but for Rsqrt, less than one unit in the last place off; TestErrors has what was
// measured. Those of package math are right in most places, too, but exp is infinite from 709.44 on, the logarithms to the base of two near 1, sines near multiples of π,
// and large powers have few right digits. Arguments that functions aren't defined for, and zeros and infinities, give what annex F of the C standard says,
// and for complex numbers annex G.
//
// The functions compute with unevaluated sums of two numbers (T. J. Dekker, A floating-point technique for extending the available precision,
// Numerische Mathematik 18, 1971): a number from a table is nearby, and of the short series for the rest only the first terms need twice the precision.
package elementary
