package exhaustive_test

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"freehold/compile"
	"freehold/dialect/arith"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/tensor"
	"freehold/exec"
	"freehold/internal/heapgoal"
	"freehold/internal/testing/naive"
	"freehold/ir"
	"freehold/ir/asm"
)

var (
	all      = flag.Bool("all", false, "try everything")
	programs = flag.Int("programs", 0, "the number of random trees in each world; 0 for what the other flags imply")
	seed     = flag.Uint64("seed", 1, "which random trees, and which part of all is tried without -all")
)

func TestMain(m *testing.M) {
	heapgoal.ForTests()
	m.Run()
}

// outcome is what an execution comes to: undefined behaviour, poison, or values.
type outcome struct {
	wrong, poison bool
	why           string
	op            *ir.Op // that is wrong
	kind          exec.Kind
	values        []any
}

func (o *outcome) String(types []ir.Type) string {
	switch {
	case o.wrong:
		return "undefined behaviour (" + o.why + ")"
	case o.poison:
		return "poison"
	}
	var s []string
	for i, v := range o.values {
		s = append(s, show(types[i], v))
	}
	return strings.Join(s, ", ")
}

// runner executes a function.
type runner struct {
	fn    *exec.Function
	m     *exec.Machine
	calls int
}

func newRunner(module, fn *ir.Op) (*runner, error) {
	r := &runner{fn: exec.NewProgram(module).Function(fn), m: exec.NewMachine()}
	return r, r.fn.Compile()
}

func (r *runner) run(args []any) outcome {
	in := exec.Values{W: make([]uint64, len(args)), O: make([]any, len(args))}
	for i, a := range args {
		if w, ok := a.(uint64); ok {
			in.W[i] = w
		}
		in.O[i] = a
	}
	if r.calls++; r.calls%64 == 0 {
		r.m = exec.NewMachine() // it keeps a list of the arguments
	}
	out, err := r.fn.Call(r.m, in, false)
	if err != nil {
		r.m = exec.NewMachine()
		var f *exec.Finding
		if !errors.As(err, &f) {
			return outcome{wrong: true, why: err.Error()}
		}
		if f.Kind == exec.PoisonUse && f.Op != nil && f.Op.Has(ir.TraitReturnLike) {
			return outcome{poison: true}
		}
		return outcome{wrong: true, why: f.Message, op: f.Op, kind: f.Kind}
	}
	o := outcome{}
	for i, t := range r.fn.Type().Results {
		if exec.IsWord(t) {
			o.values = append(o.values, out.W[i])
		} else {
			o.values = append(o.values, out.O[i])
		}
	}
	return o
}

// refines tells whether the outcome after may take the place of that before.
func refines(types []ir.Type, before, after outcome, sloppy bool) bool {
	switch {
	case before.wrong:
		return true
	case after.wrong:
		return false
	case before.poison:
		return true
	case after.poison:
		return false
	}
	for i, t := range types {
		if !same(t, before.values[i], after.values[i], sloppy) {
			return false
		}
	}
	return true
}

// batch is a module of programs, which grows until it is judged.
type batch struct {
	t         *testing.T
	w         *world
	rewrite   func(module *ir.Op) error
	module    *ir.Op
	list      []*program
	tried     int
	rewritten int
	executed  int
	reported  map[string]bool // what was reported, by the names of the operations
	runs      int             // how many lists of arguments a program is executed with, at most
	// compare compares a program before and after; nil for (*batch).compared.
	compare func(p *program, module, fn, newModule, newFn *ir.Op)
}

func newBatch(t *testing.T, w *world, rewrite func(module *ir.Op) error) *batch {
	b := &batch{t: t, w: w, rewrite: rewrite, module: newModule(w.ctx), reported: map[string]bool{}, runs: 300}
	if *all {
		b.runs = 4096
	}
	b.compare = b.compared
	return b
}

const batchSize = 1000

func (b *batch) add(trees ...*tree) {
	p := addProgram(b.module, fmt.Sprintf("f%d", len(b.list)), trees...)
	if p == nil {
		return
	}
	b.list = append(b.list, p)
	if len(b.list) == batchSize {
		b.judge()
	}
}

