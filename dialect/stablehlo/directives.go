package stablehlo

import (
	"freehold/ir"
	"freehold/ir/asm"
)

var directives = map[string]asm.Directive{
	"Same":       {Parse: parseSame, Print: printSame},
	"Complex":    {Parse: parseComplex, Print: printComplex},
	"Select":     {Parse: parseSelectTypes, Print: printSelectTypes},
	"Tuple":      {Parse: parseTuple, Print: printTuple},
	"Pairwise":   {Parse: parsePairwise, Print: printPairwise},
	"Tokens":     {Parse: parseTokens, Print: printTokens},
	"Word":       {Parse: parseWord, Print: printWord},
	"Listed":     {Parse: parseListed, Print: printListed},
	"Quoted":     {Parse: parseQuoted, Print: printQuoted},
	"Target":     {Parse: parseTarget, Print: printTarget},
	"Precision":  {Parse: parsePrecision, Print: printPrecision},
	"Products":   {Parse: parseProducts, Print: printProducts},
	"Exactness":  {Parse: parseExactness, Print: printExactness},
	"Format":     {Parse: parseFormat, Print: printFormat},
	"Ranges":     {Parse: parseRanges, Print: printRanges},
	"ConvDims":   dimsDirective,
	"ConvWindow": windowDirective(),
}

// groupTypes returns the types of an operand or result of an operation.
func groupTypes(op *ir.Op, a asm.DirectiveArg) []ir.Type {
	if a.Kind == asm.ResultArg {
		return op.ResultGroup(a.Index).Types()
	}
	return op.OperandGroup(a.Index).Types()
}

// spread gives the groups of a directive, the last of which is the result, the types of a function, or one type for all.
func spread(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg, t ir.Type, pos asm.Pos) error {
	f, ok := t.(*ir.FunctionType)
	if !ok {
		for _, a := range args {
			s.SetTypes(a.Name, []ir.Type{t})
		}
		return nil
	}
	if len(f.Inputs) != len(args)-1 || len(f.Results) != 1 {
		return p.Errorf(pos, "expected the types of %d operands and one result", len(args)-1)
	}
	for i, a := range args {
		if i < len(f.Inputs) {
			s.SetTypes(a.Name, f.Inputs[i:i+1])
		} else {
			s.SetTypes(a.Name, f.Results)
		}
	}
	return nil
}

// parseSame reads the type that all operands and the result have, or the type of a function.
func parseSame(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
	pos := p.Pos()
	t, err := p.Type()
	if err != nil {
		return err
	}
	return spread(p, s, args, t, pos)
}

func printSame(p *asm.Printer, op *ir.Op, args []asm.DirectiveArg) {
	all := allTypes(op, args)
	for _, t := range all {
		if t != all[0] {
			p.FunctionalType(all[:len(all)-1], all[len(all)-1:])
			return
		}
	}
	p.Type(all[0])
}

func allTypes(op *ir.Op, args []asm.DirectiveArg) []ir.Type {
	var all []ir.Type
	for _, a := range args {
		all = append(all, groupTypes(op, a)...)
	}
	return all
}

// parseComplex reads the type of complex numbers, of which the operands have that of the parts.
func parseComplex(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
	pos := p.Pos()
	t, err := p.Type()
	if err != nil {
		return err
	}
	part := realType(p.Context(), t)
	if part == t {
		if _, ok := t.(*ir.FunctionType); !ok {
			return p.Errorf(pos, "expected a tensor of complex numbers, got %s", t)
		}
		return spread(p, s, args, t, pos)
	}
	for i, a := range args {
		if i < len(args)-1 {
			s.SetTypes(a.Name, []ir.Type{part})
		} else {
			s.SetTypes(a.Name, []ir.Type{t})
		}
	}
	return nil
}

func printComplex(p *asm.Printer, op *ir.Op, args []asm.DirectiveArg) {
	all := allTypes(op, args)
	n := len(all) - 1
	for _, t := range all[:n] {
		if t != realType(op.Context(), all[n]) || t == all[n] {
			p.FunctionalType(all[:n], all[n:])
			return
		}
	}
	p.Type(all[n])
}

