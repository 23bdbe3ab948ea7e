package linalg

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// dimUse tells how a map uses a dimension of the iteration space.
type dimUse uint8

const (
	unused    dimUse = iota
	plain            // the dimension is a result of its own
	convolved        // the dimension, or a multiple, is added to that of another
)

// inputUses returns how the input's map of a convolution uses the dimensions. It
// fails if some result is neither a dimension nor the sum of two dimensions or their
// multiples, or if a dimension is used twice.
func inputUses(m *ir.AffineMap) (uses []dimUse, ok bool) {
	uses = make([]dimUse, m.Dims)
	use := func(e *ir.AffineExpr, how dimUse) bool {
		if how == convolved && e.Kind == ir.AffineMul && e.LHS.Kind == ir.AffineDim && e.RHS.SymbolicOrConstant() {
			e = e.LHS
		}
		if e.Kind != ir.AffineDim || uses[e.Value] != unused {
			return false
		}
		uses[e.Value] = how
		return true
	}
	for _, e := range m.Results {
		if e.Kind == ir.AffineAdd {
			ok = use(e.LHS, convolved) && use(e.RHS, convolved)
		} else {
			ok = use(e, plain)
		}
		if !ok {
			return nil, false
		}
	}
	return uses, true
}

// verifyConvolution checks that each loop of an operation is one that a convolution
// can have, as the reference's ConvolutionOpInterface defines them.
func verifyConvolution(op *ir.Op, maps []*ir.AffineMap, iterators []interfaces.Iterator) error {
	input, ok := inputUses(maps[0])
	if !ok {
		return op.PlainErrorf("unexpected input index map for convolutions")
	}
	filter, output := maps[1], maps[len(maps)-1]
	if !filter.IsProjectedPermutation(false) || !output.IsProjectedPermutation(false) {
		return op.PlainErrorf("expected output/filter indexing maps to be projected permutations")
	}
	inFilter, inOutput := make([]bool, filter.Dims), make([]bool, output.Dims)
	for _, e := range filter.Results {
		inFilter[e.Value] = true
	}
	for _, e := range output.Results {
		inOutput[e.Value] = true
	}
	const badLoop = "unexpected loop dimension for convolution op"
	for _, e := range output.Results {
		// Without the filter: batch, or image of the output. With it: channel of the output,
		// or multiplier of the depth.
		d, never := e.Value, unused
		if inFilter[d] {
			never = convolved
		}
		if input[d] == never {
			return op.PlainErrorf(badLoop)
		}
		if iterators[d] != interfaces.Parallel {
			return op.PlainErrorf("expected all iterators used to access outputs to be parallel")
		}
	}
	for _, e := range filter.Results {
		// Without the output: channel of the input, or loop of the filter.
		d := e.Value
		if inOutput[d] {
			continue
		}
		if input[d] == unused {
			return op.PlainErrorf(badLoop)
		}
		if iterators[d] != interfaces.Reduction {
			return op.PlainErrorf("expected all iterators not used to access outputs to be reduction")
		}
	}
	convolves := false
	for d, use := range input {
		if !inFilter[d] && !inOutput[d] {
			return op.PlainErrorf(badLoop)
		}
		convolves = convolves || use == convolved
	}
	if !convolves {
		return op.PlainErrorf("expected convolved dim to be non-empty")
	}
	return nil
}