// judge rewrites the programs, and compares those that have changed.
func (b *batch) judge() {
	b.t.Helper()
	if len(b.list) == 0 {
		return
	}
	b.tried += len(b.list)
	before := ir.CloneDetached(b.module)
	err := b.rewrite(b.module)
	if err == nil {
		originals, functions := functionsOf(before), functionsOf(b.module)
		for _, p := range b.list {
			original, after := originals[p.name], functions[p.name]
			if after == nil || !slices.Equal(funcd.Type(after).Inputs, p.inputs) || after.BodyBlock(0) == nil {
				continue // another function has its place, as where buffers are for tensors
			}
			if !alike(original, after) {
				b.rewritten++
				b.compare(p, before, original, b.module, after)
			}
		}
	}
	b.module, b.list = newModule(b.w.ctx), b.list[:0]
}

// functionsOf returns the functions of a module by their names.
func functionsOf(module *ir.Op) map[string]*ir.Op {
	out := map[string]*ir.Op{}
	for op := range module.BodyBlock(0).Ops() {
		if name, ok := ir.SymbolName(op); ok && op.Is(funcd.Func) {
			out[name] = op
		}
	}
	return out
}

// alike tells whether two functions have the same operations.
func alike(f, g *ir.Op) bool {
	x, y := f.BodyBlock(0).First(), g.BodyBlock(0).First()
	at := map[*ir.Value]*ir.Value{}
	for i, a := range f.BodyBlock(0).Args() {
		at[a] = g.BodyBlock(0).Arg(i)
	}
	for x != nil && y != nil {
		if x.OpName() != y.OpName() || x.NumOperands() != y.NumOperands() || x.NumResults() != y.NumResults() || !slices.Equal(x.Props(), y.Props()) {
			return false
		}
		for i := range x.NumOperands() {
			if at[x.Operand(i)] != y.Operand(i) {
				return false
			}
		}
		for i, r := range x.Results().Values() {
			if r.Type() != y.Result(i).Type() {
				return false
			}
			at[r] = y.Result(i)
		}
		x, y = x.Next(), y.Next()
	}
	return x == nil && y == nil
}

// executable returns a module with what a function is lowered to, with its constants or what computes them (hidden), and the function in it.
func executable(fn *ir.Op, hidden bool) (module, lowered *ir.Op, err error) {
	module = newModule(fn.Context())
	b := ir.NewBuilder(fn.Context())
	b.SetEnd(module.BodyBlock(0))
	fn = b.Insert(ir.CloneDetached(fn))
	if hidden {
		hideConstants(fn)
	}
	if module, err = compile.Executable(module); err != nil {
		return nil, nil, err
	}
	name, _ := ir.SymbolName(fn)
	return module, functionsOf(module)[name], nil
}

// compared executes a program before and after.
func (b *batch) compared(p *program, module, fn, newModule, newFn *ir.Op) {
	b.t.Helper()
	sloppy, free := false, false
	for _, t := range p.trees {
		t.walk(func(x *instance) { sloppy, free = sloppy || x.sloppy, free || x.free })
	}
	if free {
		return
	}
	original, rewritten := fn, newFn
	if b.w.lowered {
		var err error
		// Lowering folds, too, and would do wrong what it is to judge: constants are hidden from it, where it needs none.
		if module, fn, err = executable(fn, true); err != nil {
			if module, fn, err = executable(original, false); err != nil {
				return
			}
		}
		if newModule, newFn, err = executable(newFn, false); err != nil {
			b.report(p, original, rewritten, "can't be lowered any more: "+err.Error())
			return
		}
	}
	r, err := newRunner(module, fn)
	if err != nil {
		return
	}
	s, err := newRunner(newModule, newFn)
	if err == nil && !slices.Equal(s.fn.Type().Results, r.fn.Type().Results) {
		return
	}
	if err != nil {
		b.report(p, original, rewritten, "can't be executed any more: "+err.Error())
		return
	}
	types := r.fn.Type().Results
	b.arguments(p.inputs, func(args []any) bool {
		b.executed++
		want := r.run(args)
		if want.wrong {
			return true
		}
		got := s.run(args)
		if refines(types, want, got, sloppy) || b.anything(module, fn, p.inputs, args, types, want, got) {
			return true
		}
		var list []string
		for i, a := range args {
			list = append(list, show(p.inputs[i], a))
		}
		b.report(p, original, rewritten, fmt.Sprintf("for (%s) it is %s, and was %s", strings.Join(list, ", "), got.String(types), want.String(types)))
		return false
	})
}

