package affine

import (
	"math"
	"slices"

	"freehold/dialect/arith"
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// DelinearizeIndex splits a number into digits of a mixed radix.
var DelinearizeIndex = ir.NewOpID("affine.delinearize_index")

func delinearizeIndexDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       DelinearizeIndex,
		Operands: []ir.OperandDef{{Name: "linear_index", Type: constraint.Index}, indices("basis")},
		Results:  digits,
		Traits:   ir.TraitPure,
		Format:   "$linear_index `into` ` ` `(` $basis `)` attr-dict `:` type($multi_index)",
		Later: []ir.Spelling{{Since: 20,
			Format:      "$linear_index `into` custom<Basis>($basis, $static_basis) attr-dict `:` type($multi_index)",
			Attrs:       laterDelinearize().Attrs,
			Discardable: []string{staticBasis},
			Spelled: func(op *ir.Op) []ir.NamedAttr {
				static := make([]int64, op.NumOperands()-1)
				for i := range static {
					static[i] = ir.Dynamic
				}
				return []ir.NamedAttr{{Name: staticBasis, Value: op.Context().DenseI64Array(static...)}}
			},
			Upgrade: materializeBasis}},
		Revisions: []ir.Revision{{Since: 20, Def: laterDelinearize()}},
		InferTypes: func(s *ir.OpState) ([]ir.Type, error) {
			types := make([]ir.Type, len(s.Operands)-1)
			for i := range types {
				types[i] = ir.Index
			}
			return types, nil
		},
		Verify: func(op *ir.Op) error {
			n := op.NumOperands() - 1
			if n == 0 {
				return op.Errorf("basis should not be empty")
			}
			if op.NumResults() != n {
				return op.Errorf("should return an index for each basis element")
			}
			return nil
		},
		Models: []ir.Model{exec.Executable.Model(executeDelinearize), interfaces.ConditionallySpeculatable.Model(speculateDelinearize)},
	}
}

var digits = []ir.ResultDef{{Name: "multi_index", Type: constraint.Index, Arity: ir.Variadic}}

// laterDelinearize is the operation as it is since LLVM 20: elements of the basis may be constants, and the first one may be left out.
func laterDelinearize() *ir.OpDef {
	return &ir.OpDef{
		ID:       DelinearizeIndex,
		Operands: []ir.OperandDef{{Name: "linear_index", Type: constraint.Index}, indices("dynamic_basis")},
		Results:  digits,
		Attrs:    []ir.AttrDef{{Name: staticBasis, Type: constraint.DenseI64Array}},
		Traits:   ir.TraitPure,
		Format:   "$linear_index `into` custom<Basis>($dynamic_basis, $static_basis) attr-dict `:` type($multi_index)",
		Verify:   verifyLaterDelinearize,
		Fold:     foldDelinearize,
		Models: []ir.Model{
			exec.Executable.Model(executeDelinearize),
			rewrite.Patterns(
				rewrite.Pattern{Name: "CancelDelinearizeOfLinearizeDisjointExactTail", Rewrite: digitsOfLinearized},
				rewrite.Pattern{Name: "DropUnitExtentBasis", Rewrite: dropUnitDigits},
			),
		},
	}
}

// DelinearizeIndexOp is an affine.delinearize_index.
type DelinearizeIndexOp struct{ *ir.Op }

// Basis returns the basis, of which the first element may be missing.
func (o DelinearizeIndexOp) Basis() []shapes.OpFoldResult {
	if o.Def().AttrIndex(staticBasis) >= 0 {
		return interfaces.MixedList(o.Op, 1, staticBasis)
	}
	var list []shapes.OpFoldResult
	for _, v := range o.Operands()[1:].Values() {
		list = append(list, shapes.SizeOf(v))
	}
	return list
}

// Radices returns the elements of the basis for each digit but the first.
func (o DelinearizeIndexOp) Radices() []shapes.OpFoldResult {
	list := o.Basis()
	return list[len(list)-max(o.NumResults()-1, 0):]
}

// speculateDelinearize allows dividing by what is known not to be zero.
func speculateDelinearize(op *ir.Op) interfaces.Speculatability {
	if slices.ContainsFunc(DelinearizeIndexOp{op}.Radices(), func(x shapes.OpFoldResult) bool { n, ok := x.Int(); return !ok || n <= 0 }) {
		return interfaces.NotSpeculatable
	}
	return interfaces.AlwaysSpeculatable
}

