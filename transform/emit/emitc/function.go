package emitc

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"freehold/dialect/funcd"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// function is a function of the program while it is written.
type function struct {
	Function
	m  *module
	op *ir.Op
	// static functions are seen in the file only.
	static bool
	// signature is the declaration, without a semicolon.
	signature string
	// text is the definition.
	text bytes.Buffer

	names *names
	*lines
	// scalars are the C expressions for values that are numbers or vectors, and memrefs what is known of buffers.
	scalars map[*ir.Value]string
	memrefs map[*ir.Value]*ref
	// scopes are the scopes of stack allocations that are open, the innermost one last.
	scopes []*stackScope
	// params are the C names of the arguments, and constants the positions of those that point to what is constant.
	params    []string
	constants []int
	// place is the position that was last told.
	place string
	// nest has the names of the indices of the loop nest whose body is being written, and nestSizes how many of each there are.
	nest, nestSizes []string
	// fills are the fills that were left to the nests that follow.
	fills map[*ir.Op]*ir.Op
	// ranges are the intervals of indices that were asked for.
	ranges map[*ir.Value]interval
}

// refused is what ends the writing of a function.
type refused struct{ err error }

// fail ends the writing of the function: the operation can't be written.
func (f *function) fail(op *ir.Op, format string, args ...any) {
	panic(refused{refuse(op, format, args...)})
}

// ctype returns the C type of values of a type in an operation.
func (f *function) ctype(op *ir.Op, t ir.Type) string {
	c, err := f.m.types.of(t)
	if err != nil {
		f.fail(op, "%v", err)
	}
	return c
}

// named gives the function its name.
func (f *function) named() {
	f.Symbol, _ = ir.SymbolName(f.op)
	f.static = ir.IsPrivate(f.op) && f.op.BodyBlock(0) != nil && f.m.called[f.op]
	if f.op.BodyBlock(0) == nil {
		f.Name = f.m.elsewhere[f.op]
	} else {
		f.Name = f.m.scope.fresh(f.Symbol + f.m.o.Suffix)
	}
}

// declare finds the types of the function, and the names of its arguments.
func (f *function) declare() error {
	f.names = newNames(f.m.scope)
	t := functionType(f.op)
	slots := func(types []ir.Type) (out []Slot, err error) {
		for _, typ := range types {
			s, err := f.slot(typ)
			if err != nil {
				return nil, ir.Errorf(f.op.Loc(), "function @%s can't be written in C: %v", f.Symbol, err)
			}
			out = append(out, s)
		}
		return out, nil
	}
	var err error
	if f.Params, err = slots(t.Inputs); err != nil {
		return err
	}
	if f.Results, err = slots(t.Results); err != nil {
		return err
	}
	if len(f.Results) > 1 && !f.m.values[f.op] {
		f.Returns = f.m.scope.fresh(f.Name + "_results")
	} else if f.Returns, err = f.m.types.returned(t.Results); err != nil {
		return err
	}
	var params []string
	for i, p := range f.Params {
		base, c := "arg"+strconv.Itoa(i), p.C
		if interfaces.ArgAttr(f.op, i, memref.ArenaAttr) != nil {
			base = "arena"
		}
		if p.Plain && f.onlyReads(i) {
			f.constants = append(f.constants, i)
			c = "const " + c
		}
		name := f.names.fresh(base)
		f.params = append(f.params, name)
		params = append(params, declaration(c, name))
	}
	if len(params) == 0 {
		params = []string{"void"}
	}
	f.signature = declaration(f.Returns, f.Name+"("+strings.Join(params, ", ")+")")
	if f.static {
		f.signature = "static " + f.signature
	}
	return nil
}

// onlyReads tells whether nothing of the function writes into the buffer that an argument is, or hands it on.
func (f *function) onlyReads(i int) bool {
	b := f.op.BodyBlock(0)
	return b != nil && !f.m.values[f.op] && isOnlyRead(b.Arg(i))
}

