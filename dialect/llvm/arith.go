package llvm

import (
	"slices"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
)

// Arithmetic.
var (
	Add  = ir.NewOpID("llvm.add")
	Sub  = ir.NewOpID("llvm.sub")
	Mul  = ir.NewOpID("llvm.mul")
	Shl  = ir.NewOpID("llvm.shl")
	UDiv = ir.NewOpID("llvm.udiv")
	SDiv = ir.NewOpID("llvm.sdiv")
	URem = ir.NewOpID("llvm.urem")
	SRem = ir.NewOpID("llvm.srem")
	And  = ir.NewOpID("llvm.and")
	Or   = ir.NewOpID("llvm.or")
	XOr  = ir.NewOpID("llvm.xor")
	LShr = ir.NewOpID("llvm.lshr")
	AShr = ir.NewOpID("llvm.ashr")
	FAdd = ir.NewOpID("llvm.fadd")
	FSub = ir.NewOpID("llvm.fsub")
	FMul = ir.NewOpID("llvm.fmul")
	FDiv = ir.NewOpID("llvm.fdiv")
	FRem = ir.NewOpID("llvm.frem")
)

func arithmeticDefs() []*ir.OpDef {
	return []*ir.OpDef{
		binary(Add, ints, overflowFlags).With(ir.OpDef{Traits: ir.TraitCommutative}).With(computed(onInts(exec.Add))),
		binary(Sub, ints, overflowFlags).With(computed(onInts(exec.Sub))),
		binary(Mul, ints, overflowFlags).With(ir.OpDef{Traits: ir.TraitCommutative}).With(computed(onInts(exec.Mul))),
		binary(Shl, ints, overflowFlags).With(ir.OpDef{Fold: foldShl}).With(computed(onInts(exec.Shl))),
		binary(UDiv, ints).With(exact).With(computed(onInts(exec.DivU))),
		binary(SDiv, ints).With(exact).With(computed(onInts(exec.DivS))),
		binary(URem, ints).With(computed(onInts(exec.RemU))),
		binary(SRem, ints).With(computed(onInts(exec.RemSOfQuotient))),
		binary(And, ints).With(computed(onInts(exec.And))),
		binary(Or, ints).With(ir.OpDef{Fold: foldOr, Later: promising("disjoint", "isDisjoint", plainForm)}).With(computed(onInts(exec.Or))),
		binary(XOr, ints).With(computed(onInts(exec.Xor))),
		binary(LShr, ints).With(exact).With(computed(onInts(exec.ShrU))),
		binary(AShr, ints).With(exact).With(computed(onInts(exec.ShrS))),
		binary(FAdd, floats, fastMathFlags).With(computed(onFloats(exec.FAdd))),
		binary(FSub, floats, fastMathFlags).With(computed(onFloats(exec.FSub))),
		binary(FMul, floats, fastMathFlags).With(computed(onFloats(exec.FMul))),
		binary(FDiv, floats, fastMathFlags).With(computed(onFloats(exec.FDiv))),
		binary(FRem, floats, fastMathFlags).With(computed(onFloats(exec.FRem))),
	}
}

// Casts.
var (
	Trunc         = ir.NewOpID("llvm.trunc")
	SExt          = ir.NewOpID("llvm.sext")
	ZExt          = ir.NewOpID("llvm.zext")
	SIToFP        = ir.NewOpID("llvm.sitofp")
	UIToFP        = ir.NewOpID("llvm.uitofp")
	FPToSI        = ir.NewOpID("llvm.fptosi")
	FPToUI        = ir.NewOpID("llvm.fptoui")
	FPExt         = ir.NewOpID("llvm.fpext")
	FPTrunc       = ir.NewOpID("llvm.fptrunc")
	IntToPtr      = ir.NewOpID("llvm.inttoptr")
	PtrToInt      = ir.NewOpID("llvm.ptrtoint")
	Bitcast       = ir.NewOpID("llvm.bitcast")
	AddrSpaceCast = ir.NewOpID("llvm.addrspacecast")
)

