// Package native executes functions as C code: it compiles what package emitc writes with the C compiler of the machine, runs it in a
// process of its own, and gives results back as package interp does, so that the two can be compared bit for bit.
package native
