package pass_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"freehold/ir"
	"freehold/pass"
)

// builds counts how often what is built. The analysis of an operation is how many
// operations with a mark are in it.
type builds struct{ total atomic.Int64 }

func (b *builds) analysis(name string) *pass.Analysis[int] {
	return pass.NewAnalysis(name, func(op *ir.Op) (n int) {
		b.total.Add(1)
		op.Walk(func(o *ir.Op) bool {
			if o.DiscardableAttr("mark") != nil {
				n++
			}
			return true
		})
		return n
	})
}

// step is a pass of the tests: what it does on an operation, and what it says it uses.
type step struct {
	name string
	on   string // "func.func", "builtin.module", or empty for a body on functions
	uses []pass.AnyAnalysis
	do   func(c *pass.Context, op *ir.Op) error
}

func (s step) pass() *pass.Pass {
	declare := func(_ *pass.None, d *pass.Decl) { d.Uses(s.uses...) }
	body := func(c *pass.Context, _ *pass.None, op *ir.Op) error { return s.do(c, op) }
	if s.on != "" {
		return pass.New(pass.Info{Name: s.name, On: s.on}, declare, pass.OnModule(body)).Pass
	}
	return pass.New(pass.Info{Name: s.name}, declare, pass.OnFunctions(func(*ir.Context, *pass.None) pass.Functions[pass.None] {
		return pass.Functions[pass.None]{
			Parts: func(op *ir.Op) (parts []*ir.Op) {
				if op.Name() == "func.func" {
					return []*ir.Op{op}
				}
				for f := range op.BodyBlock(0).Ops() {
					parts = append(parts, f)
				}
				return parts
			},
			Worker: func(*ir.Arena) func(*pass.Context, pass.None, *ir.Op) error {
				return func(c *pass.Context, _ pass.None, fn *ir.Op) error { return s.do(c, fn) }
			},
		}
	})).Pass
}