func castDefs() []*ir.OpDef {
	return []*ir.OpDef{
		cast(Trunc, ints, ints).With(ir.OpDef{Later: []ir.Spelling{{Since: 22, Attrs: []ir.AttrDef{overflowNumber},
			Format: "$arg (`overflow` `` custom<Overflow>($overflowFlags)^)? attr-dict `:` type($arg) `to` type($res)"}}}).With(computed(resize(false))),
		cast(SExt, ints, ints).With(ir.OpDef{Verify: verifyWidens}).With(computed(resize(true))),
		cast(ZExt, ints, ints).With(ir.OpDef{Verify: verifyWidens, Fold: foldZExt, Later: promising("nneg", "nonNeg", castForm)}).With(computed(resize(false))),
		cast(SIToFP, ints, floats).With(computed(intToFloat(true))),
		cast(UIToFP, ints, floats).With(ir.OpDef{Later: promising("nneg", "nonNeg", castForm)}).With(computed(intToFloat(false))),
		cast(FPToSI, floats, ints).With(computed(floatToInt(true))),
		cast(FPToUI, floats, ints).With(computed(floatToInt(false))),
		cast(FPExt, floats, floats).With(computed(convertFloat)),
		cast(FPTrunc, floats, floats).With(computed(convertFloat)),
		cast(IntToPtr, ints, pointers).With(ir.OpDef{Later: []ir.Spelling{{Since: 22, Attrs: []ir.AttrDef{dereferenceable}}}}),
		cast(PtrToInt, pointers, ints).With(ir.OpDef{Models: []ir.Model{exec.Executable.Model(executePtrToInt)}}),
		cast(Bitcast, nonAggr, nonAggr).With(ir.OpDef{Fold: foldCast}).With(computed(computeBitcast)),
		cast(AddrSpaceCast, pointers, pointers).With(ir.OpDef{Fold: foldCast}),
	}
}

// intrinsicDefs are functions on numbers that the target or its library has.
func intrinsicDefs() []*ir.OpDef {
	return []*ir.OpDef{
		intrinsic("sqrt", floats, 1, fastMathFlags),
		intrinsic("exp", floats, 1, fastMathFlags),
		intrinsic("exp2", floats, 1, fastMathFlags),
		intrinsic("log", floats, 1, fastMathFlags),
		intrinsic("log2", floats, 1, fastMathFlags),
		intrinsic("log10", floats, 1, fastMathFlags),
		intrinsic("sin", floats, 1, fastMathFlags),
		intrinsic("cos", floats, 1, fastMathFlags),
		intrinsic("fabs", floats, 1, fastMathFlags),
		intrinsic("floor", floats, 1, fastMathFlags),
		intrinsic("ceil", floats, 1, fastMathFlags),
		intrinsic("trunc", floats, 1, fastMathFlags),
		intrinsic("rint", floats, 1, fastMathFlags),
		intrinsic("round", floats, 1, fastMathFlags),
		intrinsic("pow", floats, 2, fastMathFlags),
		intrinsic("copysign", floats, 2, fastMathFlags),
		intrinsic("minnum", floats, 2, fastMathFlags).With(computed(onFloats(exec.FMinNum))),
		intrinsic("maxnum", floats, 2, fastMathFlags).With(computed(onFloats(exec.FMaxNum))),
		intrinsic("minimum", floats, 2, fastMathFlags).With(computed(onFloats(exec.FMinimum))),
		intrinsic("maximum", floats, 2, fastMathFlags).With(computed(onFloats(exec.FMaximum))),
		intrinsic("fma", floats, 3, fastMathFlags),
		intrinsic("fmuladd", floats, 3, fastMathFlags),
		intrinsic("smax", ints, 2).With(computed(onInts(exec.MaxS))),
		intrinsic("smin", ints, 2).With(computed(onInts(exec.MinS))),
		intrinsic("umax", ints, 2).With(computed(onInts(exec.MaxU))),
		intrinsic("umin", ints, 2).With(computed(onInts(exec.MinU))),
		intrinsic("ctpop", ints, 1),
		intrinsic("bitreverse", ints, 1),
		intrinsic("bswap", ints, 1),
	}
}

// computed is how an operation computes an element.
func computed(m exec.ScalarModel) ir.OpDef {
	return ir.OpDef{Models: []ir.Model{exec.Elementwise.Model(m)}}
}

const (
	binaryForm = "$lhs `,` $rhs custom<OpAttrs>(attr-dict) `:` type($res)"
	plainForm  = "$lhs `,` $rhs attr-dict `:` type($res)"
	castForm   = "$arg attr-dict `:` type($arg) `to` type($res)"
)

// cast converts a value.
func cast(id *ir.OpID, from, to ir.TypeConstraint) *ir.OpDef {
	return &ir.OpDef{ID: id, Traits: ir.TraitPure, Operands: []ir.OperandDef{ir.Operand("arg", from)},
		Results: result(to), Format: castForm}
}

