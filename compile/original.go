package compile

import (
	"freehold/ir"
	"freehold/pass"
)

// original is a program after the steps that all ways share, of which other attempts start.
type original struct {
	*Compiler
	// module is the program; nil until somebody asks for one that can be read again.
	module *ir.Op
	// small tells that it has no more than smallProgram operations.
	small bool
}

// original returns the program that a module is, of which a copy is kept only if it is small or can't be read again: most large programs take one attempt.
func (c *Compiler) original(module *ir.Op) *original {
	o := &original{Compiler: c, small: countOps(module, smallProgram+1) <= smallProgram}
	if o.small || c.Again == nil || c.fits() {
		o.module = ir.CloneDetached(module)
	}
	return o
}

// get returns the program, which is kept from then on. It fails if it can't be read again.
func (o *original) get() (*ir.Op, error) {
	if o.module != nil {
		return o.module, nil
	}
	module, err := o.Again()
	if err != nil {
		return nil, err
	}
	silent := pass.Runner{Text: func([]byte) {}}
	if o.Runner != nil {
		silent.LLVM, silent.Threads = o.Runner.LLVM, o.Runner.Threads
	}
	if err := o.normalize(silent, o.Options, module, &Result{}); err != nil {
		return nil, err
	}
	// The copy that is kept else has its uses in the order of the operations.
	o.module = ir.CloneDetached(module)
	return o.module, nil
}

// copy returns a copy of the program, to be changed. It fails as get does.
func (o *original) copy() (*ir.Op, error) {
	module, err := o.get()
	if err != nil {
		return nil, err
	}
	return ir.CloneDetached(module), nil
}