// An analysis is built again just where a pass may have made it wrong.
func TestAnalysesAreKept(t *testing.T) {
	const functions = 3
	var b builds
	marks, other := b.analysis("marks"), b.analysis("other")
	uses := []pass.AnyAnalysis{marks}
	look := func(c *pass.Context, op *ir.Op) error {
		want := 0
		op.Walk(func(o *ir.Op) bool {
			if o.DiscardableAttr("mark") != nil {
				want++
			}
			return true
		})
		if n := marks.Of(c, op); n != want {
			return op.PlainErrorf("%d marks, not %d", n, want)
		}
		c.Unchanged()
		return nil
	}
	mark := func(op *ir.Op) {
		if op.DiscardableAttr("mark") != nil {
			op.SetDiscardableAttr("mark", nil)
		} else {
			op.SetDiscardableAttr("mark", ir.Unit)
		}
	}
	steps := []step{
		{"look", "", uses, look},
		{"look-fn", "func.func", uses, look},
		{"look-module", "builtin.module", uses, look},
		{"look-undeclared", "", nil, look},
		{"mark", "", nil, func(_ *pass.Context, op *ir.Op) error { mark(op); return nil }},
		{"mark-first", "", nil, func(c *pass.Context, op *ir.Op) error {
			if name(op) == "f0" {
				mark(op)
			} else {
				c.Unchanged()
			}
			return nil
		}},
		{"mark-module", "builtin.module", nil, func(_ *pass.Context, op *ir.Op) error { mark(op.BodyBlock(0).First()); return nil }},
		{"touch", "", nil, func(c *pass.Context, op *ir.Op) error { c.Preserves(marks); return nil }},
		{"touch-module", "builtin.module", nil, func(c *pass.Context, op *ir.Op) error { c.Preserves(other, marks); return nil }},
		{"touch-other", "", nil, func(c *pass.Context, op *ir.Op) error { c.Preserves(other); return nil }},
		{"midway", "", uses, func(c *pass.Context, op *ir.Op) error {
			if err := look(c, op); err != nil {
				return err
			}
			mark(op)
			c.Changed()
			return look(c, op)
		}},
		{"within", "builtin.module", uses, func(c *pass.Context, op *ir.Op) error {
			m := pass.NewManager("builtin.module")
			m.AddNested(step{"inner", "func.func", uses, look}.pass().Instance(), step{"undeclared", "func.func", nil, look}.pass().Instance())
			c.Unchanged()
			return c.Run(m, op)
		}},
		{"within-marks", "builtin.module", uses, func(c *pass.Context, op *ir.Op) error {
			m := pass.NewManager("builtin.module")
			m.AddNested(step{"inner", "func.func", nil, func(_ *pass.Context, op *ir.Op) error { mark(op); return nil }}.pass().Instance())
			c.Unchanged() // but for what the pipeline does
			return c.Run(m, op)
		}},
	}
	var passes []*pass.Pass
	for _, s := range steps {
		passes = append(passes, s.pass())
	}
	passes = append(passes, onFunctions("add", func(c *pass.Context, _, _ *ir.Op) error { c.Unchanged(); return nil }, func(m *ir.Op) []*ir.Op {
		b := ir.NewBuilder(m.Context())
		b.SetEnd(m.BodyBlock(0))
		f := b.Create(ir.OpState{Name: m.Context().OpNameOf(funcDef.ID), Loc: ir.Unknown, Regions: []*ir.Region{{}}})
		f.SetAttr(ir.SymbolNameAttr, m.Context().StringAttr("added"))
		f.SetDiscardableAttr("mark", ir.Unit)
		return []*ir.Op{f}
	}))
	for _, c := range []struct {
		pipeline string
		want     int
	}{
		{"look", 3},
		{"look,look,func.func(look-fn,look,look-fn)", 3},
		{"look,mark,look", 6},
		{"look,mark-first,look", 4},
		{"look,look-module,mark-first,look,look-module", 3 + 1 + 1 + 1},
		{"look,look-module,touch,look,look-module", 3 + 1},
		{"look,look-module,touch-module,look,look-module", 3 + 1},
		{"look,touch-other,look", 6},
		{"look,look-module,mark-module,look,look-module", 8},
		{"look,anything,look", 6},
		{"look,func.func(mark-odd),look", 6},
		{"look-undeclared", 3},
		{"look-undeclared,look-undeclared", 6},
		{"look-undeclared,look", 3}, // a pass that says so comes later
		{"look,look-undeclared", 6}, // none does
		{"midway", 6},
		{"midway,look", 6},
		{"look-module,func.func(look-fn)", 4},
		{"look-module,func.func(look-fn),look-module", 4},
		{"within", 3},
		{"within,look", 3},
		{"look,within-marks,look", 6},
		{"look,look-module,add,look,look-module", 3 + 1 + 1 + 1},
	} {
		for _, threads := range []int{1, 4} {
			b.total.Store(0)
			out, err := run(t, registry(passes...), &pass.Runner{Threads: threads}, "builtin.module("+c.pipeline+")", program(functions))
			if err != nil || int(b.total.Load()) != c.want {
				t.Errorf("%s on %d threads: built %d times, not %d; %v\n%s", c.pipeline, threads, b.total.Load(), c.want, err, out)
			}
		}
	}
}

// A pass can't ask about what other passes may be changing at the same time.
func TestAnalysisElsewhere(t *testing.T) {
	var b builds
	marks := b.analysis("marks")
	nosy := step{"nosy", "func.func", nil, func(c *pass.Context, op *ir.Op) error {
		marks.Of(c, op.Parent())
		return nil
	}}
	out, err := run(t, registry(nosy.pass()), &pass.Runner{}, "builtin.module(func.func(nosy))", program(1))
	if err == nil || !strings.Contains(out, "the analysis marks of 'builtin.module', which the pass doesn't run on") {
		t.Errorf("error %v\n%s", err, out)
	}
}

