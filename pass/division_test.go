package pass_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"freehold/ir"
	"freehold/pass"
)

// onFunctions returns a pass on functions that gets the operation around them as what
// they share.
func onFunctions(name string, run func(c *pass.Context, around, fn *ir.Op) error, end func(around *ir.Op) []*ir.Op) *pass.Pass {
	return pass.New(pass.Info{Name: name, Title: name}, nil, pass.OnFunctions(func(*ir.Context, *pass.None) pass.Functions[*ir.Op] {
		f := pass.Functions[*ir.Op]{
			Parts: func(op *ir.Op) []*ir.Op {
				var parts []*ir.Op
				for f := range op.BodyBlock(0).Ops() {
					parts = append(parts, f)
				}
				return parts
			},
			Begin:  func(_ *pass.Context, op *ir.Op) *ir.Op { return op },
			Worker: func(*ir.Arena) func(*pass.Context, *ir.Op, *ir.Op) error { return run },
		}
		if end != nil {
			f.End = func(_ *pass.Context, around, _ *ir.Op) []*ir.Op { return end(around) }
		}
		return f
	})).Pass
}

func divided(name string, run func(c *pass.Context, fn *ir.Op) error) *pass.Pass {
	return onFunctions(name, func(c *pass.Context, _, fn *ir.Op) error { return run(c, fn) }, nil)
}

func remark(c *pass.Context, fn *ir.Op, what string) {
	c.Emit(&ir.Diagnostic{Severity: ir.Remark, Loc: fn.Loc(), Message: what + " " + name(fn)})
}

// What passes on parts say comes in the order of passes, and then of parts, though
// each part goes through all passes before the next.
func TestDivision(t *testing.T) {
	var order []string
	for _, threads := range []int{1, 4} {
		say := func(what string) *pass.Pass {
			return onFunctions(what, func(c *pass.Context, around, fn *ir.Op) error {
				if threads == 1 {
					order = append(order, what+" "+name(fn))
				}
				remark(c, fn, what)
				if around != fn.Parent() {
					t.Error("not what Begin returned")
				}
				return nil
			}, nil)
		}
		out, err := run(t, registry(say("a"), say("b")), &pass.Runner{Threads: threads, VerifyEach: true}, "builtin.module(a,b)", program(3))
		if want := "remark: a f0\nremark: a f1\nremark: a f2\nremark: b f0\nremark: b f1\nremark: b f2\n"; err != nil || out != want {
			t.Errorf("error %v\n%s", err, out)
		}
	}
	if got := strings.Join(order, ", "); got != "a f0, b f0, a f1, b f1, a f2, b f2" {
		t.Error(got)
	}
}

// The first pass that fails on some part is the last that anything is heard of, and
// its error is that of the first part.
func TestDivisionFails(t *testing.T) {
	on := func(numbers string, how func(fn *ir.Op) error) func(*pass.Context, *ir.Op) error {
		return func(c *pass.Context, fn *ir.Op) error {
			remark(c, fn, "saw")
			if strings.Contains(numbers, name(fn)[1:]) {
				return how(fn)
			}
			return nil
		}
	}
	fails := func(fn *ir.Op) error { return fn.PlainErrorf("no %s", name(fn)) }
	panics := func(fn *ir.Op) error { panic("oh " + name(fn)) }
	spoils := func(fn *ir.Op) error { fn.SetAttr(ir.SymbolNameAttr, nil); return nil }
	const none = "9"
	for _, c := range []struct {
		first, second, third func(*pass.Context, *ir.Op) error
		want                 string
	}{
		{on(none, fails), on("12", fails), on("0", fails), "saw f0, saw f1, saw f2, saw f3, saw f0, saw f1, no f1"},
		{on("3", fails), on("0", fails), on(none, fails), "saw f0, saw f1, saw f2, saw f3, no f3"},
		{on("12", panics), on("0", fails), on(none, fails), "saw f0, saw f1, pass 'x' crashed: oh f1"},
		{on("1", spoils), on(none, fails), on(none, fails), "saw f0, saw f1, 'func.func' op requires attribute 'sym_name', saw f2, saw f3"},
	} {
		for _, threads := range []int{1, 3} {
			m := program(4)
			r := registry(divided("x", c.first), divided("y", c.second), divided("z", c.third))
			out, err := run(t, r, &pass.Runner{Threads: threads, VerifyEach: true}, "builtin.module(x,y,z)", m)
			var got []string
			for _, l := range strings.Split(strings.TrimSpace(out), "\n") {
				_, l, _ = strings.Cut(l, ": ")
				got = append(got, l)
			}
			if s := strings.Join(got, ", "); err == nil || s != c.want {
				t.Errorf("%d threads: error %v\n%s\nwant\n%s", threads, err, s, c.want)
			}
		}
	}
}

// Parts that a pass adds go through the passes after it, and are verified, like what is
// around the parts.
func TestDivisionAddsParts(t *testing.T) {
	for _, clash := range []bool{false, true} {
		add := onFunctions("add", func(*pass.Context, *ir.Op, *ir.Op) error { return nil }, func(m *ir.Op) []*ir.Op {
			b := ir.NewBuilder(m.Context())
			b.SetEnd(m.BodyBlock(0))
			f := b.Create(ir.OpState{Name: m.Context().OpNameOf(funcDef.ID), Loc: ir.FileLineCol("m.mlir", 9, 9), Regions: []*ir.Region{{}}})
			n := "new"
			if clash {
				n = "f1"
			}
			f.SetAttr(ir.SymbolNameAttr, m.Context().StringAttr(n))
			return []*ir.Op{f}
		})
		before := divided("before", func(c *pass.Context, fn *ir.Op) error { remark(c, fn, "before"); return nil })
		after := divided("after", func(c *pass.Context, fn *ir.Op) error { remark(c, fn, "after"); return nil })
		out, err := run(t, registry(before, add, after), &pass.Runner{Threads: 2, VerifyEach: true}, "builtin.module(before,add,after)", program(2))
		want := "remark: before f0\nremark: before f1\nremark: after f0\nremark: after f1\nremark: after new\n"
		if clash {
			want = strings.ReplaceAll(want, "new", "f1") + "error: redefinition of symbol named 'f1'\n  note: see existing symbol definition here\n"
		}
		if (err != nil) != clash || out != want {
			t.Errorf("error %v\n%s", err, out)
		}
	}
}

// Workers are made once for each thread, not for each operation.
func TestDivisionWorkers(t *testing.T) {
	var workers, runs atomic.Int64
	p := pass.New(pass.Info{Name: "p", On: "func.func"}, nil, pass.OnFunctions(func(*ir.Context, *pass.None) pass.Functions[pass.None] {
		return pass.Functions[pass.None]{
			Parts: func(op *ir.Op) []*ir.Op { return []*ir.Op{op} },
			Worker: func(*ir.Arena) func(*pass.Context, pass.None, *ir.Op) error {
				workers.Add(1)
				return func(*pass.Context, pass.None, *ir.Op) error { runs.Add(1); return nil }
			},
		}
	}))
	if _, err := run(t, registry(p.Pass), &pass.Runner{Threads: 3}, "builtin.module(func.func(p))", program(50)); err != nil {
		t.Fatal(err)
	}
	if workers.Load() > 3 || runs.Load() != 50 {
		t.Error(fmt.Sprint(workers.Load(), " workers, ", runs.Load(), " runs"))
	}
}
