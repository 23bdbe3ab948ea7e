package cli

import (
	"freehold/ir"
	"freehold/transform/lower/stablehlo"
	"freehold/transform/lower/tosa"
)

// executable returns a module that computes what another one does, with operations that can be
// executed: those of tosa and of stablehlo are replaced in a copy. Most modules are what is returned.
func executable(module *ir.Op) (*ir.Op, error) {
	fromTosa, fromStableHLO := tosa.IsNeeded(module), stablehlo.IsNeeded(module)
	if !fromTosa && !fromStableHLO {
		return module, nil
	}
	lowered := ir.CloneDetached(module)
	if fromStableHLO {
		if _, err := stablehlo.Lower(lowered); err != nil {
			return lowered, err
		}
	}
	if fromTosa {
		if _, err := tosa.Lower(lowered, nil); err != nil {
			return lowered, err
		}
	}
	return lowered, nil
}
