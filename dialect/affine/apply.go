package affine

import (
	"slices"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

func mapOp(id *ir.OpID, operands string) *ir.OpDef {
	return &ir.OpDef{
		ID:       id,
		Operands: []ir.OperandDef{indices(operands)},
		Results:  []ir.ResultDef{{Type: constraint.Index}},
		Attrs:    []ir.AttrDef{mapAttr},
		Traits:   ir.TraitPure,
		Models: []ir.Model{
			asm.Assembly.Model(asm.OpAssembly{Parse: parseMapOp, Print: printMapOp}),
			interfaces.ConditionallySpeculatable.Model(speculateMap),
		},
	}
}

// speculateMap allows evaluating a map in which nothing may be divided by zero.
func speculateMap(op *ir.Op) interfaces.Speculatability {
	out := interfaces.AlwaysSpeculatable
	for _, e := range MapOf(op).Results {
		e.Walk(func(e *ir.AffineExpr) {
			switch e.Kind {
			case ir.AffineMod, ir.AffineFloorDiv, ir.AffineCeilDiv:
				if e.RHS.Kind != ir.AffineConst || e.RHS.Value <= 0 {
					out = interfaces.NotSpeculatable
				}
			}
		})
	}
	return out
}

var (
	// Apply is the value of an affine map with one result.
	Apply = ir.NewOpID("affine.apply")
	// Min is the smallest of the results of an affine map, and undefined if there are none.
	Min = ir.NewOpID("affine.min")
	// Max is the largest of the results of an affine map, and undefined if there are none.
	Max = ir.NewOpID("affine.max")
)

func applyDef() *ir.OpDef {
	return mapOp(Apply, "mapOperands").With(ir.OpDef{
		Verify: verifyApply,
		Fold:   foldApply,
		Models: []ir.Model{
			rewrite.Patterns(rewrite.Pattern{Name: "SimplifyAffineOp<AffineApplyOp>", Rewrite: simplifyMapOp}),
			exec.Executable.Model(executeApply),
			interfaces.LinearValue.Model(func(op *ir.Op, of func(*ir.Value) interfaces.Linear) (interfaces.Linear, bool) {
				m := MapOf(op)
				return linearExpr(m.Results[0], func(e *ir.AffineExpr) interfaces.Linear {
					if e.Kind == ir.AffineSymbol {
						return of(op.Operand(m.Dims + int(e.Value)))
					}
					return of(op.Operand(int(e.Value)))
				})
			}),
		},
	})
}

func minDef() *ir.OpDef {
	return extremum(Min, executeMin)
}

func maxDef() *ir.OpDef {
	return extremum(Max, executeMax)
}

// extremum is a definition of affine.min or affine.max.
func extremum(id *ir.OpID, execute exec.Model) *ir.OpDef {
	return mapOp(id, "operands").With(ir.OpDef{
		Verify: verifyMinMax,
		Fold:   foldMinMax,
		Models: []ir.Model{
			rewrite.Patterns(
				rewrite.Pattern{Name: "DeduplicateAffineMinMaxExpressions", Rewrite: uniqueResults},
				rewrite.Pattern{Name: "MergeAffineMinMaxOp", Rewrite: mergeMinMax},
				rewrite.Pattern{Name: "SimplifyAffineOp", Rewrite: simplifyMapOp},
				rewrite.Pattern{Name: "CanonicalizeAffineMinMaxOpExprAndTermOrder", Rewrite: orderResults},
				rewrite.Pattern{Name: "CanonicalizeSingleResultAffineMinMaxOp", Rewrite: singleResult},
			),
			exec.Executable.Model(execute),
		},
	})
}

// NewApply creates the value of a map with one result.
func NewApply(b *ir.Builder, m *ir.AffineMap, operands ...*ir.Value) *ir.Value {
	return newMapOp(b, Apply, m, operands)
}

// NewMin creates the minimum of the results of a map.
func NewMin(b *ir.Builder, m *ir.AffineMap, operands ...*ir.Value) *ir.Value {
	return newMapOp(b, Min, m, operands)
}

// NewMax creates the maximum of the results of a map.
func NewMax(b *ir.Builder, m *ir.AffineMap, operands ...*ir.Value) *ir.Value {
	return newMapOp(b, Max, m, operands)
}

func newMapOp(b *ir.Builder, id *ir.OpID, m *ir.AffineMap, operands []*ir.Value) *ir.Value {
	return b.CreateOp(id, []ir.Type{ir.Index}, operands,
		ir.NamedAttr{Name: MapAttr, Value: b.Context().AffineMapAttr(m)}).Result(0)
}

func verifyApply(op *ir.Op) error {
	m := MapOf(op)
	if op.NumOperands() != m.Dims+m.Syms {
		return op.Errorf("operand count and affine map dimension and symbol count must match")
	}
	if len(m.Results) != 1 {
		return op.Errorf("mapping must produce one value")
	}
	if op.Context().LLVM() < symbolsSince {
		return nil
	}
	scope := Scope(op)
	for _, v := range op.Operands()[m.Dims:].Values() {
		if IsValidDim(v, scope) && !IsValidSymbol(v, scope) {
			return op.PlainErrorf("dimensional operand cannot be used as a symbol")
		}
	}
	return nil
}

func verifyMinMax(op *ir.Op) error {
	m := MapOf(op)
	if op.NumOperands() != m.Dims+m.Syms {
		return op.Errorf("operand count and affine map dimension and symbol count must match")
	}
	if len(m.Results) == 0 && op.Context().LLVM() >= 22 {
		return op.Errorf("affine map expect at least one result")
	}
	return nil
}

// parseDimsAndSymbols reads (dims)[symbols] and appends them to the operands.
func parseDimsAndSymbols(p *asm.Parser, s *ir.OpState) (dims, syms int, err error) {
	d, err := p.Operands(asm.Paren)
	if err != nil {
		return 0, 0, err
	}
	y, err := p.Operands(asm.OptionalSquare)
	if err != nil {
		return 0, 0, err
	}
	if err := p.ResolveInto(s, ir.Index, d...); err != nil {
		return 0, 0, err
	}
	return len(d), len(y), p.ResolveInto(s, ir.Index, y...)
}

// printDimsAndSymbols writes what parseDimsAndSymbols reads.
func printDimsAndSymbols(p *asm.Printer, operands ir.Operands, dims int) {
	if dims > len(operands) {
		dims = len(operands)
	}
	p.Text("(")
	p.Operands(operands[:dims].Values())
	p.Text(")")
	if len(operands) > dims {
		p.Text("[")
		p.Operands(operands[dims:].Values())
		p.Text("]")
	}
}

func parseMapOp(p *asm.Parser, s *ir.OpState) error {
	m, err := asm.AttrOf[*ir.AffineMapAttr](p, ir.Index)
	if err != nil {
		return err
	}
	s.SetAttr(MapAttr, m)
	dims, syms, err := parseDimsAndSymbols(p, s)
	if err != nil {
		return err
	}
	if err := p.OptionalAttrDict(s); err != nil {
		return err
	}
	s.Types = []ir.Type{ir.Index}
	if s.Name.ID() == Apply {
		if dims != m.Map.Dims || syms != m.Map.Syms {
			return p.Errorf(p.NamePos(), "dimension or symbol index mismatch")
		}
		s.Types = slices.Repeat(s.Types, len(m.Map.Results))
	}
	return nil
}

func printMapOp(p *asm.Printer, op *ir.Op) {
	p.Text(" ")
	p.Attr(op.Attr(MapAttr))
	printDimsAndSymbols(p, op.Operands(), MapOf(op).Dims)
	p.OptionalAttrDict(op.DiscardableAttrs())
}