// realType returns the type of the parts of complex numbers: of a tensor of them, too. Other types are returned as they are.
func realType(c *ir.Context, t ir.Type) ir.Type {
	if x, ok := ir.ElementType(t).(*ir.ComplexType); ok && ir.IsTensor(t) {
		return c.WithElementType(t, x.Elem)
	}
	return t
}

// parseSelectTypes reads the type of the condition and that of all others, or the type of a function.
func parseSelectTypes(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
	pos := p.Pos()
	t, err := p.Type()
	if err != nil {
		return err
	}
	if _, ok := t.(*ir.FunctionType); ok {
		return spread(p, s, args, t, pos)
	}
	if err := p.Expect(","); err != nil {
		return err
	}
	s.SetTypes(args[0].Name, []ir.Type{t})
	if t, err = p.Type(); err != nil {
		return err
	}
	for _, a := range args[1:] {
		s.SetTypes(a.Name, []ir.Type{t})
	}
	return nil
}

func printSelectTypes(p *asm.Printer, op *ir.Op, args []asm.DirectiveArg) {
	all := allTypes(op, args)
	if all[1] != all[2] || all[1] != all[3] {
		p.FunctionalType(all[:3], all[3:])
		return
	}
	p.Types(all[:2])
}

// parseTuple reads the type of a tuple, which says the types of its parts.
func parseTuple(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
	pos := p.Pos()
	t, err := p.Type()
	if err != nil {
		return err
	}
	x, ok := t.(*ir.TupleType)
	if !ok {
		return p.Errorf(pos, "expected tuple type")
	}
	s.SetTypes(args[0].Name, x.Types)
	s.SetTypes(args[1].Name, []ir.Type{t})
	return nil
}

func printTuple(p *asm.Printer, op *ir.Op, args []asm.DirectiveArg) {
	p.Type(op.Result(0).Type())
}

// parsePairwise reads types that operands and results have alike.
func parsePairwise(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
	types, err := p.Types()
	if err != nil {
		return err
	}
	s.SetTypes(args[0].Name, types)
	s.SetTypes(args[1].Name, types)
	return nil
}

func printPairwise(p *asm.Printer, op *ir.Op, args []asm.DirectiveArg) {
	p.Types(groupTypes(op, args[0]))
}

// parseTokens reads the one type that any number of operands and the result have.
func parseTokens(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
	t, err := p.Type()
	if err != nil {
		return err
	}
	types := make([]ir.Type, len(s.OperandsOf(args[0].Name)))
	for i := range types {
		types[i] = t
	}
	s.SetTypes(args[0].Name, types)
	s.SetTypes(args[1].Name, []ir.Type{t})
	return nil
}

func printTokens(p *asm.Printer, op *ir.Op, _ []asm.DirectiveArg) { p.Type(op.Result(0).Type()) }

// parseWord reads a word of an enumeration, maybe after a comma.
func parseWord(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
	if len(args) > 1 && !p.Optional(",") {
		return nil
	}
	def := s.Name.Def().Attrs[args[0].Index].Type.Enum
	if p.At("#") {
		_, err := p.AttrInto(s.OpState, args[0].Name, nil)
		return err
	}
	v, err := p.EnumKeyword(def)
	if err == nil {
		s.SetAttr(args[0].Name, p.Context().EnumAttr(def, v))
	}
	return err
}

// printWord writes a second space before the word, as programs have it.
func printWord(p *asm.Printer, op *ir.Op, args []asm.DirectiveArg) {
	e, ok := op.Attr(args[0].Name).(*ir.EnumAttr)
	if !ok {
		return
	}
	if len(args) > 1 {
		p.Text(", ")
	}
	p.Text(" " + e.Keyword())
}

// parseListed reads operands up to the keyword of an attribute that follows them: each is followed by a comma.
func parseListed(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
	var ops []asm.Unresolved
	for {
		u, ok, err := p.OptionalOperand()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		ops = append(ops, u)
		if err := p.Expect(","); err != nil {
			return err
		}
	}
	s.SetOperands(args[0].Name, ops)
	return nil
}

func printListed(p *asm.Printer, op *ir.Op, args []asm.DirectiveArg) {
	for i, v := range op.OperandGroup(args[0].Index).Values() {
		if i > 0 {
			p.Text(" ")
		}
		p.Operand(v)
		p.Text(",")
	}
}

