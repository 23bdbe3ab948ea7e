package tosa

import (
	"math"

	"freehold/ir"
)

// What LLVM 22 verifies of operations that are kept as it has them: their operands and attributes are any, so that they are looked at first.

// verifiesKept are the verifiers of operations that are kept, by their names; those that aren't there verify nothing.
var verifiesKept = map[string]func(*ir.Op) error{
	"argmax":           verifyKeptAxis(verifyArgMaxOf22),
	"avg_pool2d":       verifyKeptImage(1, 4, 2, verifyKeptAvgPool, "kernel", "pad", "stride"),
	"clamp":            verifyKeptClamp,
	"conv2d":           verifyKeptImage(3, 4, 2, checkConvolution(1), "pad", "stride", "dilation"),
	"conv3d":           verifyKeptImage(3, 5, 3, checkConvolution(1), "pad", "stride", "dilation"),
	"depthwise_conv2d": verifyKeptImage(3, 4, 2, checkConvolution(0), "pad", "stride", "dilation"),
	"max_pool2d":       verifyKeptImage(1, 4, 2, verifyMaxPoolOf22, "kernel", "pad", "stride"),
	"reduce_max":       verifyKeptAxis(verifyReduction),
	"reduce_min":       verifyKeptAxis(verifyReduction),
}

// verifyKept returns the verifier of an operation that is kept.
func verifyKept(name string) func(*ir.Op) error {
	verify := verifiesKept[name]
	if verify == nil {
		return nil
	}
	return func(op *ir.Op) error {
		if op.NumResults() != 1 {
			return op.Errorf("requires one result")
		}
		return verify(op)
	}
}

// hasOperands checks that there are at least as many operands.
func hasOperands(op *ir.Op, n int) error {
	if op.NumOperands() < n {
		return op.Errorf("expected %d or more operands, but found %d", n, op.NumOperands())
	}
	return nil
}

// verifyKeptAxis checks that the axis is a number of 32 bits, and verifies the operation.
func verifyKeptAxis(verify func(*ir.Op) error) func(*ir.Op) error {
	return func(op *ir.Op) error {
		if a, ok := op.Attr("axis").(*ir.IntegerAttr); !ok || a.Type != ir.Type(ir.I32) {
			return op.Errorf("attribute 'axis' failed to satisfy constraint: 32-bit signless integer attribute")
		}
		if err := hasOperands(op, 1); err != nil {
			return err
		}
		return verify(op)
	}
}

// verifyKeptImage checks that an operation on images has so many operands of that rank, and lists of numbers for so many dimensions, and verifies it.
func verifyKeptImage(operands, rank, dims int, verify func(*ir.Op) error, lists ...string) func(*ir.Op) error {
	return func(op *ir.Op) error {
		if err := hasOperands(op, operands); err != nil {
			return err
		}
		for i, v := range append(op.Operands().Values()[:min(operands, 2)], op.Result(0)) {
			t := tensorType(v)
			switch {
			case t == nil || len(t.Shape) == rank:
			case v == op.Result(0):
				return op.Errorf("result #0 must be %d-d tensor, but got '%s'", rank, t)
			default:
				return op.Errorf("operand #%d must be %d-d tensor, but got '%s'", i, rank, t)
			}
		}
		if operands > 2 {
			if t := tensorType(op.Operand(2)); t != nil && len(t.Shape) != 1 {
				return op.Errorf("operand #2 must be 1-d tensor, but got '%s'", t)
			}
		}
		for _, name := range lists {
			n := dims
			if name == "pad" {
				n = 2 * dims
			}
			if a, ok := op.Attr(name).(*ir.DenseArrayAttr); !ok || a.Elem != ir.Type(ir.I64) || a.Len() != n {
				return op.Errorf("attribute '%s' failed to satisfy constraint: i64 dense array attribute of exactly %d elements", name, n)
			}
		}
		return verify(op)
	}
}

// verifyKeptAvgPool checks that there is a type to sum up in, and verifies the operation.
func verifyKeptAvgPool(op *ir.Op) error {
	if _, ok := op.Attr(accTypeName).(*ir.TypeAttr); !ok {
		return op.Errorf("attribute '%s' failed to satisfy constraint: type attribute", accTypeName)
	}
	return verifyAvgPoolOf22(op)
}

// verifyKeptClamp checks that limits are of the elements' type, are numbers, and are in order.
func verifyKeptClamp(op *ir.Op) error {
	if err := hasOperands(op, 1); err != nil {
		return err
	}
	if !ir.CompatibleShapes(op.Operand(0).Type(), op.Result(0).Type()) {
		return op.Errorf("requires the same shape for all operands and results")
	}
	elem := ir.ElementType(op.Operand(0).Type())
	if elem != ir.ElementType(op.Result(0).Type()) {
		return op.Errorf("%s", errLimits)
	}
	switch low := op.Attr(minName).(type) {
	case *ir.FloatAttr:
		high, ok := op.Attr(maxName).(*ir.FloatAttr)
		if !ok || ir.Type(low.Type) != elem || ir.Type(high.Type) != elem {
			return op.Errorf("%s", errLimits)
		}
		if x, y := low.Float64(), high.Float64(); math.IsNaN(x) || math.IsNaN(y) {
			return op.Errorf("min/max attributes should not be 'NaN', got min_val=%s, max_val=%s", low, high)
		} else if x > y {
			return op.Errorf("expected min_val <= max_val, got min_val=%s, max_val=%s", low, high)
		}
	case *ir.IntegerAttr:
		high, ok := op.Attr(maxName).(*ir.IntegerAttr)
		if !ok || low.Type != elem || high.Type != elem {
			return op.Errorf("%s", errLimits)
		}
		if low.Big == nil && high.Big == nil && low.Value > high.Value {
			return op.Errorf("expected min_val <= max_val, got min_val=%s, max_val=%s", low, high)
		}
	default:
		return op.Errorf("%s", errLimits)
	}
	return nil
}
