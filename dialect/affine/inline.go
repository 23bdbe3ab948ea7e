package affine

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// inliner lets operations be inlined where the result stays affine: into a region
// of an affine scope, or, as far as [legalBody] allows, into loops and conditionals.
type inliner struct{}

func (inliner) LegalCall(call, callee *ir.Op) bool { return true }

func (inliner) LegalOp(op *ir.Op, dest *ir.Region) bool {
	parent := dest.Op()
	return parent != nil && (parent.Has(ir.TraitAffineScope) || isAffineRegion(parent))
}

func (inliner) Terminator(*ir.Builder, *ir.Op, *ir.Block, []*ir.Value) {}

func isAffineRegion(op *ir.Op) bool { return op.Is(For) || op.Is(Parallel) || op.Is(If) }

// legalBody tells whether a body may be inlined at a call that is right in a loop or
// conditional: what its accesses have as dimensions and symbols must be such there, too.
// Other operations that have effects are not inlined.
func legalBody(call *ir.Op, body *ir.Region) bool {
	if !isAffineRegion(call.Parent()) || body.NumBlocks() != 1 {
		return false
	}
	m, _ := interfaces.Call.Of(call)
	start, n := m.Args(call)
	args := call.Operands()[start : start+n]
	remains := func(v *ir.Value, valid func(*ir.Value, *ir.Region) bool) bool {
		switch {
		case !isTopLevel(v, body):
			return true
		case v.IsBlockArg():
			return v.Index() < len(args) && valid(args.At(v.Index()), call.Region())
		}
		return ir.ConstantOf(v) != nil || interfaces.IsDim(v.DefiningOp())
	}
	for op := range body.Entry().Ops() {
		if effects, known := interfaces.EffectsOf(op); known && len(effects) == 0 && op.NumRegions() == 0 && !op.Is(Apply) {
			continue
		}
		var operands ir.Operands
		switch {
		case op.Is(Apply):
			operands = op.Operands()
		case op.Is(Load), op.Is(Store), op.Is(VectorLoad), op.Is(VectorStore):
			operands = AccessOp{op}.MapOperands()
		default:
			return false
		}
		dims := MapOf(op).Dims
		for i := range operands {
			valid := IsValidSymbol
			if i < dims {
				valid = IsValidDim
			}
			if !remains(operands.At(i), valid) {
				return false
			}
		}
	}
	return true
}