// isOnlyRead tells whether a buffer is only read, by the names of it that are views.
func isOnlyRead(v *ir.Value) bool {
	for _, u := range v.Uses() {
		op := u.Owner()
		view := interfaces.ViewLike.Has(op) || interfaces.OtherView.Has(op)
		switch {
		case interfaces.MayWrite(u), op.Is(memref.Store) && u.Index() == 0, op.Has(ir.TraitTerminator), op.NumSuccessors() > 0, op.NumRegions() > 0 && !interfaces.Structured.Has(op):
			return false
		}
		for _, r := range op.Results().Values() {
			if ir.IsMemRef(r.Type()) && (!view || !isOnlyRead(r)) {
				return false
			}
		}
	}
	return true
}

// slot describes an argument or result.
func (f *function) slot(t ir.Type) (s Slot, err error) {
	s.Type = t
	if s.C, err = f.m.types.of(t); err != nil {
		return s, err
	}
	if m, ok := t.(*ir.MemRefType); ok {
		s.Plain = f.m.types.isPlain(m)
	}
	if ir.IsMemRef(t) {
		s.Element, err = f.m.types.of(ir.ElementType(t))
	}
	return s, err
}

// resultsType returns the definition of the structure of several results, or "".
func (f *function) resultsType() string {
	if len(f.Results) < 2 || f.m.types.defined[f.Returns] {
		return ""
	}
	types := make([]string, len(f.Results))
	for i, r := range f.Results {
		types[i] = r.C
	}
	return resultsStruct(f.Returns, types) + "\n"
}

// write writes the definition.
func (f *function) write() (err error) {
	defer func() {
		if r := recover(); r != nil {
			x, ok := r.(refused)
			if !ok {
				panic(r)
			}
			err = x.err
		}
	}()
	f.lines = newLines()
	f.scalars, f.memrefs = map[*ir.Value]string{}, map[*ir.Value]*ref{}
	f.ranges, f.fills = map[*ir.Value]interval{}, map[*ir.Op]*ir.Op{}
	f.sayThatItWrites()
	for i, a := range f.op.BodyBlock(0).Args() {
		f.bind(a, f.params[i])
		if r := f.memrefs[a]; r != nil {
			r.root, r.kind = a, fromOutside
			if slices.Contains(f.constants, i) {
				r.constant = "(" + f.Params[i].C + ")"
				r.allocated = r.constant + r.allocated
			}
			if memref.IsArena(a) {
				r.kind = allocated // for this call, and so apart from all others
			}
			if t := a.Type().(*ir.MemRefType); f.m.types.isPlain(t) {
				n, _ := ir.NumElements(t.Shape)
				r.to, r.bounded = n*ir.StorageBytes(t.Elem), true
			}
		}
	}
	f.openScope(f.op.RegionAt(0))
	f.region(f.op, f.op.RegionAt(0), f.leave)
	f.closeScope()
	if f.o().Lines {
		f.text.WriteString("/* @" + comment(f.Symbol) + " */\n")
	}
	f.text.WriteString(f.signature + " {\n")
	writeLines(&f.text, f.rescoped(f.finished(f.params), f.params))
	f.text.WriteString("}\n")
	return nil
}

func (f *function) o() *Options { return &f.m.o }

// leave returns from the function.
func (f *function) leave(op *ir.Op) {
	if !op.Is(funcd.Return) {
		f.fail(op, "there is nothing for it in C")
	}
	f.releaseAll()
	switch op.NumOperands() {
	case 0:
		if f.op.RegionAt(0).NumBlocks() > 1 {
			f.line("return;")
		}
	case 1:
		f.linef("return %s;", f.passed(op, op.OnlyOperand()))
	default:
		values := make([]string, op.NumOperands())
		for i := range values {
			values[i] = f.passed(op, op.Operand(i))
		}
		f.linef("return (%s){%s};", f.Returns, strings.Join(values, ", "))
	}
}

