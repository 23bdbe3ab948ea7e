// Package shapes_test tries folds and rewrites of shapes, views, slices, reshapes and vectors: programs are executed before and after
// passes, and what passes make must be valid. Short by default; the flag -all tries many more.
package shapes_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"

	"freehold/dialect"
	"freehold/driver"
	"freehold/exec/difftest"
	"freehold/exec/interp"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/rewrite"
	"freehold/pass"
)

// watch counts what happened in its context, by names of operations, and of operations and patterns.
type watch struct {
	mu                       sync.Mutex
	reached, folds, patterns map[string]int
	context                  *ir.Context
	set                      *rewrite.PatternSet
	passes                   map[string]*pass.OpPassManager
}

func (w *watch) count(m map[string]int, name string) {
	w.mu.Lock()
	m[name]++
	w.mu.Unlock()
}

// redefined returns a dialect with other definitions.
func redefined(d *ir.Dialect, defs []*ir.OpDef) *ir.Dialect {
	out := new(ir.Dialect)
	from, to := reflect.ValueOf(d).Elem(), reflect.ValueOf(out).Elem()
	for i := range from.NumField() {
		if from.Type().Field(i).IsExported() {
			to.Field(i).Set(from.Field(i))
		}
	}
	out.Ops = func() []*ir.OpDef { return defs }
	return out
}

// newWatch makes a context of all dialects, whose folds and canonicalization patterns are counted when they change something.
func newWatch() *watch {
	w := &watch{reached: map[string]int{}, folds: map[string]int{}, patterns: map[string]int{}, passes: map[string]*pass.OpPassManager{}}
	var ds []*ir.Dialect
	for _, d := range dialect.All() {
		var watched []*ir.OpDef
		for _, def := range d.OpDefs() {
			watched = append(watched, w.watchFold(def))
		}
		ds = append(ds, redefined(d, watched))
	}
	w.context = ir.NewContext(ds...)
	var list []rewrite.Pattern
	for _, n := range w.context.OpNames() {
		for _, p := range rewrite.CanonicalizationOf(n) {
			list = append(list, w.watchPattern(n.String(), p))
		}
	}
	for _, d := range w.context.Dialects() {
		patterns, _ := rewrite.DialectCanonicalization.OfDialect(d)
		for _, p := range patterns {
			list = append(list, w.watchPattern(d.Name, p))
		}
	}
	w.set = rewrite.NewPatternSet(w.context, list)
	return w
}

func (w *watch) watchFold(def *ir.OpDef) *ir.OpDef {
	if def.Fold == nil {
		return def
	}
	watched, fold := *def, def.Fold
	name := def.ID.String()
	watched.Fold = func(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
		r := fold(op, operands)
		if r != nil {
			w.count(w.folds, name)
		}
		return r
	}
	return &watched
}

func (w *watch) watchPattern(of string, p rewrite.Pattern) rewrite.Pattern {
	fn, name := p.Rewrite, of+" "+p.Name
	p.Rewrite = func(r *rewrite.Rewriter, op *ir.Op) bool {
		ok := fn(r, op)
		if ok {
			w.count(w.patterns, name)
		}
		return ok
	}
	return p
}

// parse returns a verified program, or the reason why it is none.
func (w *watch) parse(src string) (*ir.Op, error) {
	m, err := asm.Parse(w.context, []byte(src), "p.mlir", asm.ParseOptions{})
	if err == nil {
		err = ir.Verify(m)
	}
	return m, err
}

// passes are those that are tried on each program, beside the canonicalization.
var passes = []string{
	"fold-memref-alias-ops", "expand-strided-metadata", "cse", "loop-invariant-code-motion", "loop-invariant-subset-hoisting",
	"resolve-shaped-type-result-dims", "resolve-ranked-shaped-type-result-dims", "linalg-generalize-named-ops",
	"linalg-fold-unit-extent-dims", "eliminate-empty-tensors", "empty-tensor-to-alloc-tensor", "decompose-tensor-operations",
	"normalize-memrefs", "lower-affine",
}

// accepted has what checked memory finds in results of passes that is right all the same: an element that was never written may be moved
// one by one, and a view or slice that isn't used may be out of bounds.
var accepted = map[string]string{
	"decompose-tensor-operations": "an undefined element is read",
	"loop-invariant-code-motion":  "is out of bounds of dimension",
}

// run applies a pass, and verifies what becomes of the program.
func (w *watch) run(m *ir.Op, name string) error {
	if name == "canonicalize" {
		if _, ok := rewrite.ApplyPatternsGreedily(m, w.set, rewrite.Config{TopDown: true, Simplify: rewrite.SimplifyNormal}); !ok {
			return fmt.Errorf("doesn't converge")
		}
		return ir.Verify(m)
	}
	pm := w.passes[name]
	if pm == nil {
		var err error
		if pm, err = driver.Freehold().Registry().ParsePipeline("builtin.module(" + name + ")"); err != nil {
			return err
		}
		w.passes[name] = pm
	}
	return (&pass.Runner{VerifyEach: true, Threads: 1}).Run(pm, m)
}

