package compile

import (
	"freehold/ir"
	"freehold/memory/footprint"
	"freehold/pass"
)

// reference tells what the pipeline that MLIR's documents recommend makes of a program, which is changed. If it refuses the program, what it refuses is
// prepared before as it is for freehold's own pipelines.
func (c *Compiler) reference(module *ir.Op) Comparison {
	steps := Options{Deallocation: MLIR}.Steps()
	a := c.referenceBy(steps, ir.CloneDetached(module))
	if a.err != nil {
		if b := c.referenceBy(append(selected("lower-stablehlo", "prepare"), steps...), module); b.err == nil {
			a = b
		}
	}
	return a.comparison()
}

// referenceBy runs steps on a module, and keeps what they say to itself.
func (c *Compiler) referenceBy(steps []Step, module *ir.Op) *attempt {
	a := &attempt{deallocation: MLIR, module: module}
	manager, err := c.Registry.ParsePipeline(pipeline(steps))
	if err != nil {
		a.err = err
		return a
	}
	run := pass.Runner{Text: func([]byte) {}, Sink: func(d *ir.Diagnostic) {
		if a.err == nil && d.Severity == ir.Error {
			a.err = &RefusedError{d}
		}
	}}
	if err := run.Run(manager, module); err != nil && a.err == nil {
		a.err = err
	}
	if left := withTensors(module); a.err == nil && left != nil {
		a.err = &RefusedError{left.Errorf("is left as one on tensors")}
	}
	if a.err == nil {
		s := footprint.Analyze(module).Summarize()
		a.summary = &s
	}
	return a
}
