package llvm

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
)

// families are the operations that are alike: arithmetic, casts and intrinsics.
var families = func() (ops []*ir.OpDef) {
	for _, n := range []string{"add", "sub", "mul", "shl"} {
		ops = append(ops, binary(n, ints, overflowFlags))
	}
	for _, n := range []string{"udiv", "sdiv", "urem", "srem", "and", "or", "xor", "lshr", "ashr"} {
		ops = append(ops, binary(n, ints))
	}
	for _, n := range []string{"fadd", "fsub", "fmul", "fdiv", "frem"} {
		ops = append(ops, binary(n, floats, fastMathFlags))
	}
	for _, c := range []struct {
		name     string
		from, to ir.TypeConstraint
	}{{"trunc", ints, ints}, {"sext", ints, ints}, {"zext", ints, ints}, {"sitofp", ints, floats}, {"uitofp", ints, floats},
		{"fptosi", floats, ints}, {"fptoui", floats, ints}, {"fpext", floats, floats}, {"fptrunc", floats, floats},
		{"inttoptr", ints, pointers}, {"ptrtoint", pointers, ints}, {"bitcast", nonAggr, nonAggr}, {"addrspacecast", pointers, pointers}} {
		d := &ir.OpDef{Name: "llvm." + c.name, Traits: ir.TraitPure, Operands: []ir.OperandDef{operand("arg", c.from)},
			Results: result(c.to), Format: "$arg attr-dict `:` type($arg) `to` type($res)"}
		if c.name == "sext" || c.name == "zext" {
			d.Verify = verifyWidens
		}
		ops = append(ops, d)
	}
	for _, n := range []string{"sqrt", "exp", "exp2", "log", "log2", "log10", "sin", "cos", "fabs", "floor", "ceil", "trunc", "rint", "round"} {
		ops = append(ops, intrinsic(n, floats, 1, fastMathFlags))
	}
	for _, n := range []string{"pow", "copysign", "minnum", "maxnum", "minimum", "maximum"} {
		ops = append(ops, intrinsic(n, floats, 2, fastMathFlags))
	}
	for _, n := range []string{"fma", "fmuladd"} {
		ops = append(ops, intrinsic(n, floats, 3, fastMathFlags))
	}
	for _, n := range []string{"smax", "smin", "umax", "umin"} {
		ops = append(ops, intrinsic(n, ints, 2))
	}
	for _, n := range []string{"ctpop", "bitreverse", "bswap"} {
		ops = append(ops, intrinsic(n, ints, 1))
	}
	return append(ops, memoryIntrinsics()...)
}()

// binary is an operation on two values of the type of its result.
func binary(name string, t ir.TypeConstraint, attrs ...ir.AttrDef) *ir.OpDef {
	return &ir.OpDef{Name: "llvm." + name, Traits: ir.TraitPure | ir.TraitSameOperandsAndResultType,
		Operands: []ir.OperandDef{operand("lhs", t), operand("rhs", t)}, Results: result(t), Attrs: attrs,
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
var FNeg = &ir.OpDef{Name: "llvm.fneg", Traits: ir.TraitPure | ir.TraitSameOperandsAndResultType,
	Operands: []ir.OperandDef{operand("operand", floats)}, Results: result(floats), Attrs: []ir.AttrDef{fastMathFlags},
	Models: []ir.Model{asm.Assembly.Model(asm.OpAssembly{Parse: parseBinary, Print: printBinary})}}

// intrinsic is a function of n values of the type of its result.
func intrinsic(name string, t ir.TypeConstraint, n int, attrs ...ir.AttrDef) *ir.OpDef {
	d := &ir.OpDef{Name: "llvm.intr." + name, Traits: ir.TraitPure | ir.TraitSameOperandsAndResultType, Results: result(t), Attrs: attrs,
		Models: []ir.Model{asm.Assembly.Model(asm.OpAssembly{Parse: parseIntrinsic, Print: printIntrinsic})}}
	for _, o := range []string{"a", "b", "c"}[:n] {
		d.Operands = append(d.Operands, operand(o, t))
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
	ICmp = comparison("llvm.icmp", intsOrPtrs, ICmpPredicate)
	// FCmp compares floats.
	FCmp = comparison("llvm.fcmp", floats, FCmpPredicate, fastMathFlags)
	// Select is one of two values.
	Select = &ir.OpDef{Name: "llvm.select", Traits: ir.TraitPure,
		Operands: []ir.OperandDef{operand("condition", bools), operand("trueValue", anyLLVM), operand("falseValue", anyLLVM)},
		Results:  result(anyLLVM), Attrs: []ir.AttrDef{fastMathFlags},
		TypeRules: []ir.TypeRule{{Same: []string{"trueValue", "falseValue", "res"}, Summary: "all of {trueValue, falseValue, res} have same type"}},
		Format:    "$condition `,` $trueValue `,` $falseValue attr-dict `:` type($condition) `,` type($res)"}
)

func comparison(name string, t ir.TypeConstraint, e *ir.EnumDef, attrs ...ir.AttrDef) *ir.OpDef {
	return &ir.OpDef{Name: name, Traits: ir.TraitPure, Operands: []ir.OperandDef{operand("lhs", t), operand("rhs", t)}, Results: result(bools),
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