func text(m *ir.Op) string { return string(asm.Print(m, asm.PrintOptions{})) }

// inputs say how a program is executed: difftest makes them up if args is nil.
type inputs struct{ sizes [][]int64 }

// outcome is what was found out about a program.
type outcome struct {
	valid, executed bool
	changed         int
}

// check executes a program before and after a pass, or all of them.
func (w *watch) check(src string, in *inputs, names ...string) (out outcome, failures []string) {
	m, err := w.parse(src)
	if err != nil {
		return out, nil
	}
	out.valid = true
	before := text(m)
	compare := w.difftest(m)
	if in != nil {
		compare = exactly(m, in)
	}
	for _, name := range names {
		after, err := w.parse(src)
		if err != nil {
			panic(err)
		}
		if err := w.run(after, name); err != nil {
			if name == "canonicalize" || strings.Contains(err.Error(), "see current operation") {
				failures = append(failures, fmt.Sprintf("%s: %v\n%s", name, err, src))
			}
			continue
		}
		t := text(after)
		if t == before {
			continue
		}
		out.changed++
		executed, d := compare(after)
		out.executed = out.executed || executed
		if strings.Contains(d, accepted[name]) && accepted[name] != "" {
			d = ""
		}
		if d != "" {
			failures = append(failures, fmt.Sprintf("%s: %s\n%s// becomes\n%s", name, d, src, t))
		}
	}
	if out.executed || out.changed == 0 {
		m.Walk(func(op *ir.Op) bool { w.count(w.reached, op.OpName().String()); return true })
	}
	return out, failures
}

// difftest compares programs with one, on inputs that are made up.
func (w *watch) difftest(m *ir.Op) func(after *ir.Op) (executed bool, difference string) {
	reference := difftest.NewReference(m, difftest.Options{Inputs: 6, MaxSteps: 200_000, MaxBytes: 1 << 20})
	return func(after *ir.Op) (bool, string) {
		r := reference.Compare(after, false)
		for _, fn := range r.Functions {
			for _, x := range fn.Mismatches {
				return true, fmt.Sprintf("%s: input %d: %s: %s", fn.Name, x.Input, x.What, x.Difference)
			}
			for _, x := range fn.Findings {
				return true, fmt.Sprintf("%s: input %d: %v", fn.Name, x.Input, x.Diagnostic)
			}
		}
		return r.Executed > 0, ""
	}
}

// numbers are the values of the first arguments of programs whose inputs are given, which stand for what no analysis knows.
var numbers = []int64{0, 1, 2, 3, 4, 6, 8, -1, -2}

// exactly compares programs with one whose function is @main: the first arguments are [numbers], and the others have the sizes that are
// given.
func exactly(m *ir.Op, in *inputs) func(after *ir.Op) (executed bool, difference string) {
	fn, err := interp.Entry(m, "main")
	if err != nil {
		panic(err)
	}
	args := func() []interp.Value {
		var out []interp.Value
		for i, a := range fn.BodyBlock(0).Args() {
			var v interp.Value
			var err error
			if i < len(numbers) {
				v = interp.Value{Type: a.Type(), Word: uint64(numbers[i])}
			} else if v, err = interp.Random(a.Type(), in.sizes[i-len(numbers)], rand.New(rand.NewPCG(5, uint64(i)))); err != nil {
				panic(err)
			}
			out = append(out, v)
		}
		return out
	}
	o := interp.Options{MaxSteps: 100_000, MaxBytes: 1 << 20}
	want, err := interp.Run(m, fn, args(), o)
	return func(after *ir.Op) (bool, string) {
		if err != nil || want.Stopped() != nil {
			return false, ""
		}
		fn, err := interp.Entry(after, "main")
		if err != nil {
			return true, err.Error()
		}
		got, err := interp.Run(after, fn, args(), o)
		if err != nil {
			return true, err.Error()
		}
		if f := got.Stopped(); f != nil {
			return true, fmt.Sprint(f.Diagnostic)
		}
		for i, v := range want.Values {
			if d := interp.Difference(v, got.Values[i], interp.Tolerance{}); d != "" {
				return true, fmt.Sprintf("result %d: %s", i, d)
			}
		}
		for i, v := range want.Buffers {
			if v.Tensor != nil {
				if d := interp.Difference(v, got.Buffers[i], interp.Tolerance{}); d != "" {
					return true, fmt.Sprintf("argument %d: %s", i, d)
				}
			}
		}
		if d, _ := interp.EffectDifference(want.Effects, got.Effects, interp.Tolerance{}); d != "" {
			return true, "effects: " + d
		}
		return true, ""
	}
}

// report fails a test for the first few failures.
func report(t *testing.T, failures []string) {
	t.Helper()
	for _, f := range failures {
		t.Error(f)
	}
}
