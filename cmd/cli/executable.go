package cli

import (
	"freehold/ir"
	"freehold/transform/lower/tosa"
)

// executable returns a module that computes what another one does, with operations that can be
// executed: those of tosa are replaced in a copy. Most modules are what is returned.
func executable(module *ir.Op) (*ir.Op, error) {
	if !tosa.IsNeeded(module) {
		return module, nil
	}
	lowered := ir.CloneDetached(module)
	_, err := tosa.Lower(lowered, nil)
	return lowered, err
}