// binary is an operation on two values of the type of its result.
func binary(id *ir.OpID, t ir.TypeConstraint, attrs ...ir.AttrDef) *ir.OpDef {
	d := &ir.OpDef{ID: id, Traits: ir.TraitPure | ir.TraitSameOperandsAndResultType,
		Operands: []ir.OperandDef{ir.Operand("lhs", t), ir.Operand("rhs", t)}, Results: result(t), Attrs: attrs,
		Format: binaryForm, Later: []ir.Spelling{{Since: 22, Format: plainForm}}}
	if d.AttrIndex(overflowFlags.Name) >= 0 {
		d.Later = []ir.Spelling{{Since: 22, Attrs: []ir.AttrDef{overflowNumber}}}
		d.Format = "$lhs `,` $rhs (`overflow` `` custom<Overflow>($overflowFlags)^)? attr-dict `:` type($res)"
	}
	return d
}

// opAttrs is a dictionary of the attributes that don't have their defaults; the reference
// leaves a space before it.
var opAttrs = asm.Directive{
	Parse: func(p *asm.Parser, s *asm.FormatState, _ []asm.DirectiveArg) error {
		return p.OptionalAttrDict(s.OpState)
	},
	Print: func(p *asm.Printer, op *ir.Op, _ []asm.DirectiveArg) {
		var defaults []string
		for _, d := range op.Def().Attrs {
			if d.Default != nil && op.Attr(d.Name) == d.Default(op.Context()) {
				defaults = append(defaults, d.Name)
			}
		}
		p.OptionalAttrDict(p.AllAttrs(op), defaults...)
	},
}

// overflow is a list of flags in angle brackets.
var overflow = asm.Directive{
	Parse: func(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
		v := uint64(0)
		err := p.List(asm.LessGreater, func() error {
			pos := p.Pos()
			word, err := p.AnyKeyword()
			if err != nil {
				return err
			}
			bit, ok := Overflow.Parse(word)
			if !ok {
				return p.Errorf(pos, "invalid overflow flag: expected nsw, nuw, or none")
			}
			v |= bit
			return nil
		})
		s.SetAttr(args[0].Name, p.Context().EnumAttr(Overflow, v))
		return err
	},
	Print: func(p *asm.Printer, op *ir.Op, args []asm.DirectiveArg) {
		p.Text("<" + op.Attr(args[0].Name).(*ir.EnumAttr).Keyword() + ">")
	},
}

// FNeg is llvm.fneg.
var FNeg = ir.NewOpID("llvm.fneg")

func fNegDef() *ir.OpDef {
	return &ir.OpDef{ID: FNeg, Traits: ir.TraitPure | ir.TraitSameOperandsAndResultType,
		Operands: []ir.OperandDef{ir.Operand("operand", floats)}, Results: result(floats), Attrs: []ir.AttrDef{fastMathFlags},
		Format: "$operand custom<OpAttrs>(attr-dict) `:` type($res)",
		Later:  []ir.Spelling{{Since: 22, Format: "$operand attr-dict `:` type($res)"}},
		Models: []ir.Model{
			exec.Elementwise.Model(onFloats(exec.FNeg)),
		}}
}

// intrinsic is a function of n values of the type of its result.
func intrinsic(name string, t ir.TypeConstraint, n int, attrs ...ir.AttrDef) *ir.OpDef {
	d := &ir.OpDef{ID: ir.NewOpID("llvm.intr." + name), Traits: ir.TraitPure | ir.TraitSameOperandsAndResultType, Results: result(t), Attrs: attrs,
		Format: "`(` operands `)` custom<OpAttrs>(attr-dict) `:` functional-type(operands, results)",
		Later:  []ir.Spelling{{Since: 22, Format: "`(` operands `)` attr-dict `:` functional-type(operands, results)"}}}
	for _, o := range []string{"a", "b", "c"}[:n] {
		d.Operands = append(d.Operands, ir.Operand(o, t))
	}
	return d
}

// predicates is an enumeration that is stored as an integer and spelled as a
// string.
func predicates(name string, keywords ...string) *ir.EnumDef {
	d := enum("", name, 0, keywords...)
	d.Dialect, d.Int = "", ir.I64
	return d
}