func verifyLaterDelinearize(op *ir.Op) error {
	static := interfaces.StaticInts(op, staticBasis)
	if n := op.NumResults(); len(static) != n && len(static) != n-1 {
		return op.Errorf("should return an index for each basis element and up to one extra index")
	}
	if ir.NumDynamic(static) != op.NumOperands()-1 {
		return op.Errorf("mismatch between dynamic and static basis (kDynamic marker but no corresponding dynamic basis entry) -- " +
			"this can only happen due to an incorrect fold/rewrite")
	}
	for _, n := range static {
		if n != ir.Dynamic && n <= 0 {
			return op.Errorf("no basis element may be statically non-positive")
		}
	}
	return nil
}

// foldDelinearize folds the digits of a constant, and the only digit, and makes what is constant of the basis static.
func foldDelinearize(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	o := DelinearizeIndexOp{op}
	basis := o.Basis()
	if shapes.FoldConstants(basis, true, false) && !slices.ContainsFunc(basis, func(x shapes.OpFoldResult) bool { return x.Value == nil && x.Const <= 0 }) {
		setBasis(op, basis)
		return ir.FoldedInPlace()
	}
	if op.NumResults() == 1 {
		return ir.FoldValue(DelinearizeIndexOp{op}.LinearIndex())
	}
	n, ok := operands[0].(*ir.IntegerAttr)
	if !ok {
		return nil
	}
	radices := o.Radices()
	list, rest := make([]ir.FoldResult, op.NumResults()), n.Value
	for i, x := range slices.Backward(radices) {
		if x.Value != nil {
			return nil
		}
		var digit int64
		rest, digit = floorDivMod(rest, x.Const)
		list[i+1].Attr = op.Context().IndexAttr(digit)
	}
	list[0].Attr = op.Context().IndexAttr(rest)
	return list
}

// floorDivMod divides by a positive number, rounding down.
func floorDivMod(n, by int64) (q, r int64) {
	if q, r = n/by, n%by; r < 0 {
		return q - 1, r + by
	}
	return q, r
}

// setBasis replaces the basis of an operation that can have constants in it.
func setBasis(op *ir.Op, basis []shapes.OpFoldResult) {
	static, dynamic := shapes.SplitMixed(basis)
	op.SetAttr(staticBasis, op.Context().DenseI64Array(static...))
	op.SetOperands(append([]*ir.Value{DelinearizeIndexOp{op}.LinearIndex()}, dynamic...))
}

// newDelinearize creates an operation with that many digits.
func newDelinearize(b *ir.Builder, n *ir.Value, basis []shapes.OpFoldResult, numDigits int) *ir.Op {
	static, dynamic := shapes.SplitMixed(basis)
	types := make([]ir.Type, numDigits)
	for i := range types {
		types[i] = ir.Index
	}
	return b.CreateOp(DelinearizeIndex, types, append([]*ir.Value{n}, dynamic...), ir.NamedAttr{Name: staticBasis, Value: b.Context().DenseI64Array(static...)})
}

// FoldedDelinearize returns the digits of a number in a basis that has an element for each of them. Nothing is created for a single digit, or those
// of a constant in a constant basis.
func FoldedDelinearize(b *ir.Builder, n shapes.OpFoldResult, basis []shapes.OpFoldResult) []shapes.OpFoldResult {
	if len(basis) == 1 {
		return []shapes.OpFoldResult{n}
	}
	list := make([]shapes.OpFoldResult, len(basis))
	rest, constant := n.Int()
	for i, x := range slices.Backward(basis[1:]) {
		if radix, ok := x.Int(); constant && ok && radix > 0 {
			var digit int64
			rest, digit = floorDivMod(rest, radix)
			list[i+1] = shapes.ConstSize(digit)
		} else {
			constant = false
		}
	}
	if constant {
		list[0] = shapes.ConstSize(rest)
		return list
	}
	for i, v := range newDelinearize(b, arith.ValueOf(b, n), basis, len(basis)).Results().Values() {
		list[i] = shapes.SizeOf(v)
	}
	return list
}

