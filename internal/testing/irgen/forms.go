package irgen

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"freehold/dialect"
	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/linalg"
	"freehold/exec"
	"freehold/exec/interp"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
)

// form is a way in which an operation can be used: on values of some types, with some attributes.
type form struct {
	op      *ir.OpName
	in, out []string // the types
	attrs   string   // as the generic form spells them
	// inputs is the number of operands that aren't destinations, of a named structured operation; -1 for others.
	inputs int
}

// text returns the operation on values by their names, without its results.
func (x *form) text(operands []string) string {
	if x.inputs >= 0 {
		part := func(from, to int) string {
			return "(" + strings.Join(operands[from:to], ", ") + " : " + strings.Join(x.in[from:to], ", ") + ")"
		}
		s := x.op.String()
		if x.inputs > 0 {
			s += " ins" + part(0, x.inputs)
		}
		if s += " outs" + part(x.inputs, len(x.in)); len(x.out) > 0 {
			s += " -> " + strings.Join(x.out, ", ")
		}
		return s
	}
	attrs := ""
	if x.attrs != "" {
		attrs = " <{" + x.attrs + "}>"
	}
	return fmt.Sprintf("%q(%s)%s : (%s) -> (%s)", x.op.String(), strings.Join(operands, ", "), attrs, strings.Join(x.in, ", "), strings.Join(x.out, ", "))
}

// formFinder finds forms by trying: what an operation takes is said by its definition, and what of that fits by its verifier. So an
// operation that is defined anywhere is made up without further ado.
type formFinder struct {
	c      *ir.Context
	rnd    *rand.Rand
	b      *ir.Builder
	module *ir.Op
	fn     *ir.Op
	types  []ir.Type
	pool   []ir.Attribute
	// unexecuted finds operations that can't be executed as well, defined only those that are defined on some small numbers.
	unexecuted, defined bool
}

// formTries is how often each operation is tried, formsOfEach how many forms of one are kept.
const formTries, formsOfEach = 600, 6

// world has what operations are tried on: the types of values, and attributes where enumerations and defaults tell nothing.
type world struct {
	types, attrs []string
	// unexecuted tells that operations needn't be executable, defined that they must not be undefined on all values that were tried, as what
	// takes the bits of a tensor<4xi1> for positions: true is -1.
	unexecuted, defined bool
}

// findForms returns forms of operations that take or make a value of which about tells, if they are wanted, in lists of those of the same
// operation.
func findForms(w world, about func(t ir.Type) bool, wanted func(op *ir.Op) bool) (forms [][]form) {
	c := ir.NewContext(dialect.All()...)
	x := &formFinder{c: c, rnd: rand.New(rand.NewPCG(1, 2)), b: ir.NewBuilder(c), unexecuted: w.unexecuted, defined: w.defined}
	for _, s := range w.types {
		if t, err := asm.ParseType(c, s); err == nil {
			x.types = append(x.types, t)
		}
	}
	for _, s := range w.attrs {
		if a, err := asm.ParseAttr(c, s); err == nil {
			x.pool = append(x.pool, a)
		}
	}
	x.b.Loc = ir.Unknown
	x.module = builtin.NewModule(x.b)
	x.b.SetEnd(x.module.BodyBlock(0))
	x.fn = x.b.Insert(funcd.New(x.b, "main", c.Function(x.types, nil)))
	x.b.SetEnd(funcd.AddEntryBlock(x.fn))
	ret := funcd.NewReturn(x.b)
	x.b.SetBefore(ret)
	names := c.OpNames()
	slices.SortFunc(names, func(a, b *ir.OpName) int { return strings.Compare(a.String(), b.String()) })
	for _, n := range names {
		if list := x.formsOf(n, about, wanted); len(list) > 0 {
			forms = append(forms, list)
		}
	}
	return forms
}

