package cli

import (
	"freehold/ir"
	"freehold/transform/lower/quant"
	"freehold/transform/lower/tosa"
)

// executable returns a module that computes what another one does, with operations that can be
// executed: quantized types and operations of tosa are replaced in a copy. Most modules are what is returned.
func executable(module *ir.Op) (*ir.Op, error) {
	if !tosa.IsNeeded(module) && !quant.IsNeeded(module) {
		return module, nil
	}
	lowered := ir.CloneDetached(module)
	if _, err := quant.Lower(lowered); err != nil {
		return nil, err
	}
	_, err := tosa.Lower(lowered, nil)
	return lowered, err
}