// dropUnitDigits leaves out the digits that can only be 0. The first digit is what is left of the number, whatever the basis says.
func dropUnitDigits(r *rewrite.Rewriter, op *ir.Op) bool {
	o := DelinearizeIndexOp{op}
	basis, radices := o.Basis(), o.Radices()
	kept := slices.Clone(basis[:len(basis)-len(radices)])
	var at []int // the digits that are kept, after the first
	for i, x := range radices {
		if !x.IsConst(1) {
			kept, at = append(kept, x), append(at, i+1)
		}
	}
	if len(at) == len(radices) {
		return false
	}
	b := r.At(op)
	zero := arith.ConstantIndex(b, 0)
	values := make([]*ir.Value, op.NumResults())
	for i := range values {
		values[i] = zero
	}
	rest := newDelinearize(b, DelinearizeIndexOp{op}.LinearIndex(), kept, len(at)+1)
	for i, k := range append([]int{0}, at...) {
		values[k] = rest.Result(i)
	}
	r.Replace(op, values...)
	return true
}

// digitsOfLinearized takes the digits that a number was made of, from the last one on, as long as the bases are the same.
func digitsOfLinearized(r *rewrite.Rewriter, op *ir.Op) bool {
	def := DelinearizeIndexOp{op}.LinearIndex().DefinedBy(LinearizeIndex)
	if def == nil || def.Attr(disjoint) == nil {
		return false
	}
	o, of := DelinearizeIndexOp{op}, LinearizeIndexOp{def}
	basis, ofBasis := o.Basis(), interfaces.MixedList(def, 1, staticBasis)
	digits := of.Digits().Values()
	same := 0
	for same < min(len(basis), len(ofBasis)) && basis[len(basis)-1-same].Same(ofBasis[len(ofBasis)-1-same]) {
		same++
	}
	// What is left of both is the first digit, of which the bases needn't tell how large it can be.
	all := same == len(o.Radices()) && same == len(of.Radices()) || same == op.NumResults() && same == len(digits)
	if all {
		r.Replace(op, digits...)
		return true
	}
	same = min(same, len(digits)-1, op.NumResults()-1)
	if same <= 0 {
		return false
	}
	b := r.At(op)
	restBasis, restDigits := ofBasis[:len(ofBasis)-same], digits[:len(digits)-same]
	b.Loc = def.Loc()
	n := newLinearize(b, restDigits, restBasis, true)
	b.Loc = op.Loc()
	rest := newDelinearize(b, n, basis[:len(basis)-same], op.NumResults()-same)
	r.Replace(op, append(rest.Results().Values(), digits[len(digits)-same:]...)...)
	return true
}

// staticBasis has the constants among the elements of the basis from LLVM 20 on.
const staticBasis = "static_basis"

// materializeBasis makes operands of the constants of a basis, and of the element that it may
// leave out: the first one, which no digit depends on.
func materializeBasis(b *ir.Builder, s *ir.OpState) error {
	static, ok := s.Attr(staticBasis).(*ir.DenseArrayAttr)
	if !ok || len(s.Operands) != 1+ir.NumDynamic(static.Ints()) {
		return nil
	}
	for i, a := range s.Attrs {
		if a.Name == staticBasis {
			s.Attrs = append(s.Attrs[:i:i], s.Attrs[i+1:]...)
			break
		}
	}
	operands, dynamic := s.Operands[:1:1], s.Operands[1:]
	if len(s.Types) == static.Len()+1 {
		operands = append(operands, arith.ConstantIndex(b, math.MaxInt64))
	}
	for _, n := range static.Ints() {
		if n != ir.Dynamic {
			operands = append(operands, arith.ConstantIndex(b, n))
			continue
		}
		operands = append(operands, dynamic[0])
		dynamic = dynamic[1:]
	}
	s.Operands = operands
	return nil
}

// basis is (4, %n): numbers and operands.
var basis = asm.Directive{
	Parse: func(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
		l, err := p.IndexList(asm.Paren)
		if err != nil {
			return err
		}
		s.SetOperands(args[0].Name, l.Dynamic)
		s.SetAttr(args[1].Name, p.Context().DenseI64Array(l.Static...))
		return nil
	},
	Print: func(p *asm.Printer, op *ir.Op, _ []asm.DirectiveArg) { printBasis(p, DelinearizeIndexOp{op}.Basis()) },
}

func printBasis(p *asm.Printer, basis []shapes.OpFoldResult) {
	p.Text("(")
	for i, x := range basis {
		if i > 0 {
			p.Text(", ")
		}
		if x.Value != nil {
			p.Operand(x.Value)
		} else {
			p.Int(x.Const)
		}
	}
	p.Text(")")
}