// hideConstants has the tensors that are constants in a function made element by element, which isn't folded.
func hideConstants(fn *ir.Op) {
	b := ir.NewBuilder(fn.Context())
	b.Loc = ir.Unknown
	for op := range fn.BodyBlock(0).Ops() {
		t, ok := ir.Type(nil), false
		if op.Is(arith.Constant) {
			t = op.Result(0).Type()
			_, ok = t.(*ir.RankedTensorType)
		}
		if !ok {
			continue
		}
		constant := op.Result(0)
		b.SetAfter(op)
		generated := tensor.NewGenerate(b, t.(*ir.RankedTensorType), nil, func(b *ir.Builder, indices []*ir.Value) *ir.Value {
			return tensor.NewExtract(b, constant, indices...)
		})
		constant.ReplaceUsesIf(generated, func(u *ir.Use) bool { return u.Owner().Block() == op.Block() && u.Owner() != generated.DefiningOp() })
	}
}

// anything tells whether the function may have that outcome, too: what the bits and the sign of NaN are isn't said, and
// what is poison may be a number that an operation can't take which takes poison.
func (b *batch) anything(module, fn *ir.Op, inputs []ir.Type, args []any, types []ir.Type, want, got outcome) bool {
	if got.wrong && got.kind == exec.Uninitialized && slices.ContainsFunc(want.values, hasPoison) {
		return true // package exec lets some operations read undefined elements of tensors, not all
	}
	if got.wrong && want.poison && got.op != nil {
		found := false
		fn.Walk(func(op *ir.Op) bool {
			found = found || op.OpName() == got.op.OpName()
			return !found
		})
		return found
	}
	if got.wrong || got.poison {
		return false
	}
	return b.naively(module, fn, inputs, args, types, got)
}

// hasPoison tells whether an element of a tensor or vector is undefined.
func hasPoison(v any) bool {
	t, ok := v.(*exec.Tensor)
	if !ok {
		return v == exec.PoisonValue
	}
	for i := range t.Elements() {
		if t.At(i) == exec.PoisonValue {
			return true
		}
	}
	return false
}

// naively tells whether package naive executes the function with that outcome.
func (b *batch) naively(module, fn *ir.Op, inputs []ir.Type, args []any, types []ir.Type, got outcome) bool {
	want, err := naive.Run(module, fn, naiveArguments(inputs, args), 1000)
	if err != nil {
		var wrong *naive.Wrong
		return errors.As(err, &wrong)
	}
	for i, v := range want {
		if !naive.Same(v, naive.Value(types[i], got.values[i])) {
			return false
		}
	}
	return true
}

func naiveArguments(inputs []ir.Type, args []any) (in []any) {
	for i, a := range args {
		if inputs[i] == nil {
			in = append(in, nil)
			continue
		}
		in = append(in, naive.Value(inputs[i], a))
	}
	return in
}

// arguments calls fn with all lists of arguments of the types, or, if there are too many, with some, until it returns false.
func (b *batch) arguments(types []ir.Type, fn func(args []any) bool) {
	total := 1
	domains := make([][]any, len(types))
	for i, t := range types {
		if t == nil {
			domains[i] = []any{uint64(0)}
		} else {
			domains[i] = b.w.domain(t)
		}
		total *= len(domains[i])
	}
	step := 1
	if total > b.runs {
		step = total/b.runs | 1
	}
	args := make([]any, len(types))
	for n := 0; n < total; n += step {
		k := n
		for i, d := range domains {
			args[i] = d[k%len(d)]
			k /= len(d)
		}
		if !fn(args) {
			return
		}
	}
}

// report reports a wrong program, once for those of the same operations.
func (b *batch) report(p *program, fn, newFn *ir.Op, what string) {
	b.t.Helper()
	key := ""
	for _, t := range p.trees {
		t.walk(func(x *instance) { key += x.name.String() + " " })
	}
	if b.reported[key] {
		return
	}
	b.reported[key] = true
	if len(b.reported) > 200 {
		b.t.FailNow()
	}
	b.t.Errorf("%s\n%s\n%s\n%s", p.trees[0], what, asm.Print(fn, asm.PrintOptions{}), asm.Print(newFn, asm.PrintOptions{}))
}

// byResult returns the instances that have a result of each type.
func (w *world) byResult() map[ir.Type][]*instance {
	out := map[ir.Type][]*instance{}
	for _, x := range w.instances {
		for _, t := range slices.Compact(slices.Clone(x.out)) {
			out[t] = append(out[t], x)
		}
	}
	return out
}

// singles adds functions of each instance: all, or some with random leaves.
func (b *batch) singles(r *rand.Rand, some int) {
	for _, x := range b.w.instances {
		if *all {
			b.w.leaves(x.in, nil, b.w.constantsOf, func(list []*tree, _ []ir.Type) { b.addAll(x, slices.Clone(list)) })
			continue
		}
		for range some {
			list, _ := b.w.randomLeaves(r, x.in, nil)
			b.addAll(x, list)
		}
		b.beside(r, x)
	}
	b.judge()
}

