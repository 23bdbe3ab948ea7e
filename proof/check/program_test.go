package check_test

import (
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"sync"
	"testing"

	"freehold/dialect"
	"freehold/exec"
	"freehold/exec/interp"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
	"freehold/pass"
	"freehold/proof/check"
	"freehold/transform"
)

// newContext returns a context that takes everything.
func newContext() *ir.Context {
	ctx := ir.NewContext(dialect.All()...)
	transform.Attach(ctx)
	ctx.AllowUnregistered = true
	return ctx
}

// context is that of all programs that load gets: to make one takes longer than to judge most of
// them.
var context = sync.OnceValue(newContext)

// load parses a program; it returns nil if it isn't valid.
func load(src []byte) *ir.Op { return loadIn(context(), src) }

// loadIn is load in a context of one's own, for fuzzing, which makes up too many things to keep.
func loadIn(ctx *ir.Context, src []byte) *ir.Op {
	m, err := asm.Parse(ctx, src, "program.mlir", asm.ParseOptions{})
	if err != nil || ir.Verify(m) != nil {
		return nil
	}
	return m
}

// transformed runs a pipeline on a program; it returns nil if the pipeline fails.
func transformed(t testing.TB, m *ir.Op, pipeline string) *ir.Op {
	t.Helper()
	r := &pass.Registry{}
	transform.Register(r)
	pm, err := r.ParsePipeline("builtin.module(" + pipeline + ")")
	if err != nil {
		t.Fatal(err)
	}
	if (&pass.Runner{}).Run(pm, m) != nil {
		return nil
	}
	return m
}

// options are those with which a program is judged: every second one has few buffers with a name of
// their own.
func options(m *ir.Op) check.Options {
	o := check.Options{Threads: 1}
	if crc32.ChecksumIEEE([]byte(text(m)))%2 == 0 {
		o.MaxTargets = 2
	}
	return o
}

func text(m *ir.Op) string { return string(asm.Print(m, asm.PrintOptions{})) }

// verdict is the answer of the check in one word.
func verdict(m *ir.Op) string {
	r := check.Module(m, options(m))
	switch {
	case r.Safe():
		n := 0
		for _, fn := range analysis.NewCallGraph(m).Functions {
			if !fn.RegionAt(0).Empty() {
				n++
			}
		}
		if r.Functions != n {
			return fmt.Sprintf("safe, but %d of %d functions are counted", r.Functions, n)
		}
		return "safe"
	case len(r.Findings) > 0:
		return "unsafe"
	}
	return "not judged"
}

// refutedAnywhere returns what the program does wrong with the life of buffers when its public functions are executed on
// all values of their booleans and of indices up to three, if these are not many, or else on some; nil if nothing.
func refutedAnywhere(m *ir.Op) *exec.Finding {
	const many = 64
	for _, fn := range functions(m) {
		all := uint64(1)
		f, _ := interfaces.Function.Of(fn)
		for _, in := range f.Type(fn).Inputs {
			if all <= many {
				all *= scope(in)
			}
		}
		if all <= many {
			for n := range all {
				if found := refutedBy(m, fn, n, n); found != nil {
					return found
				}
			}
		}
		if all > many || all == 1 {
			for seed := range uint64(6) {
				if found := refuted(m, fn, seed); found != nil {
					return found
				}
			}
		}
	}
	return nil
}

// scope is how many values of a type are tried: one, which is random, unless there are few, or small ones show what
// loops do.
func scope(t ir.Type) uint64 {
	switch t {
	case ir.I1:
		return 2
	case ir.Index:
		return 4
	}
	return 1
}

// refuted returns what an execution of the program on random arguments does wrong
// with the life of buffers; nil if it does nothing wrong, or can't be executed.
func refuted(m *ir.Op, fn *ir.Op, seed uint64) *exec.Finding {
	return refutedBy(m, fn, seed, ^uint64(0))
}

// refutedBy is refuted where the values of small scope are the digits of a number, unless that is the greatest one.
func refutedBy(m *ir.Op, fn *ir.Op, seed, scoped uint64) *exec.Finding {
	f, ok := interfaces.Function.Of(fn)
	if !ok {
		return nil
	}
	var args []interp.Value
	for i, in := range f.Type(fn).Inputs {
		if n := scope(in); n > 1 && scoped != ^uint64(0) {
			args = append(args, interp.Value{Type: in, Word: scoped % n})
			scoped /= n
			continue
		}
		text := "random"
		if shape, ok := ir.ShapeOf(in); ok && ir.IsShaped(in) && !ir.IsStaticShape(shape) {
			text = "random:4"
			for range len(shape) - 1 {
				text += "x4"
			}
		}
		v, err := interp.Parse(m.Context(), text, in, rand.New(rand.NewPCG(seed, uint64(i))))
		if err != nil {
			return nil
		}
		args = append(args, v)
	}
	for way := range 2 {
		res, err := interp.Run(m, fn, args, interp.Options{MaxSteps: 100_000, ReuseAddress: reuse(way)})
		if err != nil {
			return nil
		}
		if s := res.Stopped(); s != nil && s.Kind != exec.UseAfterFree && s.Kind != exec.DoubleFree && s.Kind != exec.InvalidFree {
			continue // what wasn't freed by then is no leak
		}
		for _, f := range res.Findings {
			switch f.Kind {
			case exec.UseAfterFree, exec.DoubleFree, exec.InvalidFree, exec.Leak:
				return f
			}
		}
	}
	return nil
}

// functions returns the public functions with bodies.
func functions(m *ir.Op) (out []*ir.Op) {
	m.Walk(func(op *ir.Op) bool {
		if interfaces.Function.Has(op) {
			if !op.RegionAt(0).Empty() && ir.IsPublic(op) {
				out = append(out, op)
			}
			return false
		}
		return true
	})
	return out
}
