package emitc

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"freehold/dialect/affine"
	"freehold/ir"
)

func affineEmitters() map[*ir.OpID]emitter {
	return map[*ir.OpID]emitter{
		affine.Apply: emitApply,
		affine.Min: func(f *function, op *ir.Op) {
			f.result(op.Result(0), f.extremeOf("<", f.mapped(op, affine.MapOf(op), op.Operands())))
		},
		affine.Max: func(f *function, op *ir.Op) {
			f.result(op.Result(0), f.extremeOf(">", f.mapped(op, affine.MapOf(op), op.Operands())))
		},
		affine.Load:             emitAffineLoad,
		affine.Store:            emitAffineStore,
		affine.VectorLoad:       emitAffineVector,
		affine.VectorStore:      emitAffineVector,
		affine.For:              emitAffineFor,
		affine.If:               emitAffineIf,
		affine.Parallel:         emitAffineParallel,
		affine.Prefetch:         func(*function, *ir.Op) {},
		affine.DelinearizeIndex: emitDelinearize,
		affine.LinearizeIndex:   emitLinearize,
	}
}

// term is a C expression of an index, with what it may be.
type term struct {
	text string
	interval
}

// terms returns values as terms.
func (f *function) terms(values []*ir.Value) []term {
	out := make([]term, len(values))
	for i, v := range values {
		out[i] = term{f.value(v), f.rangeOf(v)}
	}
	return out
}

// affineExpr returns an affine expression over C expressions.
func (f *function) affineExpr(e *ir.AffineExpr, dims, syms []term) string {
	switch e.Kind {
	case ir.AffineConst:
		return constant(e.Value)
	case ir.AffineDim:
		return dims[e.Value].text
	case ir.AffineSymbol:
		return syms[e.Value].text
	}
	if f.mayLeave(e, dims, syms) {
		return f.wrapping(e, dims, syms)
	}
	a, b := f.affineExpr(e.LHS, dims, syms), f.affineExpr(e.RHS, dims, syms)
	switch e.Kind {
	case ir.AffineAdd:
		if strings.HasPrefix(b, "-") && !strings.Contains(b, " ") && len(b) > 1 && (b[1] < '0' || b[1] > '9') {
			return a + " - " + b[1:]
		}
		return sum(a, b)
	case ir.AffineMul:
		if b == "-1" {
			return "-" + factor(a)
		}
		return mul(a, b)
	}
	c := f.m.types.index()
	name := map[ir.AffineKind]string{ir.AffineMod: "fh_mod", ir.AffineFloorDiv: "fh_floordiv", ir.AffineCeilDiv: "fh_ceildiv"}[e.Kind]
	text := map[ir.AffineKind]string{
		ir.AffineMod:      "return a % b < 0 ? a % b + b : a % b;",
		ir.AffineFloorDiv: "return a / b - (a % b < 0);",
		ir.AffineCeilDiv:  "return a / b + (a % b > 0);",
	}[e.Kind]
	f.m.helpers.define(name, fmt.Sprintf("static inline %s %s(%s a, %s b) { %s }", c, name, c, c, text))
	return name + "(" + a + ", " + b + ")"
}

// mapped returns the results of a map of operands.
func (f *function) mapped(op *ir.Op, m *ir.AffineMap, operands ir.Operands) []string {
	return f.mappedTerms(m, f.terms(operands.Values()))
}

// mappedCounters returns the results of a map of counters that run over the elements of buffers.
func (f *function) mappedCounters(m *ir.AffineMap, counters []string) []string {
	values := make([]term, len(counters))
	for i, c := range counters {
		values[i] = term{c, f.m.counted()}
	}
	return f.mappedTerms(m, values)
}

func (f *function) mappedTerms(m *ir.AffineMap, values []term) []string {
	out := make([]string, len(m.Results))
	for i, e := range m.Results {
		out[i] = f.affineExpr(e, values[:m.Dims], values[m.Dims:])
	}
	return out
}

// extremeOf returns the least or greatest of some numbers.
func (f *function) extremeOf(sign string, list []string) string {
	if len(list) == 0 {
		panic(refused{f.op.PlainErrorf("a map without results has no least or greatest one")})
	}
	e := list[0]
	for _, x := range list[1:] {
		a, b := f.pinned("bound", e), f.pinned("bound", x)
		e = a + " " + sign + " " + b + " ? " + a + " : " + b
	}
	return e
}

func emitApply(f *function, op *ir.Op) {
	f.result(op.Result(0), f.mapped(op, affine.MapOf(op), op.Operands())[0])
}

func emitAffineLoad(f *function, op *ir.Op) {
	o := affine.AccessOp{Op: op}
	f.load(op, o.MemRef(), f.mapped(op, o.Map(), o.MapOperands()))
}

func emitAffineStore(f *function, op *ir.Op) {
	o := affine.AccessOp{Op: op}
	f.store(op, o.Value(), o.MemRef(), f.mapped(op, o.Map(), o.MapOperands()))
}

// emitAffineVector copies between a vector and the elements from a position on.
func emitAffineVector(f *function, op *ir.Op) {
	o := affine.AccessOp{Op: op}
	v := o.Value()
	if v == nil {
		v = op.Result(0)
	}
	f.vectorAccess(op, o.MemRef(), f.mapped(op, o.Map(), o.MapOperands()), v, op.NumResults() == 0)
}