// formsOf tries one operation.
func (x *formFinder) formsOf(n *ir.OpName, about func(t ir.Type) bool, wanted func(op *ir.Op) bool) (forms []form) {
	def := n.Def()
	_, whole := exec.Executable.OfName(n)
	_, scalar := exec.Elementwise.OfName(n)
	_, structured := interfaces.Structured.OfName(n)
	if !whole && !scalar && !structured && !x.unexecuted || len(def.Successors) > 0 || def.Traits.Has(ir.TraitTerminator) || len(def.Regions) > 0 && !structured {
		return nil
	}
	may := slices.ContainsFunc(def.Results, func(r ir.ResultDef) bool { return slices.ContainsFunc(x.fitting(r.Type), about) })
	fit := make([][]ir.Type, len(def.Operands))
	for i, o := range def.Operands {
		if fit[i] = x.fitting(o.Type); len(fit[i]) == 0 && o.Arity == ir.One || o.Arity == ir.VariadicOfVariadic {
			return nil
		}
		may = may || slices.ContainsFunc(fit[i], about)
	}
	if !may {
		return nil
	}
	seen := map[string]bool{}
	for k := range formTries {
		if k > formTries/3 && len(forms) == 0 {
			break
		}
		f, op := x.attempt(n, fit)
		if op == nil {
			continue
		}
		if text := f.text(make([]string, len(f.in))); !seen[text] && ir.Verify(op) == nil {
			seen[text] = true
			if mentions(op, about) && wanted(op) && x.executable() {
				forms = append(forms, f)
			}
		}
		op.Erase()
		if len(forms) == formsOfEach {
			break
		}
	}
	return forms
}

// mentions tells whether an operand or a result has a type.
func mentions(op *ir.Op, about func(t ir.Type) bool) bool {
	return slices.ContainsFunc(ir.TypesOf(op.Operands().Values()), about) || slices.ContainsFunc(ir.TypesOf(op.Results().Values()), about)
}

func (x *formFinder) executable() bool {
	return x.unexecuted || exec.NewProgram(x.module).Function(x.fn).Compile() == nil && (!x.defined || x.isDefined())
}

// definedTries is how many values of operands an operation is tried on that must be defined.
const definedTries = 8

// isDefined tells whether the operation is defined on some values: numbers that are not negative, and every second time indices of 0 and 1,
// which are most likely to be positions and sizes.
func (x *formFinder) isDefined() bool {
	for seed := range uint64(definedTries) {
		args, _, err := interp.Generator{Natural: true, Most: int64(seed % 2), Seed: seed}.Arguments(x.fn)
		if err != nil {
			return false
		}
		if res, err := interp.Run(x.module, x.fn, args, interp.Options{MaxSteps: 100_000}); err == nil && res.Stopped() == nil {
			return true
		}
	}
	return false
}

func (x *formFinder) fitting(t ir.TypeConstraint) (list []ir.Type) {
	for _, u := range x.types {
		if t.Match == nil || t.Match(u) {
			list = append(list, u)
		}
	}
	return list
}

// value returns an argument of a type.
func (x *formFinder) value(t ir.Type) *ir.Value {
	return x.fn.BodyBlock(0).Arg(slices.Index(x.types, t))
}

// attempt creates an operation that may be valid; nil if it is none.
func (x *formFinder) attempt(n *ir.OpName, fit [][]ir.Type) (form, *ir.Op) {
	def := n.Def()
	f := form{op: n, inputs: -1}
	s := ir.OpState{Name: n, Loc: ir.Unknown}
	counts := make([]int, len(def.Operands))
	var last ir.Type
	for i, o := range def.Operands {
		switch counts[i] = 1; o.Arity {
		case ir.Optional:
			counts[i] = x.rnd.IntN(2)
		case ir.Variadic:
			counts[i] = x.rnd.IntN(4)
		}
		if len(fit[i]) == 0 {
			counts[i] = 0
		}
		for range counts[i] {
			// Types that were taken before fit most often.
			if last == nil || x.rnd.IntN(2) == 0 || !slices.Contains(fit[i], last) {
				last = fit[i][x.rnd.IntN(len(fit[i]))]
			}
			s.Operands = append(s.Operands, x.value(last))
			f.in = append(f.in, last.String())
		}
	}
	if len(def.Regions) > 0 {
		return x.structured(n, f, s.Operands, counts)
	}
	if def.Traits.Has(ir.TraitAttrSizedOperandSegments) {
		s.SetAttr(ir.OperandSegmentsAttr, x.c.Segments(counts...))
	}
	if !x.attributes(def, &s) {
		return f, nil
	}
	ir.FillDefaults(&s)
	if def.InferTypes != nil {
		types, err := def.InferTypes(&s)
		if err != nil {
			return f, nil
		}
		s.Types = slices.Clone(types)
	} else if !x.results(def, &s) {
		return f, nil
	}
	for _, t := range s.Types {
		f.out = append(f.out, t.String())
	}
	op := x.b.Insert(x.b.CreateExact(&s))
	var words []string
	for _, a := range op.AllAttrs() {
		words = append(words, a.Name+" = "+a.Value.String())
	}
	f.attrs = strings.Join(words, ", ")
	return f, op
}