// parseTarget reads the name of what a custom call calls.
func parseTarget(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
	name, err := p.SymbolName()
	if err == nil {
		s.SetAttr(args[0].Name, p.Context().StringAttr(name))
	}
	return err
}

func printTarget(p *asm.Printer, op *ir.Op, args []asm.DirectiveArg) {
	p.SymbolName(op.Attr(args[0].Name).(*ir.StringAttr).Value)
}

// parseQuoted reads a string, after which a type would be taken for that of the string.
func parseQuoted(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
	text, err := p.String()
	if err == nil {
		s.SetAttr(args[0].Name, p.Context().StringAttr(text))
	}
	return err
}

func printQuoted(p *asm.Printer, op *ir.Op, args []asm.DirectiveArg) {
	p.Quoted(op.Attr(args[0].Name).(*ir.StringAttr).Value)
}

// parsePrecision reads [DEFAULT, HIGH] after ", precision =", if that is there.
func parsePrecision(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
	if !p.Optional(",") {
		return nil
	}
	return precisionAfterComma(p, s, args)
}

func precisionAfterComma(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
	if err := p.Keyword("precision"); err != nil {
		return err
	}
	if err := p.Expect("="); err != nil {
		return err
	}
	a, err := parsePrecisions(p)
	if err == nil {
		s.SetAttr(args[0].Name, a)
	}
	return err
}

func parsePrecisions(p *asm.Parser) (ir.Attribute, error) {
	var list []ir.Attribute
	if err := p.Expect("["); err != nil {
		return nil, err
	}
	for !p.At("]") {
		if len(list) > 0 {
			if err := p.Expect(","); err != nil {
				return nil, err
			}
		}
		v, err := p.EnumKeyword(Precision)
		if err != nil {
			return nil, err
		}
		list = append(list, p.Context().EnumAttr(Precision, v))
	}
	return p.Context().ArrayAttr(list...), p.Expect("]")
}

func printPrecision(p *asm.Printer, op *ir.Op, args []asm.DirectiveArg) {
	list, ok := op.Attr(args[0].Name).(*ir.ArrayAttr)
	if !ok || len(list.Elems) == 0 {
		return
	}
	p.Text(", precision = [")
	for i, e := range list.Elems {
		if i > 0 {
			p.Text(", ")
		}
		p.Text(e.(*ir.EnumAttr).Keyword())
	}
	p.Text("]")
}

// parseExactness reads ", precision = [...], algorithm = <...>", of which either may be left out.
func parseExactness(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
	for p.Optional(",") {
		if !p.OptionalKeyword("algorithm") {
			if err := precisionAfterComma(p, s, args); err != nil {
				return err
			}
			continue
		}
		if err := p.Expect("="); err != nil {
			return err
		}
		if err := p.Expect("<"); err != nil {
			return err
		}
		params, err := parseFields(p, algorithmFields, ">")
		if err != nil {
			return err
		}
		s.SetAttr(args[1].Name, Struct(p.Context(), "dot_algorithm", params...))
		if err := p.Expect(">"); err != nil {
			return err
		}
	}
	return nil
}

func printExactness(p *asm.Printer, op *ir.Op, args []asm.DirectiveArg) {
	printPrecision(p, op, args)
	if a, ok := op.Attr(args[1].Name).(*ir.DialectAttr); ok {
		p.Text(", algorithm = <")
		printFields(p.Writer(), algorithmFields, a.Params)
		p.Text(">")
	}
}

// parseProducts reads "batching_dims = [0] x [0], contracting_dims = [2] x [1]", of which the former may be left out.
func parseProducts(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
	var batch, contracting [2][]int64
	if p.OptionalKeyword("batching_dims") {
		if err := parseProduct(p, &batch); err != nil {
			return err
		}
		if err := p.Expect(","); err != nil {
			return err
		}
	}
	if err := p.Keyword("contracting_dims"); err != nil {
		return err
	}
	if err := parseProduct(p, &contracting); err != nil {
		return err
	}
	c := p.Context()
	s.SetAttr(args[0].Name, Struct(c, "dot", c.DenseI64Array(batch[0]...), c.DenseI64Array(batch[1]...), c.DenseI64Array(contracting[0]...), c.DenseI64Array(contracting[1]...)))
	return nil
}