func emitAffineFor(f *function, op *ir.Op) {
	o := affine.ForOp{Op: op}
	lower := f.extremeOf(">", f.mapped(op, o.LowerMap(), o.LowerOperands()))
	upper := f.extremeOf("<", f.mapped(op, o.UpperMap(), o.UpperOperands()))
	upper = f.pinned("limit", upper)
	f.carried(op, o.Inits().Values(), o.IterArgs())
	f.loop(op, o.InductionVar(), lower, upper, constant(o.Step()), false)
	f.body(op, op.RegionAt(0), scoped(op), f.yields(op, o.IterArgs()))
	f.close()
	f.left(op, o.IterArgs())
}

func emitAffineIf(f *function, op *ir.Op) {
	set := affine.IfOp{Op: op}.Set()
	values := f.terms(op.Operands().Values())
	var tests []string
	for i, e := range set.Constraints {
		sign := " >= 0"
		if set.Eq[i] {
			sign = " == 0"
		}
		tests = append(tests, f.affineExpr(e, values[:set.Dims], values[set.Dims:])+sign)
	}
	if len(tests) == 0 {
		tests = []string{"1"}
	}
	results := f.results(op)
	f.openf("if (%s)", strings.Join(tests, " && "))
	f.body(op, op.RegionAt(0), scoped(op), f.yields(op, results))
	if !op.RegionAt(1).Empty() && !isEmpty(op.RegionAt(1)) {
		f.otherwise()
		f.body(op, op.RegionAt(1), scoped(op), f.yields(op, results))
	}
	f.close()
}

func emitAffineParallel(f *function, op *ir.Op) {
	o := affine.ParallelOp{Op: op}
	kinds := o.Reductions()
	for i, r := range op.Results().Values() {
		f.scalars[r] = f.variable(nameOf(r), f.ctype(op, r.Type()), f.neutral(op, kinds[i], r.Type()))
	}
	lower, upper := f.mapped(op, o.LowerMap(), o.LowerOperands()), f.mapped(op, o.UpperMap(), o.UpperOperands())
	lowerGroups, upperGroups, steps := o.LowerGroups(), o.UpperGroups(), o.Steps()
	ivs := o.Body().Args()
	lo, hi := make([]string, len(ivs)), make([]string, len(ivs))
	for d := range ivs {
		lo[d] = f.pinned("low", f.extremeOf(">", lower[:lowerGroups[d]]))
		hi[d] = f.pinned("limit", f.extremeOf("<", upper[:upperGroups[d]]))
		lower, upper = lower[lowerGroups[d]:], upper[upperGroups[d]:]
	}
	for d, iv := range ivs {
		f.loop(op, iv, lo[d], hi[d], constant(steps[d]), false)
	}
	f.body(op, op.RegionAt(0), scoped(op), func(t *ir.Op) {
		for i := range t.NumOperands() {
			r := op.Result(i)
			f.assign(f.value(r), f.combined(op, kinds[i], r.Type(), f.value(t.Operand(i)), f.value(r)))
		}
	})
	f.closeAll(len(ivs))
}

// neutral returns what a reduction starts with.
func (f *function) neutral(op *ir.Op, kind string, t ir.Type) string {
	c := op.Context()
	if ft, ok := t.(*ir.FloatType); ok {
		x := map[string]float64{"mulf": 1, "maximumf": math.Inf(-1), "maxnumf": math.Inf(-1), "minimumf": math.Inf(1), "minnumf": math.Inf(1)}[kind]
		return f.literal(op, t, c.FloatAttr(ft, x))
	}
	w := f.m.width(t)
	n := int64(0)
	switch kind {
	case "muli":
		n = 1
	case "andi", "minu":
		n = -1
	case "maxs":
		n = -1 << (w - 1)
	case "mins":
		n = 1<<(w-1) - 1
	}
	return f.literal(op, t, c.IntegerAttr(t, n))
}

func emitLinearize(f *function, op *ir.Op) {
	o := affine.LinearizeIndexOp{Op: op}
	c := op.Context()
	terms := []term{{text: "0"}}
	n := c.AffineConstant(0)
	add := func(v *ir.Value) *ir.AffineExpr {
		terms = append(terms, f.terms([]*ir.Value{v})...)
		return c.AffineDim(len(terms) - 1)
	}
	for i, digit := range o.Digits().Values() {
		if i > 0 {
			by := c.AffineConstant(o.Radices()[i-1].Const)
			if v := o.Radices()[i-1].Value; v != nil {
				by = add(v)
			}
			n = c.AffineMul(n, by)
		}
		n = c.AffineAdd(n, add(digit))
	}
	f.result(op.Result(0), f.affineExpr(n, terms, nil))
}

func emitDelinearize(f *function, op *ir.Op) {
	rest := f.value(affine.DelinearizeIndexOp{Op: op}.LinearIndex())
	c := op.Context()
	for i, x := range slices.Backward(affine.DelinearizeIndexOp{Op: op}.Radices()) {
		by, symbols := c.AffineConstant(x.Const), []term(nil)
		if x.Value != nil {
			by, symbols = c.AffineSymbol(0), f.terms([]*ir.Value{x.Value})
		}
		dims := []term{{rest, f.m.anyIndex()}}
		f.result(op.Result(i+1), f.affineExpr(c.AffineMod(c.AffineDim(0), by), dims, symbols))
		rest = f.pinned("rest", f.affineExpr(c.AffineFloorDiv(c.AffineDim(0), by), dims, symbols))
	}
	f.result(op.Result(0), rest)
}