// line adds a statement.
func (f *function) line(text string) { f.add(&line{text: text, reads: text}) }

func (f *function) linef(format string, args ...any) { f.line(fmt.Sprintf(format, args...)) }

// open adds a line that opens a block.
func (f *function) openf(format string, args ...any) {
	f.line(strings.TrimLeft(fmt.Sprintf(format, args...)+" {", " "))
	f.indent++
}

// close closes the block that was opened last.
func (f *function) close() {
	f.indent--
	f.line("}")
}

// define adds the definition of a constant of a C type, and returns its name.
func (f *function) define(base, ctype, value string) string {
	name := f.names.fresh(base)
	if strings.HasSuffix(ctype, "*") {
		ctype += "const"
	} else {
		ctype = "const " + ctype
	}
	text := ctype + " " + name + " = " + value + ";"
	f.add(&line{kind: definition, name: name, text: text, reads: value, fixed: !strings.HasPrefix(value, "{") && !strings.HasSuffix(ctype, "const")})
	return name
}

// variable adds the definition of a variable of a C type, with a first value if that isn't empty, and returns its name.
func (f *function) variable(base, ctype, value string) string {
	name := f.names.fresh(base)
	text := declaration(ctype, name)
	if value != "" {
		text += " = " + value
	}
	f.add(&line{kind: definition, name: name, text: text + ";", reads: value})
	return name
}

// assign gives a variable a value.
func (f *function) assign(name, value string) {
	if name != value {
		f.add(&line{kind: assignment, name: name, text: name + " = " + value + ";", reads: value})
	}
}

// result defines the result of an operation that is a number or vector.
func (f *function) result(v *ir.Value, value string) {
	if isAtom(value) {
		f.scalars[v] = value
		return
	}
	f.scalars[v] = f.define(nameOf(v), f.ctype(v.DefiningOp(), v.Type()), value)
}

// isAtom tells whether an expression is a name or a number.
func isAtom(e string) bool {
	for i := range len(e) {
		c := e[i]
		if !(c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9') {
			return false
		}
	}
	return true
}

// value returns the expression of a value that is a number or vector.
func (f *function) value(v *ir.Value) string {
	s, ok := f.scalars[v]
	if !ok {
		panic(refused{ir.Errorf(v.Loc(), "a value of type '%s' can't be written in C", v.Type())})
	}
	return s
}

// values returns the expressions of values.
func (f *function) values(vs []*ir.Value) []string {
	out := make([]string, len(vs))
	for i, v := range vs {
		out[i] = f.value(v)
	}
	return out
}

// bind makes the C variable of a name what stands for a value.
func (f *function) bind(v *ir.Value, name string) {
	switch t := v.Type().(type) {
	case *ir.MemRefType:
		f.memrefs[v] = f.refOf(t, name)
	default:
		f.scalars[v] = name
	}
}

// passed returns a value as it is assigned, passed to functions and returned.
func (f *function) passed(op *ir.Op, v *ir.Value) string {
	if t, ok := v.Type().(*ir.MemRefType); ok {
		return f.passedRef(op, f.memref(v), t)
	}
	return f.value(v)
}

// at tells where an operation comes from, if that wasn't just told.
func (f *function) at(op *ir.Op) {
	p, ok := ir.SourcePos(op.Loc())
	if !ok {
		return
	}
	place := fmt.Sprintf("%s:%d", p.File(), p.Line)
	if place == f.place {
		return
	}
	f.place = place
	if f.o().Lines {
		f.line(fmt.Sprintf("#line %d %s", p.Line, quoted(p.File())))
		return
	}
	f.add(&line{text: "/* " + comment(fmt.Sprintf("line %d: %s", p.Line, op.Name())) + " */"})
}

// quoted returns a string literal.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteString("\\" + string(c))
		case c < ' ' || c > '~' || c == '?':
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + `"`
}
