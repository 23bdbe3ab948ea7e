package compile

import (
	"freehold/ir"
	"freehold/transform/lower/quant"
	"freehold/transform/lower/stablehlo"
	"freehold/transform/lower/tosa"
)

// Executable returns a module that computes what another one does, with operations that can be
// executed: those of stablehlo and tosa and quantized types are replaced in a copy. Most modules are what is returned.
func Executable(module *ir.Op) (*ir.Op, error) {
	fromStableHLO, fromQuantized, fromTosa := stablehlo.IsNeeded(module), quant.IsNeeded(module), tosa.IsNeeded(module)
	if !fromStableHLO && !fromQuantized && !fromTosa {
		return module, nil
	}
	lowered := ir.CloneDetached(module)
	if fromStableHLO {
		if _, err := stablehlo.Lower(lowered); err != nil {
			return lowered, err
		}
	}
	if fromQuantized {
		if _, err := quant.Lower(lowered); err != nil {
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
