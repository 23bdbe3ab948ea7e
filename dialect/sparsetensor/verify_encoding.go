package sparsetensor

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"freehold/ir"
)

// problem says what is wrong with an encoding, or returns "". lvlToDim is the map from levels
// to dimensions that its text has; nil for none.
func (e Encoding) problem(c *ir.Context, lvlToDim []*ir.AffineExpr) string {
	levels := e.Levels()
	for _, w := range []struct {
		param int
		what  string
	}{{posWidthParam, "position"}, {crdWidthParam, "coordinate"}} {
		if n := e.width(w.param); !slices.Contains([]int64{0, 8, 16, 32, 64}, n) {
			return fmt.Sprintf("unexpected %s bitwidth: %d", w.what, uint32(n))
		}
	}
	if msg := problemOfLevels(levels); msg != "" {
		return msg
	}
	m := e.DimToLvl()
	if msg := problemOfStructured(levels, m); msg != "" {
		return msg
	}
	if len(levels) == 0 {
		return "expected a non-empty array for lvlTypes"
	}
	if m != nil {
		inverse := inverseOf(c, m)
		if inverse == nil && m.Syms == 0 {
			return "failed to infer lvlToDim from dimToLvl"
		}
		if lvlToDim != nil && !slices.Equal(lvlToDim, inverse) {
			return "expected lvlToDim to be an inverse of dimToLvl"
		}
		if n := len(m.Results); n != len(levels) {
			return fmt.Sprintf("level-rank mismatch between dimToLvl and lvlTypes: %d != %d", n, len(levels))
		}
		if m.Dims > len(levels) {
			return fmt.Sprintf("unexpected dimToLvl mapping from %d to %d", m.Dims, len(levels))
		}
	}
	if n := len(e.Slices()); n > 0 && e.DimRank() != len(levels) {
		return fmt.Sprintf("dimSlices expected dimension-rank to match level-rank: %d != %d", e.DimRank(), len(levels))
	}
	return ""
}

// problemOfLevels checks where singleton and batch levels stand.
func problemOfLevels(levels []Level) string {
	for i := 0; i < len(levels); i++ {
		if !levels[i].is(singleton) {
			continue
		}
		if i == 0 || !levels[i-1].is(compressed) && !levels[i-1].is(looseCompressed) {
			return "expected compressed or loose_compressed level before singleton level"
		}
		first := levels[i]
		for ; i < len(levels) && levels[i].is(singleton); i++ {
			if levels[i].has(soa) != first.has(soa) {
				return "expected all singleton lvlTypes stored in the same memory layout (SoA vs AoS)."
			}
		}
	}
	for i, l := range levels {
		if l.is(batch) && i > 0 && !levels[i-1].is(batch) {
			return "Batch lvlType can only be leading levels."
		}
	}
	for _, l := range levels {
		if l.has(soa) && !l.is(singleton) {
			return "SoA is only applicable to singleton lvlTypes."
		}
	}
	return ""
}

// problemOfStructured checks a level of n out of m blocks.
func problemOfStructured(levels []Level, m *ir.AffineMap) string {
	at := slices.IndexFunc(levels, func(l Level) bool { return l.is(structured) })
	switch {
	case at < 0:
		return ""
	case at != len(levels)-1:
		return "expected n_out_of_m to be the last level type"
	case slices.ContainsFunc(levels[:at], func(l Level) bool { return !l.is(dense) }):
		return "expected all dense lvlTypes before a n_out_of_m level"
	}
	if m == nil || m.Dims == len(m.Results) {
		return ""
	}
	sizes, ok := blockSizes(m)
	if !ok {
		return "expected 1xm block structure for n_out_of_m level"
	}
	size := int64(0)
	for _, s := range sizes {
		if s == 0 {
			continue
		}
		if size != 0 && s != size {
			return "expected only one blocked level with the same coefficients"
		}
		size = s
	}
	_, text, _ := strings.Cut(string(levels[at]), ", ")
	text, _, _ = strings.Cut(text, "]")
	if out, _ := strconv.ParseInt(text, 10, 64); out != size {
		return "expected coeffiencts of Affine expressions to be equal to m of n_out_of_m level"
	}
	return ""
}

// inverseOf returns how dimensions are computed from levels, if the map is a permutation or
// divides dimensions into blocks, else nil.
func inverseOf(c *ir.Context, m *ir.AffineMap) []*ir.AffineExpr {
	if m.Syms > 0 {
		return nil
	}
	if _, ok := blockSizes(m); !ok && !m.IsPermutation() {
		return nil
	}
	inverse := make([]*ir.AffineExpr, m.Dims)
	for i, r := range m.Results {
		level := c.AffineDim(i)
		switch r.Kind {
		case ir.AffineDim:
			inverse[r.Value] = level
		case ir.AffineFloorDiv:
			inverse[r.LHS.Value] = c.AffineMul(level, r.RHS)
		default:
			inverse[r.LHS.Value] = c.AffineAdd(inverse[r.LHS.Value], level)
		}
	}
	return inverse
}

// blockSizes returns for each dimension the size of its blocks, or 0, if the map
// does nothing but divide dimensions into blocks: each dimension is a result, or
// floordiv and then mod of it by the same constant are.
func blockSizes(m *ir.AffineMap) (sizes map[int64]int64, ok bool) {
	sizes = map[int64]int64{}
	blocks := false
	for _, r := range m.Results {
		if r.Kind == ir.AffineDim {
			if _, seen := sizes[r.Value]; seen {
				return nil, false
			}
			sizes[r.Value] = 0
			continue
		}
		if r.LHS == nil || r.RHS == nil || r.LHS.Kind != ir.AffineDim || r.RHS.Kind != ir.AffineConst || r.RHS.Value <= 0 {
			return nil, false
		}
		dim, size := r.LHS.Value, r.RHS.Value
		old, seen := sizes[dim]
		switch r.Kind {
		case ir.AffineFloorDiv:
			if seen {
				return nil, false
			}
			sizes[dim] = size
		case ir.AffineMod:
			if !seen || old != size {
				return nil, false
			}
			blocks = true
		default:
			return nil, false
		}
	}
	return sizes, blocks
}

// verifyTensor checks an encoding of tensors of the shape and element type.
func verifyTensor(a *ir.DialectAttr, shape []int64, elem ir.Type) error {
	e, ok := EncodingOf(a)
	if !ok {
		return nil
	}
	if len(shape) == 0 {
		return errors.New("expected non-scalar sparse tensor")
	}
	if e.DimRank() != len(shape) {
		return fmt.Errorf("dimension-rank mismatch between encoding and tensor shape: %d != %d", e.DimRank(), len(shape))
	}
	for _, v := range []struct {
		param int
		what  string
	}{{explicitParam, "explicit"}, {implicitParam, "implicit"}} {
		a := e.value(v.param)
		if a == nil {
			continue
		}
		if t := ir.TypeOfAttr(a); t != elem {
			return fmt.Errorf("%s value type mismatch between encoding and tensor element type: '%s' != '%s'", v.what, t, elem)
		}
		if v.param == implicitParam && !isZero(a) {
			return errors.New("implicit value must be zero")
		}
	}
	return nil
}

func isZero(a ir.Attribute) bool {
	switch a := a.(type) {
	case *ir.IntegerAttr:
		return a.BigInt().Sign() == 0
	case *ir.FloatAttr:
		return a.Float64() == 0
	case *ir.DialectAttr:
		return !slices.ContainsFunc(a.Params, func(p ir.Attribute) bool { return !isZero(p) })
	}
	return true
}
