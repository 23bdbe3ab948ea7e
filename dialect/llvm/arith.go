package llvm

import (
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

var arithmeticDefs = []*ir.OpDef{
	binary(Add, ints, overflowFlags).With(computed(onInts(exec.Add))),
	binary(Sub, ints, overflowFlags).With(computed(onInts(exec.Sub))),
	binary(Mul, ints, overflowFlags).With(computed(onInts(exec.Mul))),
	binary(Shl, ints, overflowFlags).With(computed(onInts(exec.Shl))),
	binary(UDiv, ints).With(computed(onInts(exec.DivU))),
	binary(SDiv, ints).With(computed(onInts(exec.DivS))),
	binary(URem, ints).With(computed(onInts(exec.RemU))),
	binary(SRem, ints).With(computed(onInts(exec.RemSOfQuotient))),
	binary(And, ints).With(computed(onInts(exec.And))),
	binary(Or, ints).With(computed(onInts(exec.Or))),
	binary(XOr, ints).With(computed(onInts(exec.Xor))),
	binary(LShr, ints).With(computed(onInts(exec.ShrU))),
	binary(AShr, ints).With(computed(onInts(exec.ShrS))),
	binary(FAdd, floats, fastMathFlags).With(computed(onFloats(exec.FAdd))),
	binary(FSub, floats, fastMathFlags).With(computed(onFloats(exec.FSub))),
	binary(FMul, floats, fastMathFlags).With(computed(onFloats(exec.FMul))),
	binary(FDiv, floats, fastMathFlags).With(computed(onFloats(exec.FDiv))),
	binary(FRem, floats, fastMathFlags).With(computed(onFloats(exec.FRem))),
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

var castDefs = []*ir.OpDef{
	cast(Trunc, ints, ints).With(computed(resize(false))),
	cast(SExt, ints, ints).With(ir.OpDef{Verify: verifyWidens}).With(computed(resize(true))),
	cast(ZExt, ints, ints).With(ir.OpDef{Verify: verifyWidens}).With(computed(resize(false))),
	cast(SIToFP, ints, floats).With(computed(intToFloat(true))),
	cast(UIToFP, ints, floats).With(computed(intToFloat(false))),
	cast(FPToSI, floats, ints).With(computed(floatToInt(true))),
	cast(FPToUI, floats, ints).With(computed(floatToInt(false))),
	cast(FPExt, floats, floats).With(computed(convertFloat)),
	cast(FPTrunc, floats, floats).With(computed(convertFloat)),
	cast(IntToPtr, ints, pointers),
	cast(PtrToInt, pointers, ints).With(ir.OpDef{Models: []ir.Model{exec.Executable.Model(executePtrToInt)}}),
	cast(Bitcast, nonAggr, nonAggr).With(computed(computeBitcast)),
	cast(AddrSpaceCast, pointers, pointers),
}

// intrinsicDefs are functions on numbers that the target or its library has.
var intrinsicDefs = []*ir.OpDef{
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

// computed is how an operation computes an element.
func computed(m exec.ScalarModel) ir.OpDef {
	return ir.OpDef{Models: []ir.Model{exec.Elementwise.Model(m)}}
}

// cast converts a value.
func cast(id *ir.OpID, from, to ir.TypeConstraint) *ir.OpDef {
	return &ir.OpDef{ID: id, Traits: ir.TraitPure, Operands: []ir.OperandDef{ir.Operand("arg", from)},
		Results: result(to), Format: "$arg attr-dict `:` type($arg) `to` type($res)"}
}

// binary is an operation on two values of the type of its result.
func binary(id *ir.OpID, t ir.TypeConstraint, attrs ...ir.AttrDef) *ir.OpDef {
	return &ir.OpDef{ID: id, Traits: ir.TraitPure | ir.TraitSameOperandsAndResultType,
		Operands: []ir.OperandDef{ir.Operand("lhs", t), ir.Operand("rhs", t)}, Results: result(t), Attrs: attrs,
		Models: []ir.Model{asm.Assembly.Model(asm.OpAssembly{Parse: parseBinary, Print: printBinary})}}
}

func parseBinary(p *asm.Parser, s *ir.OpState) error {
	us, err := p.Operands(asm.NoDelimiter)
	if err != nil {
		return err
	}
	if s.Name.Def().AttrIndex(overflowFlags.Name) >= 0 && p.OptionalKeyword("overflow") {
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
		if err != nil {
			return err
		}
		s.SetAttr(overflowFlags.Name, p.Context().EnumAttr(Overflow, v))
	}
	if err := p.OptionalAttrDict(s); err != nil {
		return err
	}
	t, err := p.ColonType()
	if err != nil {
		return err
	}
	s.Types = []ir.Type{t}
	return p.ResolveInto(s, t, us...)
}

// extras writes the attributes but those that have their default or a place of
// their own; the reference leaves a space before them.
func extras(p *asm.Printer, op *ir.Op, elided ...string) {
	p.Text(" ")
	for _, d := range op.Def().Attrs {
		if d.Default != nil && op.Attr(d.Name) == d.Default(op.Context()) {
			elided = append(elided, d.Name)
		}
	}
	p.OptionalAttrDict(p.AllAttrs(op), elided...)
}

func printBinary(p *asm.Printer, op *ir.Op) {
	p.Text(" ")
	p.Operands(op.Operands().Values())
	if op.Def().AttrIndex(overflowFlags.Name) >= 0 {
		if e, ok := op.Attr(overflowFlags.Name).(*ir.EnumAttr); ok && e.Value != 0 {
			p.Text(" overflow<" + e.Keyword() + ">")
		}
		p.OptionalAttrDict(p.AllAttrs(op), overflowFlags.Name)
	} else {
		extras(p, op)
	}
	p.Text(" : ")
	p.Type(op.Result(0).Type())
}

// FNeg is llvm.fneg.
var FNeg = ir.NewOpID("llvm.fneg")

var fNegDef = &ir.OpDef{ID: FNeg, Traits: ir.TraitPure | ir.TraitSameOperandsAndResultType,
	Operands: []ir.OperandDef{ir.Operand("operand", floats)}, Results: result(floats), Attrs: []ir.AttrDef{fastMathFlags},
	Models: []ir.Model{
		asm.Assembly.Model(asm.OpAssembly{Parse: parseBinary, Print: printBinary}),
		exec.Elementwise.Model(onFloats(exec.FNeg)),
	}}

// intrinsic is a function of n values of the type of its result.
func intrinsic(name string, t ir.TypeConstraint, n int, attrs ...ir.AttrDef) *ir.OpDef {
	d := &ir.OpDef{ID: ir.NewOpID("llvm.intr." + name), Traits: ir.TraitPure | ir.TraitSameOperandsAndResultType, Results: result(t), Attrs: attrs,
		Models: []ir.Model{asm.Assembly.Model(asm.OpAssembly{Parse: parseIntrinsic, Print: printIntrinsic})}}
	for _, o := range []string{"a", "b", "c"}[:n] {
		d.Operands = append(d.Operands, ir.Operand(o, t))
	}
	return d
}

func parseIntrinsic(p *asm.Parser, s *ir.OpState) error {
	pos := p.Pos()
	us, err := p.Operands(asm.Paren)
	if err != nil {
		return err
	}
	if err := p.OptionalAttrDict(s); err != nil {
		return err
	}
	if err := p.Expect(":"); err != nil {
		return err
	}
	t, err := p.FunctionType()
	if err != nil {
		return err
	}
	s.Types = t.Results
	s.Operands, err = p.ResolveAll(us, t.Inputs, pos)
	return err
}

func printIntrinsic(p *asm.Printer, op *ir.Op) {
	p.Text("(")
	p.Operands(op.Operands().Values())
	p.Text(")")
	extras(p, op)
	p.Text(" : ")
	p.FunctionalType(op.Operands().Types(), op.Results().Types())
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

var (
	iCmpDef = comparison(ICmp, intsOrPtrs, ICmpPredicate).With(ir.OpDef{
		Models: []ir.Model{
			exec.Elementwise.Model(computeICmp),
		},
	})

	fCmpDef = comparison(FCmp, floats, FCmpPredicate, fastMathFlags)

	selectDef = &ir.OpDef{ID: Select, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("condition", bools), ir.Operand("trueValue", anyLLVM), ir.Operand("falseValue", anyLLVM)},
		Results:  result(anyLLVM), Attrs: []ir.AttrDef{fastMathFlags},
		TypeRules: []ir.TypeRule{{Same: []string{"trueValue", "falseValue", "res"}, Summary: "all of {trueValue, falseValue, res} have same type"}},
		Format:    "$condition `,` $trueValue `,` $falseValue attr-dict `:` type($condition) `,` type($res)"}
)

func comparison(id *ir.OpID, t ir.TypeConstraint, e *ir.EnumDef, attrs ...ir.AttrDef) *ir.OpDef {
	return &ir.OpDef{ID: id, Traits: ir.TraitPure, Operands: []ir.OperandDef{ir.Operand("lhs", t), ir.Operand("rhs", t)}, Results: result(bools),
		Attrs:     append([]ir.AttrDef{attr("predicate", constraint.Enum("LLVM comparison predicate", e))}, attrs...),
		TypeRules: []ir.TypeRule{{Same: []string{"lhs", "rhs"}, Summary: "all of {lhs, rhs} have same type"}},
		Models: []ir.Model{asm.Assembly.Model(asm.OpAssembly{
			Parse: func(p *asm.Parser, s *ir.OpState) error { return parseComparison(p, s, e) },
			Print: func(p *asm.Printer, op *ir.Op) { printComparison(p, op, e) }})}}
}

func parseComparison(p *asm.Parser, s *ir.OpState, e *ir.EnumDef) error {
	pos := p.Pos()
	word, err := p.String()
	if err != nil {
		return err
	}
	v, ok := e.Parse(word)
	if !ok {
		return p.Errorf(pos, "'%s' is an incorrect value of the 'predicate' attribute", word)
	}
	c := p.Context()
	s.SetAttr("predicate", c.I64Attr(int64(v)))
	us, err := p.Operands(asm.NoDelimiter)
	if err != nil {
		return err
	}
	if err := p.OptionalAttrDict(s); err != nil {
		return err
	}
	t, err := p.ColonType()
	if err != nil {
		return err
	}
	s.Types = []ir.Type{ir.I1}
	if x, ok := t.(*ir.VectorType); ok {
		s.Types[0] = c.Vector(x.Shape, x.Scalable, ir.I1)
	}
	return p.ResolveInto(s, t, us...)
}

func printComparison(p *asm.Printer, op *ir.Op, e *ir.EnumDef) {
	p.Text(" ")
	if a, ok := op.Attr("predicate").(*ir.IntegerAttr); ok {
		p.Quoted(e.Keyword(uint64(a.Value)))
	}
	p.Text(" ")
	p.Operands(op.Operands().Values())
	elided := []string{"predicate"}
	if op.Def().AttrIndex(fastMathFlags.Name) >= 0 && op.Attr(fastMathFlags.Name) == fastMathFlags.Default(op.Context()) {
		elided = append(elided, fastMathFlags.Name)
	}
	p.OptionalAttrDict(p.AllAttrs(op), elided...)
	p.Text(" : ")
	p.Type(op.Operand(0).Type())
}

// verifyWidens checks that an extension adds bits.
func verifyWidens(op *ir.Op) error {
	from, ok := elementOr(op.Operand(0).Type()).(*ir.IntegerType)
	to, ok2 := elementOr(op.Result(0).Type()).(*ir.IntegerType)
	if ok && ok2 && to.Width <= from.Width {
		return op.PlainErrorf("integer width of the output type is smaller or equal to the integer width of the input type")
	}
	return nil
}
