package asm

import "freehold/ir"

// CheckDialect returns what is wrong with the definitions of a dialect: what
// [ir.CheckDialect] finds or, if that is nothing, what is wrong with the assembly formats of
// its operations, in all versions. It is for tests of dialects; without them, a wrong format
// shows where a program uses the operation.
func CheckDialect(d *ir.Dialect) []error {
	errs := ir.CheckDialect(d)
	if len(errs) > 0 {
		return errs
	}
	c := ir.NewContext(d)
	check := func(n *ir.OpName) {
		if err := CheckFormat(n); err != nil {
			errs = append(errs, err)
		}
	}
	for _, n := range c.OpNames() {
		check(n)
		for _, l := range n.Later() {
			check(l)
		}
		for _, e := range n.Earlier() {
			check(e)
		}
	}
	return errs
}