// beside tries an instance on one constant and arguments, with a few of the constants in each place: many folds ask for one that is neutral.
func (b *batch) beside(r *rand.Rand, x *instance) {
	if len(x.in) < 2 {
		return
	}
	for i, t := range x.in {
		all, some := b.w.constantsOf(t), 4
		if _, ok := t.(*ir.ComplexType); ok {
			some = 16 // of each part, four
		}
		first := 0
		if b.w.lowered {
			first, some = min(6, len(all)), 0 // zeros and one come first
		}
		for n := range min(first+some, len(all)) {
			list := make([]*tree, len(x.in))
			for k, u := range x.in {
				list[k] = &tree{arg: k, typ: u}
			}
			a := all[r.IntN(len(all))]
			if n < first {
				a = all[n]
			}
			list[i] = &tree{constant: a, typ: t}
			b.addAll(x, list)
		}
	}
}

// addAll adds the functions that return each result of an operation, and all.
func (b *batch) addAll(x *instance, kids []*tree) {
	var trees []*tree
	for i := range x.out {
		t := &tree{of: x, res: i, kids: kids}
		b.add(t)
		trees = append(trees, t)
	}
	if len(trees) > 1 {
		b.add(trees...)
	}
}

// pairs adds functions of two operations, one of which is an operand of the other: all, with some constants, or some random ones.
func (b *batch) pairs(r *rand.Rand, some int) {
	by := b.w.byResult()
	if !*all {
		for range some {
			outer := b.w.instances[r.IntN(len(b.w.instances))]
			if len(outer.in) == 0 {
				continue
			}
			at := r.IntN(len(outer.in))
			list := by[outer.in[at]]
			if len(list) == 0 {
				continue
			}
			inner := list[r.IntN(len(list))]
			kids, args := b.w.randomLeaves(r, inner.in, nil)
			rest, _ := b.w.randomLeaves(r, slices.Delete(slices.Clone(outer.in), at, at+1), args)
			b.addAll(outer, slices.Insert(rest, at, &tree{of: inner, res: slices.Index(inner.out, outer.in[at]), kids: kids}))
		}
		b.judge()
		return
	}
	few := func(t ir.Type) []ir.Attribute {
		c := b.w.constantsOf(t)
		if len(c) <= 5 {
			return c
		}
		// Others for each pair, so that all meet.
		k := r.IntN(len(c))
		return []ir.Attribute{c[k], c[(k+1+r.IntN(len(c)-1))%len(c)]}
	}
	for _, outer := range b.w.instances {
		for at, t := range outer.in {
			for _, inner := range by[t] {
				if inner.free || outer.free {
					continue
				}
				b.w.leaves(inner.in, nil, few, func(kids []*tree, args []ir.Type) {
					in := &tree{of: inner, res: slices.Index(inner.out, t), kids: slices.Clone(kids)}
					b.w.leaves(slices.Delete(slices.Clone(outer.in), at, at+1), args, few, func(list []*tree, _ []ir.Type) {
						// Of those with many leaves a part has to do.
						if n := len(list) + len(kids); n < 4 || r.IntN(1<<(2*(n-3))) == 0 {
							b.addAll(outer, slices.Insert(slices.Clone(list), at, in))
						}
					})
				})
			}
		}
	}
	b.judge()
}

