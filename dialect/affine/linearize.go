package affine

import (
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

// LinearizeIndex is the number whose digits in a mixed radix are given. LLVM 20 added it.
var LinearizeIndex = ir.NewOpID("affine.linearize_index")

// disjoint promises that each index is within its element of the basis.
const disjoint = "disjoint"

func linearizeIndexDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       LinearizeIndex,
		Since:    20,
		Operands: []ir.OperandDef{indices("multi_index"), indices("dynamic_basis")},
		Results:  ir.SingleResult("linear_index", constraint.Index),
		Attrs: []ir.AttrDef{{Name: staticBasis, Type: constraint.DenseI64Array}, {Name: disjoint, Type: promise, Optional: true, Flag: true},
			{Name: ir.OperandSegmentsAttr, Type: constraint.Segments, Derived: true}},
		Traits: ir.TraitPure | ir.TraitAttrSizedOperandSegments,
		Format: "(`disjoint` $disjoint^)? ` ` `[` $multi_index `]` `by` custom<LinearBasis>($dynamic_basis, $static_basis) attr-dict `:` type($linear_index)",
		Later: []ir.Spelling{{Since: 20, Spelled: func(op *ir.Op) []ir.NamedAttr {
			if op.Attr(disjoint) != nil {
				return nil
			}
			return []ir.NamedAttr{{Name: disjoint, Value: op.Context().Bool(false)}}
		}, Upgrade: withoutFalse}},
		InferTypes: func(*ir.OpState) ([]ir.Type, error) { return []ir.Type{ir.Index}, nil },
		Verify: func(op *ir.Op) error {
			basis := interfaces.StaticInts(op, staticBasis)
			if n := len(op.OperandGroup(0)); len(basis) != n && len(basis) != n-1 {
				return op.Errorf("should be passed a basis element for each index except possibly the first")
			}
			if ir.NumDynamic(basis) != len(op.OperandGroup(1)) {
				return op.Errorf("mismatch between dynamic and static basis (kDynamic marker but no corresponding dynamic basis entry) -- " +
					"this can only happen due to an incorrect fold/rewrite")
			}
			return nil
		},
		Fold: foldLinearize,
		Models: []ir.Model{
			exec.Executable.Model(executeLinearize),
			rewrite.Patterns(
				rewrite.Pattern{Name: "DropLinearizeUnitComponentsIfDisjointOrZero", Rewrite: dropNeedlessDigits},
				rewrite.Pattern{Name: "CancelLinearizeOfDelinearize", Rewrite: linearizeDigits},
			),
		},
	}
}

// promise is unit, or, in the generic form, false where nothing is promised.
var promise = func() ir.AttrConstraint {
	c := constraint.UnitAttr
	c.Match = func(a ir.Attribute) bool {
		b, isBool := a.(*ir.IntegerAttr)
		return a == ir.Unit || isBool && b.Type == ir.Type(ir.I1) && b.Value == 0
	}
	c.Class = c.Match
	return c
}()

// withoutFalse takes away the attribute that the generic form has where nothing is promised.
func withoutFalse(_ *ir.Builder, s *ir.OpState) error {
	if a, ok := s.Attr(disjoint).(*ir.IntegerAttr); ok && a.Value == 0 {
		s.Props[s.Name.Def().AttrIndex(disjoint)] = nil
	}
	return nil
}

// linearBasis is the basis of an affine.linearize_index, (4, %n).
var linearBasis = asm.Directive{
	Parse: basis.Parse,
	Print: func(p *asm.Printer, op *ir.Op, _ []asm.DirectiveArg) {
		printBasis(p, interfaces.MixedList(op, 1, staticBasis))
	},
}

// LinearizeIndexOp is an affine.linearize_index.
type LinearizeIndexOp struct{ *ir.Op }

// Digits returns the digits, the first of which counts most.
func (o LinearizeIndexOp) Digits() ir.Operands { return o.OperandGroup(0) }

// Radices returns the elements of the basis by which the number is multiplied before each digit but the first is added.
func (o LinearizeIndexOp) Radices() []shapes.OpFoldResult {
	list := interfaces.MixedList(o.Op, 1, staticBasis)
	return list[len(list)-max(len(o.Digits())-1, 0):]
}

// foldLinearize folds the number of one digit, and of digits that are constants, and makes what is constant of the basis static.
func foldLinearize(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	digits := LinearizeIndexOp{op}.Digits()
	basis := interfaces.MixedList(op, 1, staticBasis)
	if shapes.FoldConstants(basis, true, false) {
		static, dynamic := shapes.SplitMixed(basis)
		op.SetAttr(staticBasis, op.Context().DenseI64Array(static...))
		op.SetOperandGroup(1, dynamic)
		return ir.FoldedInPlace()
	}
	switch len(digits) {
	case 0:
		return ir.FoldAttr(op.Context().IndexAttr(0))
	case 1:
		return ir.FoldValue(digits.At(0))
	}
	n := int64(0)
	for i, r := range append([]shapes.OpFoldResult{shapes.ConstSize(1)}, (LinearizeIndexOp{op}).Radices()...) {
		digit, ok := operands[i].(*ir.IntegerAttr)
		if !ok || r.Value != nil {
			return nil
		}
		n = n*r.Const + digit.Value
	}
	return ir.FoldAttr(op.Context().IndexAttr(n))
}

