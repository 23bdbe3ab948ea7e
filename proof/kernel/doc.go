// Package kernel is an abstract interpreter of programs on buffers, by symbolic execution on all paths at once: formulas
// (and-inverter graphs) as conditions, a points-to relation that is exact under conditions, and the lives of allocations. It is
// the machine that proofs rest on: package check runs it with guesses, package verify with what a certificate says. What it is
// told to demand, it hands to who runs it; it decides nothing by search, and what it can't say is refused.
package kernel