// links adds functions of two operations of one dialect, one of which is an operand of the other, for each pair of their names, however many instances
// the operations have: beside a neutral constant, or one that undoes much, and with random constants beside both. Most rewritings of several operations are
// about such pairs, which are rare among random ones.
func (b *batch) links(r *rand.Rand, some int) {
	type place struct {
		outer *ir.OpName
		at    int
		inner *ir.OpName
	}
	type link struct{ outer, inner *instance }
	links, order := map[place][]link{}, []place(nil)
	by := b.w.byResult()
	for _, outer := range b.w.instances {
		for at, t := range outer.in {
			for _, inner := range by[t] {
				if inner.name.Dialect() != outer.name.Dialect() || inner.free || outer.free {
					continue
				}
				p := place{outer.name, at, inner.name}
				if links[p] == nil {
					order = append(order, p)
				}
				links[p] = append(links[p], link{outer, inner})
			}
		}
	}
	add := func(p place, kids func(types []ir.Type, args []ir.Type) ([]*tree, []ir.Type), constant func(t ir.Type) ir.Attribute) {
		x := links[p][r.IntN(len(links[p]))]
		in, _ := kids(x.inner.in, nil)
		list := make([]*tree, len(x.outer.in))
		for i, t := range x.outer.in {
			list[i] = &tree{constant: constant(t), typ: t}
		}
		list[p.at] = &tree{of: x.inner, res: slices.Index(x.inner.out, x.outer.in[p.at]), kids: in}
		if complete(list[p.at]) && !slices.ContainsFunc(list, func(t *tree) bool { return t.of == nil && t.constant == nil }) {
			b.addAll(x.outer, list)
		}
	}
	any := func(t ir.Type) ir.Attribute {
		if c := b.w.constantsOf(t); len(c) > 0 {
			return c[r.IntN(len(c))]
		}
		return nil
	}
	arguments := func(types, _ []ir.Type) (list []*tree, _ []ir.Type) {
		for i, t := range types {
			list = append(list, &tree{arg: i, typ: t})
		}
		return list, types
	}
	for _, p := range order {
		for k := range 3 {
			add(p, arguments, func(t ir.Type) ir.Attribute { return neutral(b.w.constantsOf(t), k) })
		}
		for range some {
			add(p, func(types, args []ir.Type) ([]*tree, []ir.Type) {
				list, args := arguments(types, args)
				if n := len(list) - 1; n > 0 {
					list[n] = &tree{constant: any(types[n]), typ: types[n]}
				}
				return list, args
			}, any)
		}
	}
	b.judge()
}

// neutral returns zero, one, or all bits set, by k, if it is among the constants; otherwise the one at k from the start, and nil if there is none.
func neutral(constants []ir.Attribute, k int) ir.Attribute {
	for _, a := range constants {
		if n, ok := a.(*ir.IntegerAttr); ok && n.Value == []int64{0, 1, -1}[k] {
			return a
		}
	}
	if k < len(constants) {
		return constants[k]
	}
	return nil
}

// twins adds functions of an operation two of whose operands are operations of the same name, with random leaves: some of all, or some of
// each.
func (b *batch) twins(r *rand.Rand, some int) {
	by := b.w.byResult()
	add := func(outer *instance, i, j int, x, y *instance) {
		kids, args := b.w.randomLeaves(r, x.in, nil)
		others, args := b.w.randomLeaves(r, y.in, args)
		list, _ := b.w.randomLeaves(r, outer.in, args)
		list[i] = &tree{of: x, res: slices.Index(x.out, outer.in[i]), kids: kids}
		list[j] = &tree{of: y, res: slices.Index(y.out, outer.in[j]), kids: others}
		b.addAll(outer, list)
	}
	for range some {
		outer := b.w.instances[r.IntN(len(b.w.instances))]
		if len(outer.in) < 2 {
			continue
		}
		i := r.IntN(len(outer.in))
		j := (i + 1 + r.IntN(len(outer.in)-1)) % len(outer.in)
		xs := by[outer.in[i]]
		if len(xs) == 0 {
			continue
		}
		x := xs[r.IntN(len(xs))]
		var ys []*instance
		for _, y := range by[outer.in[j]] {
			if y.name == x.name {
				ys = append(ys, y)
			}
		}
		if len(ys) > 0 {
			add(outer, i, j, x, ys[r.IntN(len(ys))])
		}
	}
	b.judge()
}

// randoms adds n random trees.
func (b *batch) randoms(r *rand.Rand, n int) {
	by := b.w.byResult()
	types := slices.Collect(maps.Keys(by))
	slices.SortFunc(types, func(x, y ir.Type) int { return strings.Compare(x.String(), y.String()) })
	for range n {
		var args []ir.Type
		var shared []*tree
		t := b.w.random(r, types[r.IntN(len(types))], 2+r.IntN(3), by, &args, &shared)
		if t != nil && t.of != nil && complete(t) {
			b.addAll(t.of, t.kids)
		}
	}
	b.judge()
}

// complete tells whether all leaves have been found.
func complete(t *tree) bool {
	return !slices.ContainsFunc(t.kids, func(k *tree) bool { return k == nil || !complete(k) })
}

func (b *batch) log() {
	b.t.Helper()
	b.t.Logf("%d operations, %d programs, %d changed, %d executions", len(b.w.instances), b.tried, b.rewritten, b.executed)
	if b.tried == 0 {
		b.t.Error("nothing was tried")
	}
}