// structured creates a named structured operation, with its body.
func (x *formFinder) structured(n *ir.OpName, f form, operands []*ir.Value, counts []int) (form, *ir.Op) {
	if len(counts) != 2 {
		return f, nil
	}
	op, err := linalg.TryNamed(x.b, n.Def().ID, operands[:counts[0]], operands[counts[0]:])
	if err != nil {
		return f, nil
	}
	f.inputs = counts[0]
	for _, t := range ir.TypesOf(op.Results().Values()) {
		f.out = append(f.out, t.String())
	}
	return f, op
}

// attributes chooses attributes, and tells whether there are some that fit.
func (x *formFinder) attributes(def *ir.OpDef, s *ir.OpState) bool {
	for i := range def.Attrs {
		d := &def.Attrs[i]
		if d.Derived || (d.Optional || d.Default != nil) && x.rnd.IntN(2) == 0 {
			continue
		}
		var list []ir.Attribute
		switch e := d.Type.Enum; {
		case e != nil:
			for _, c := range e.Cases {
				list = append(list, x.c.EnumAttr(e, c.Value))
			}
		case d.Type.Kind == ir.UnitKind:
			list = append(list, ir.Unit)
		default:
			for _, a := range x.pool {
				if d.Accepts(a) {
					list = append(list, a)
				}
			}
		}
		switch {
		case len(list) > 0:
			s.SetAttr(d.Name, list[x.rnd.IntN(len(list))])
		case !d.Optional && d.Default == nil:
			return false
		}
	}
	return true
}

// results chooses the types of results, and tells whether there are some that fit.
func (x *formFinder) results(def *ir.OpDef, s *ir.OpState) bool {
	for _, r := range def.Results {
		n := 1
		if r.Arity != ir.One {
			n = x.rnd.IntN(2)
		}
		fit := x.fitting(r.Type)
		if len(fit) == 0 && n > 0 {
			return false
		}
		for range n {
			s.Types = append(s.Types, fit[x.rnd.IntN(len(fit))])
		}
	}
	return true
}

// gather calls add n times, and keeps what it writes where the program is good with it. program returns the whole.
func (g *cornerGen) gather(n int, good func(src string) bool, add func(), program func() string) string {
	for range n {
		names, results, text := g.names, len(g.results), g.text.String()
		if add(); !good(program()) {
			g.names, g.results = names, g.results[:results]
			g.text.Reset()
			g.text.WriteString(text)
		}
	}
	return program()
}

// parsed returns the module of a program; nil if it isn't valid.
func parsed(src string) *ir.Op {
	m, err := asm.Parse(ir.NewContext(dialect.All()...), []byte(src), "program.mlir", asm.ParseOptions{})
	if err != nil || ir.Verify(m) != nil {
		return nil
	}
	return m
}

func isValid(src string) bool { return parsed(src) != nil }

// runsOn is how many inputs a program must run on: positions that fit by chance fit on no other input.
const runsOn = 3

// runs tells whether a program is valid, and @main does nothing wrong for ordinary arguments, nor shows an address, which may be another
// one each time.
func runs(src string) bool {
	m := parsed(src)
	if m == nil {
		return false
	}
	fn, err := interp.Entry(m, "main")
	if err != nil {
		return false
	}
	for seed := range uint64(runsOn) {
		args, _, err := interp.Generator{Natural: true, Seed: seed}.Arguments(fn)
		if err != nil {
			return false
		}
		res, err := interp.Run(m, fn, args, interp.Options{MaxSteps: 100_000})
		if err != nil || res.Stopped() != nil || slices.ContainsFunc(res.Values, func(v interp.Value) bool { return v.Type == ir.Type(ir.Index) && v.Word >= 1<<32 }) {
			return false
		}
	}
	return true
}

// form chooses one, of a dialect that is chosen first every second time: some have few operations.
func (g *cornerGen) form(forms [][]form) form {
	list := pick(&g.writer, forms)
	if g.flip() {
		var dialects [][][]form
		for i, f := range forms {
			if i == 0 || f[0].op.Dialect() != forms[i-1][0].op.Dialect() {
				dialects = append(dialects, nil)
			}
			dialects[len(dialects)-1] = append(dialects[len(dialects)-1], f)
		}
		list = pick(&g.writer, pick(&g.writer, dialects))
	}
	return pick(&g.writer, list)
}

// mask returns a mask of four elements, all of which are set most often.
func (g *cornerGen) mask() string {
	return g.def("vector.constant_mask [%d] : vector<4xi1>", 4-g.choose(2)*g.choose(4))
}
