package emitc

import (
	"strings"
	"sync"

	"freehold/dialect/arith"
	"freehold/dialect/index"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
)

// nameOf returns a name for a value: what the program would call it in its text, or else what it is.
func nameOf(v *ir.Value) string {
	if v.IsBlockArg() {
		if interfaces.LoopLike.Has(v.ArgOwner().ParentOp()) {
			return "carried"
		}
		return "x"
	}
	op, name := v.DefiningOp(), ""
	if m, ok := asm.ResultNames.Of(op); ok {
		m(op, func(w *ir.Value, suggestion string) {
			if w == v {
				name = suggestion
			}
		})
	}
	if name = strings.TrimLeft(name, "_"); name != "" {
		return name
	}
	if name = meanings()[op.ID()]; name != "" {
		return name
	}
	if op.NumRegions() > 0 {
		return "result"
	}
	_, name, _ = strings.Cut(op.Name(), ".")
	return strings.ReplaceAll(name, ".", "_")
}

// meanings are what the results of operations on numbers are.
var meanings = sync.OnceValue(func() map[*ir.OpID]string {
	out := map[*ir.OpID]string{}
	for name, ids := range map[string][]*ir.OpID{
		"sum":        {arith.AddI, arith.AddF, index.Add},
		"difference": {arith.SubI, arith.SubF, index.Sub},
		"product":    {arith.MulI, arith.MulF, index.Mul},
		"quotient":   {arith.DivSI, arith.DivUI, arith.DivF, arith.CeilDivSI, arith.CeilDivUI, arith.FloorDivSI, index.DivS, index.DivU, index.CeilDivS, index.CeilDivU, index.FloorDivS},
		"remainder":  {arith.RemSI, arith.RemUI, arith.RemF, index.RemS, index.RemU},
		"greater":    {arith.MaxSI, arith.MaxUI, arith.MaximumF, arith.MaxNumF, index.MaxS, index.MaxU},
		"lesser":     {arith.MinSI, arith.MinUI, arith.MinimumF, arith.MinNumF, index.MinS, index.MinU},
		"shifted":    {arith.ShLI, arith.ShRSI, arith.ShRUI, index.Shl, index.ShrS, index.ShrU},
		"masked":     {arith.AndI, arith.OrI, arith.XOrI, index.And, index.Or, index.XOr},
		"holds":      {arith.CmpI, arith.CmpF, index.Cmp},
		"chosen":     {arith.Select},
		"wide":       {arith.ExtSI, arith.ExtUI, arith.ExtF},
		"narrow":     {arith.TruncI, arith.TruncF},
		"at":         {arith.IndexCast, arith.IndexCastUI, index.CastS, index.CastU},
		"number":     {arith.SIToFP, arith.UIToFP, arith.FPToSI, arith.FPToUI},
		"negative":   {arith.NegF},
		"bits":       {arith.Bitcast},
	} {
		for _, id := range ids {
			out[id] = name
		}
	}
	return out
})