// A pass on functions knows what is around them as it was before the first pass there, if it says that it asks.
func TestAnalysisAround(t *testing.T) {
	var b builds
	marks := b.analysis("marks")
	ask := func(known bool) func(c *pass.Context, op *ir.Op) error {
		return func(c *pass.Context, op *ir.Op) error {
			if n, ok := marks.Around(c); ok != known || n != 0 {
				return op.PlainErrorf("%d marks, known: %v", n, ok)
			}
			return nil
		}
	}
	mark := step{"mark", "func.func", nil, func(_ *pass.Context, op *ir.Op) error { op.SetDiscardableAttr("mark", ir.Unit); return nil }}
	around := pass.New(pass.Info{Name: "around", On: "func.func"}, func(_ *pass.None, d *pass.Decl) { d.UsesAround(marks) },
		pass.OnModule(func(c *pass.Context, _ *pass.None, op *ir.Op) error { return ask(true)(c, op) })).Pass
	passes := registry(mark.pass(), around, step{"unsaid", "func.func", nil, ask(false)}.pass())
	for pipeline, built := range map[string]int64{"mark,around,around": 1, "unsaid": 0} {
		b.total.Store(0)
		if out, err := run(t, passes, &pass.Runner{}, "builtin.module(func.func("+pipeline+"))", program(20)); err != nil || b.total.Load() != built {
			t.Errorf("%s: error %v, built %d times\n%s", pipeline, err, b.total.Load(), out)
		}
	}
}

// An analysis that panics is the failure of the pass that asks for it.
func TestAnalysisPanics(t *testing.T) {
	bad := pass.NewAnalysis("bad", func(op *ir.Op) int { panic("bad " + name(op)) })
	ask := step{"ask", "func.func", []pass.AnyAnalysis{bad}, func(c *pass.Context, op *ir.Op) error { bad.Of(c, op); return nil }}
	out, err := run(t, registry(ask.pass()), &pass.Runner{}, "builtin.module(func.func(ask))", program(2))
	if want := "error: pass 'ask' crashed: bad f0\nerror: pass 'ask' crashed: bad f1\n"; err == nil || out != want {
		t.Errorf("error %v\n%s", err, out)
	}
}

// Any mix of passes, at any number of threads, finds what is there: the fuzzer of the
// rules for keeping analyses.
func TestAnalysesAreRight(t *testing.T) {
	var b builds
	marks := b.analysis("marks")
	uses := []pass.AnyAnalysis{marks}
	var passes []*pass.Pass
	for i := range 6 {
		do := func(c *pass.Context, op *ir.Op) error {
			fns := []*ir.Op{op}
			if op.Name() == "builtin.module" {
				fns = nil
				for f := range op.BodyBlock(0).Ops() {
					fns = append(fns, f)
				}
			}
			want := 0
			for _, f := range fns {
				has := 0
				if f.DiscardableAttr("mark") != nil {
					has = 1
				}
				want += has
				if i%2 == 0 && marks.Of(c, f) != has {
					return f.PlainErrorf("wrong about %s", name(f))
				}
			}
			if marks.Of(c, op) != want {
				return op.PlainErrorf("wrong about all of it")
			}
			switch i % 3 {
			case 0:
				c.Unchanged()
			case 1:
				f := fns[len(fns)/2]
				if f.DiscardableAttr("mark") != nil {
					f.SetDiscardableAttr("mark", nil)
				} else {
					f.SetDiscardableAttr("mark", ir.Unit)
				}
			}
			return nil
		}
		passes = append(passes, step{fmt.Sprint("any", i), "", uses, do}.pass(),
			step{fmt.Sprint("module", i), "builtin.module", uses, do}.pass(), step{fmt.Sprint("fn", i), "func.func", uses, do}.pass())
	}
	state := uint32(1)
	choose := func(n int) int { state = state*1664525 + 1013904223; return int(state>>16) % n }
	for range 60 {
		var words []string
		for range 1 + choose(10) {
			kind, i := choose(3), choose(6)
			switch kind {
			case 0:
				words = append(words, fmt.Sprint("any", i))
			case 1:
				words = append(words, fmt.Sprint("module", i))
			case 2:
				words = append(words, fmt.Sprintf("func.func(fn%d,any%d)", i, choose(6)))
			}
		}
		pipeline := "builtin.module(" + strings.Join(words, ",") + ")"
		if out, err := run(t, registry(passes...), &pass.Runner{Threads: 1 + choose(4)}, pipeline, program(5)); err != nil {
			t.Errorf("%s: %v\n%s", pipeline, err, out)
		}
	}
}