// FoldedLinearize returns the number whose digits in a basis with an element for each of them are given; within promises that they are
// within it. Nothing is created for a single digit, or constants.
func FoldedLinearize(b *ir.Builder, digits, basis []shapes.OpFoldResult, within bool) shapes.OpFoldResult {
	if len(digits) == 1 {
		return digits[0]
	}
	n, constant := int64(0), true
	for i := range digits {
		digit, ok := digits[i].Int()
		radix, known := basis[i].Int()
		constant = constant && ok && (known || i == 0)
		n = n*radix + digit
	}
	if constant {
		return shapes.ConstSize(n)
	}
	return shapes.SizeOf(newLinearize(b, arith.ValuesOf(b, digits), basis, within))
}

// newLinearize creates the number of digits, which may be promised to be within the basis.
func newLinearize(b *ir.Builder, digits []*ir.Value, basis []shapes.OpFoldResult, within bool) *ir.Value {
	static, dynamic := shapes.SplitMixed(basis)
	c := b.Context()
	attrs := []ir.NamedAttr{{Name: staticBasis, Value: c.DenseI64Array(static...)},
		{Name: ir.OperandSegmentsAttr, Value: c.DenseI32Array(int32(len(digits)), int32(len(dynamic)))}}
	if within {
		attrs = append(attrs, ir.NamedAttr{Name: disjoint, Value: ir.Unit})
	}
	return b.CreateOp(LinearizeIndex, []ir.Type{ir.Index}, slices.Concat(digits, dynamic), attrs...).Result(0)
}

// dropNeedlessDigits leaves out first digits that are 0, and those in a place with one value, which is 0 if that is promised.
func dropNeedlessDigits(r *rewrite.Rewriter, op *ir.Op) bool {
	o := LinearizeIndexOp{op}
	basis, digits := interfaces.MixedList(op, 1, staticBasis), o.Digits().Values()
	bounded := len(basis) == len(digits)
	if !bounded {
		basis = append([]shapes.OpFoldResult{{}}, basis...)
	}
	var left []*ir.Value
	var leftBasis []shapes.OpFoldResult
	for i, v := range digits {
		n, known := ir.ConstantInt(v)
		zero := known && n == 0
		unit := (i > 0 || bounded) && basis[i].IsConst(1) && (op.Attr(disjoint) != nil || zero)
		if unit || zero && len(left) == 0 && i < len(digits)-1 {
			continue
		}
		left, leftBasis = append(left, v), append(leftBasis, basis[i])
	}
	if len(left) == len(digits) || len(digits) < 2 {
		return false
	}
	if len(left) == 0 {
		r.Replace(op, arith.ConstantIndex(r.At(op), 0))
		return true
	}
	if leftBasis[0] == (shapes.OpFoldResult{}) {
		leftBasis = leftBasis[1:]
	}
	static, dynamic := shapes.SplitMixed(leftBasis)
	r.Modify(op, func() {
		op.SetAttr(staticBasis, op.Context().DenseI64Array(static...))
		op.SetOperandGroup(1, dynamic)
		op.SetOperandGroup(0, left)
	})
	return true
}

// linearizeDigits finds out that the digits are all those of a number, in the same basis.
func linearizeDigits(r *rewrite.Rewriter, op *ir.Op) bool {
	digits, of := LinearizeIndexOp{op}.Digits(), (*ir.Op)(nil)
	for i := range digits {
		if of = digits.At(i).DefinedBy(DelinearizeIndex); of == nil || i >= of.NumResults() || digits.At(i) != of.Result(i) || of != digits.At(0).DefiningOp() {
			return false
		}
	}
	if of == nil || of.NumResults() != len(digits) {
		return false
	}
	if !shapes.SameList(LinearizeIndexOp{op}.Radices(), DelinearizeIndexOp{of}.Radices()) {
		return false
	}
	r.Replace(op, DelinearizeIndexOp{of}.LinearIndex())
	return true
}

func executeLinearize(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	digits, factors, result := c.Words(LinearizeIndexOp{op}.Digits()), c.Sizes(LinearizeIndexOp{op}.Radices()), c.Word(op.Result(0))
	return func(f *exec.Frame) error {
		n, by := int64(0), factors(f)
		for i, d := range digits {
			if i > 0 {
				n *= by[i-1]
			}
			n += int64(f.W[d])
		}
		f.W[result] = uint64(n)
		return nil
	}, nil
}