func parseProduct(p *asm.Parser, out *[2][]int64) (err error) {
	if err = p.Expect("="); err != nil {
		return err
	}
	if out[0], err = parseList(p); err != nil {
		return err
	}
	if err = p.Keyword("x"); err != nil {
		return err
	}
	out[1], err = parseList(p)
	return err
}

func printProducts(p *asm.Printer, op *ir.Op, args []asm.DirectiveArg) {
	a := op.Attr(args[0].Name)
	if l, r := Dims(a, "lhs_batching_dimensions"), Dims(a, "rhs_batching_dimensions"); len(l)+len(r) > 0 {
		p.Text("batching_dims = ")
		printProduct(p, l, r)
		p.Text(", ")
	}
	p.Text("contracting_dims = ")
	printProduct(p, Dims(a, "lhs_contracting_dimensions"), Dims(a, "rhs_contracting_dimensions"))
}

func printProduct(p *asm.Printer, l, r []int64) {
	printList(p.Writer(), l)
	p.Text(" x ")
	printList(p.Writer(), r)
}

// parseFormat reads e8m23: how many bits of exponent and mantissa a number keeps.
func parseFormat(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
	pos := p.Pos()
	word, err := p.AnyKeyword()
	if err != nil {
		return err
	}
	var e, m int64
	if !scanFormat(word, &e, &m) {
		return p.Errorf(pos, "expected exponent mantissa in format e#m#, saw %s", word)
	}
	s.SetAttr(args[0].Name, p.Context().I32Attr(e))
	s.SetAttr(args[1].Name, p.Context().I32Attr(m))
	return nil
}

// scanFormat reads e, a number, m and a number.
func scanFormat(word string, e, m *int64) bool {
	rest, ok := word, true
	for i, out := range []*int64{e, m} {
		if rest == "" || rest[0] != "em"[i] {
			return false
		}
		n := 1
		for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' && n < 9 {
			*out = *out*10 + int64(rest[n]-'0')
			n++
		}
		ok = ok && n > 1
		rest = rest[n:]
	}
	return ok && rest == ""
}

func printFormat(p *asm.Printer, op *ir.Op, args []asm.DirectiveArg) {
	p.Text("e")
	p.Int(op.Attr(args[0].Name).(*ir.IntegerAttr).Value)
	p.Text("m")
	p.Int(op.Attr(args[1].Name).(*ir.IntegerAttr).Value)
}

// parseRanges reads [0:2, 1:4:2]: start, limit and stride of each dimension.
func parseRanges(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
	var lists [3][]int64
	if err := p.Expect("["); err != nil {
		return err
	}
	for !p.At("]") {
		if len(lists[0]) > 0 {
			if err := p.Expect(","); err != nil {
				return err
			}
		}
		stride := int64(1)
		start, err := p.Integer()
		if err != nil {
			return err
		}
		if err := p.Expect(":"); err != nil {
			return err
		}
		limit, err := p.Integer()
		if err != nil {
			return err
		}
		if p.Optional(":") {
			if stride, err = p.Integer(); err != nil {
				return err
			}
		}
		lists[0], lists[1], lists[2] = append(lists[0], start), append(lists[1], limit), append(lists[2], stride)
	}
	for i, a := range args {
		s.SetAttr(a.Name, p.Context().DenseI64Array(lists[i]...))
	}
	return p.Expect("]")
}

func printRanges(p *asm.Printer, op *ir.Op, args []asm.DirectiveArg) {
	starts, limits, strides := Ints(op.Attr(args[0].Name)), Ints(op.Attr(args[1].Name)), Ints(op.Attr(args[2].Name))
	p.Text("[")
	for i := range min(len(starts), len(limits), len(strides)) {
		if i > 0 {
			p.Text(", ")
		}
		p.Int(starts[i])
		p.Text(":")
		p.Int(limits[i])
		if strides[i] != 1 {
			p.Text(":")
			p.Int(strides[i])
		}
	}
	p.Text("]")
}