// The predicates of comparisons.
var (
	ICmpPredicate = predicates("::mlir::LLVM::ICmpPredicate", "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
	FCmpPredicate = predicates("::mlir::LLVM::FCmpPredicate", "_false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt",
		"uge", "ult", "ule", "une", "uno", "_true")
)

// Comparisons.
var (
	// ICmp compares integers or pointers.
	ICmp = ir.NewOpID("llvm.icmp")
	// FCmp compares floats.
	FCmp = ir.NewOpID("llvm.fcmp")
	// Select is one of two values.
	Select = ir.NewOpID("llvm.select")
)

func iCmpDef() *ir.OpDef {
	return comparison(ICmp, intsOrPtrs, ICmpPredicate).With(ir.OpDef{
		Fold: foldICmp,
		Models: []ir.Model{
			exec.Elementwise.Model(computeICmp),
		},
	})
}

func fCmpDef() *ir.OpDef {
	return comparison(FCmp, floats, FCmpPredicate, fastMathFlags)
}

func selectDef() *ir.OpDef {
	return &ir.OpDef{ID: Select, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("condition", bools), ir.Operand("trueValue", anyLLVM), ir.Operand("falseValue", anyLLVM)},
		Results:  result(anyLLVM), Attrs: []ir.AttrDef{fastMathFlags},
		TypeRules: []ir.TypeRule{{Same: []string{"trueValue", "falseValue", "res"}, Summary: "all of {trueValue, falseValue, res} have same type"}},
		Format:    "$condition `,` $trueValue `,` $falseValue attr-dict `:` type($condition) `,` type($res)"}
}

func comparison(id *ir.OpID, t ir.TypeConstraint, e *ir.EnumDef, attrs ...ir.AttrDef) *ir.OpDef {
	return &ir.OpDef{ID: id, Traits: ir.TraitPure, Operands: []ir.OperandDef{ir.Operand("lhs", t), ir.Operand("rhs", t)}, Results: result(bools),
		Attrs: append([]ir.AttrDef{attr("predicate", constraint.Enum("LLVM comparison predicate", e))}, attrs...),
		TypeRules: []ir.TypeRule{{Same: []string{"lhs", "rhs"}, Summary: "all of {lhs, rhs} have same type"},
			{Check: comparesLanes, Summary: "result type has i1 element type and same shape as operands"}},
		Format: "custom<Predicate>($predicate) $lhs `,` $rhs attr-dict `:` type($lhs) `` custom<CmpType>(type($res), ref(type($lhs)))"}
}

// comparesLanes tells whether a comparison of vectors has a result for each of their elements.
func comparesLanes(op *ir.Op) bool {
	v, of := ICmpOp{op}.LHS().Type().(*ir.VectorType)
	r, result := op.Result(0).Type().(*ir.VectorType)
	if !of || !result {
		return of == result
	}
	return slices.Equal(v.Shape, r.Shape) && slices.Equal(v.Scalable, r.Scalable)
}

// cmpPredicate is the keyword of an enumeration, as a string.
var cmpPredicate = asm.Directive{
	Parse: func(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
		pos := p.Pos()
		word, err := asm.AttrOf[*ir.StringAttr](p, nil)
		if err != nil {
			return err
		}
		v, ok := predicatesOf(s.Name, args).Parse(word.Value)
		if !ok {
			return p.Errorf(pos, "'%s' is an incorrect value of the 'predicate' attribute", word.Value)
		}
		s.SetAttr(args[0].Name, p.Context().I64Attr(int64(v)))
		return nil
	},
	Print: func(p *asm.Printer, op *ir.Op, args []asm.DirectiveArg) {
		if a, ok := op.Attr(args[0].Name).(*ir.IntegerAttr); ok {
			p.Quoted(predicatesOf(op.OpName(), args).Keyword(uint64(a.Value)))
		}
	},
}

func predicatesOf(name *ir.OpName, args []asm.DirectiveArg) *ir.EnumDef {
	return name.Def().Attrs[args[0].Index].Type.Enum
}

// cmpType is the type of the result of a comparison, which isn't written.
var cmpType = asm.Directive{
	Parse: func(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
		var t ir.Type = ir.I1
		if x, ok := s.TypesOf(args[1].Name)[0].(*ir.VectorType); ok {
			t = p.Context().Vector(x.Shape, x.Scalable, ir.I1)
		}
		s.SetTypes(args[0].Name, []ir.Type{t})
		return nil
	},
	Print: func(*asm.Printer, *ir.Op, []asm.DirectiveArg) {},
}

// verifyWidens checks that an extension adds bits.
func verifyWidens(op *ir.Op) error {
	from, ok := elementOr(op.OnlyOperand().Type()).(*ir.IntegerType)
	to, ok2 := elementOr(op.Result(0).Type()).(*ir.IntegerType)
	if ok && ok2 && to.Width <= from.Width {
		return op.PlainErrorf("integer width of the output type is smaller or equal to the integer width of the input type")
	}
	return nil
}
