package oneshot_test

import (
	"fmt"
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/transform/bufferize/oneshot"
)

func parse(t *testing.T, src string) *ir.Op {
	t.Helper()
	ctx := ir.NewContext(dialect.All()...)
	ctx.AllowUnregistered = true
	m, err := asm.Parse(ctx, []byte(src), "test.mlir", asm.ParseOptions{})
	if err == nil {
		err = ir.Verify(m)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// find returns the operations of the given name.
func find(m *ir.Op, name string) []*ir.Op {
	var out []*ir.Op
	m.Walk(func(op *ir.Op) bool {
		if op.Name() == name {
			out = append(out, op)
		}
		return true
	})
	return out
}

func boundaries() *oneshot.Options {
	o := oneshot.DefaultOptions()
	o.BufferizeFunctionBoundaries = true
	return o
}

const insertTwice = `
func.func @f(%t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
  %a = tensor.insert %x into %t[%i] : tensor<4xf32>
  %b = tensor.insert %x into %a[%i] : tensor<4xf32>
  return %b : tensor<4xf32>
}`

// A plan can be made by hand, and carried out without analysis.
func TestRewriteByHand(t *testing.T) {
	for _, c := range []struct {
		name           string
		set            func(p *oneshot.Plan, first, second *ir.Op)
		allocs, copies int
	}{
		{"nothing", func(*oneshot.Plan, *ir.Op, *ir.Op) {}, 0, 0},
		{"in place", func(p *oneshot.Plan, first, _ *ir.Op) {
			p.Set(oneshot.Decision{Use: first.OperandUse(1), InPlace: true})
		}, 0, 0},
		{"one copy", func(p *oneshot.Plan, _, second *ir.Op) {
			p.Set(oneshot.Decision{Use: second.OperandUse(1)})
		}, 1, 1},
		{"two copies, against the order", func(p *oneshot.Plan, first, second *ir.Op) {
			p.Set(oneshot.Decision{Use: second.OperandUse(1)})
			p.Set(oneshot.Decision{Use: first.OperandUse(1)})
		}, 2, 2},
		{"without contents", func(p *oneshot.Plan, first, _ *ir.Op) {
			p.Set(oneshot.Decision{Use: first.OperandUse(1), Copy: oneshot.CopyNothing})
		}, 1, 0},
		{"no copy", func(p *oneshot.Plan, first, _ *ir.Op) {
			p.Set(oneshot.Decision{Use: first.OperandUse(1), Copy: oneshot.NoCopy})
		}, 0, 0},
		{"changed mind", func(p *oneshot.Plan, first, _ *ir.Op) {
			p.Set(oneshot.Decision{Use: first.OperandUse(1)})
			p.Set(oneshot.Decision{Use: first.OperandUse(1), InPlace: true})
		}, 0, 0},
		{"copy of the result", func(p *oneshot.Plan, first, _ *ir.Op) {
			p.Set(oneshot.Decision{Use: first.OperandUse(1), Result: first.Result(0)})
		}, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, p := parse(t, insertTwice), oneshot.NewPlan()
			inserts := find(m, "tensor.insert")
			c.set(p, inserts[0], inserts[1])
			if err := oneshot.Rewrite(m, p, boundaries()); err != nil {
				t.Fatal(err)
			}
			if err := ir.Verify(m); err != nil {
				t.Fatal(err)
			}
			if n := len(find(m, "memref.alloc")); n != c.allocs {
				t.Errorf("%d allocations, want %d", n, c.allocs)
			}
			if n := len(find(m, "memref.copy")); n != c.copies {
				t.Errorf("%d copies, want %d", n, c.copies)
			}
			if n := len(find(m, "memref.store")); n != 2 {
				t.Errorf("%d stores, want 2", n)
			}
		})
	}
}

// What is decided by hand has the reason that the user wants it; of analyses, a
// decision can be changed.
func TestSetDecision(t *testing.T) {
	m := parse(t, insertTwice)
	p, err := oneshot.Analyze(m, boundaries())
	if err != nil {
		t.Fatal(err)
	}
	u := find(m, "tensor.insert")[0].OperandUse(1)
	if d, ok := p.Decision(u); !ok || !d.InPlace || d.Reason.Rule != oneshot.NoConflict {
		t.Errorf("the analysis decides %v %v: %s", ok, d.InPlace, d.Reason.Rule)
	}
	p.Set(oneshot.Decision{Use: u})
	if d, _ := p.Decision(u); d.InPlace || d.Reason.Rule != oneshot.UserForced {
		t.Errorf("the decision is %v: %s", d.InPlace, d.Reason.Rule)
	}
	if err := oneshot.Rewrite(m, p, boundaries()); err != nil {
		t.Fatal(err)
	}
	if n := len(find(m, "memref.copy")); n != 1 {
		t.Errorf("%d copies, want 1", n)
	}
}

// Two plans about a program don't disturb each other.
func TestTwoPlans(t *testing.T) {
	m := parse(t, insertTwice)
	analyzed, err := oneshot.Analyze(m, boundaries())
	if err != nil {
		t.Fatal(err)
	}
	copies, err := oneshot.CopyBeforeWrite(m, boundaries())
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range find(m, "tensor.insert") {
		if d, ok := analyzed.Decision(op.OperandUse(1)); !ok || !d.InPlace {
			t.Error("the analysis is forgotten")
		}
		if d, ok := copies.Decision(op.OperandUse(1)); !ok || d.InPlace || d.Reason.Rule != oneshot.NotAnalyzed {
			t.Errorf("copy before write: %v %s", d.InPlace, d.Reason.Rule)
		}
		if _, ok := analyzed.Decision(op.OperandUse(0)); ok {
			t.Error("a decision about a number")
		}
	}
}

// describe writes a decision with its reason, in names of operations.
func describe(d oneshot.Decision) string {
	r := d.Reason
	s := fmt.Sprintf("%s %d: %s", d.Use.Owner().Name(), d.Use.Index(), r.Rule)
	if r.Read != nil {
		s += ", read by " + r.Read.Owner().Name()
	}
	if r.Write != nil {
		s += ", written by " + r.Write.Owner().Name()
	}
	if v := r.Definition; v != nil && v.IsBlockArg() {
		s += fmt.Sprintf(", argument %d of %s", v.Index(), v.ArgOwner().ParentOp().Name())
	} else if v != nil {
		s += ", result of " + v.DefiningOp().Name()
	}
	if r.Region != nil {
		s += ", in " + r.Region.Op().Name()
	}
	return s + [...]string{"", ", without contents", ", no copy"}[d.Copy]
}

func TestReasons(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"a write, then a read of the old contents", `
func.func @f(%t: tensor<4xf32>, %x: f32, %i: index) -> (tensor<4xf32>, f32) {
  %a = tensor.insert %x into %t[%i] : tensor<4xf32>
  %r = tensor.extract %t[%i] : tensor<4xf32>
  return %a, %r : tensor<4xf32>, f32
}`, "tensor.insert 1: read after write, read by tensor.extract, written by tensor.insert, argument 0 of func.func"},
		{"an insertion keeps the old contents of other elements in the next iteration", `
func.func @f(%t: tensor<4xf32>, %x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> f32 {
    %y = tensor.extract %t[%i] : tensor<4xf32>
    %w = tensor.insert %acc into %t[%i] : tensor<4xf32>
    %z = tensor.extract %w[%c0] : tensor<4xf32>
    %s = arith.addf %y, %z : f32
    scf.yield %s : f32
  }
  return %r : f32
}`, "tensor.insert 1: out of order in a loop, read by tensor.insert, written by tensor.insert, argument 0 of func.func, in scf.for"},
		{"as much in a loop of blocks", `
func.func @f(%t: tensor<4xf32>, %x: f32, %i: index, %c: i1) -> f32 {
  cf.br ^loop
^loop:
  %y = tensor.extract %t[%i] : tensor<4xf32>
  %w = tensor.insert %x into %t[%i] : tensor<4xf32>
  %z = tensor.extract %w[%i] : tensor<4xf32>
  cf.cond_br %c, ^loop, ^end
^end:
  %s = arith.addf %y, %z : f32
  return %s : f32
}`, "tensor.insert 1: out of order in a loop, read by tensor.insert, written by tensor.insert, argument 0 of func.func, in func.func"},
		{"a constant", `
func.func @f(%x: f32, %i: index) -> tensor<4xf32> {
  %t = arith.constant dense<1.0> : tensor<4xf32>
  %a = tensor.insert %x into %t[%i] : tensor<4xf32>
  return %a : tensor<4xf32>
}`, "tensor.insert 1: constant, written by tensor.insert, result of arith.constant"},
		{"a read-only argument", `
func.func @f(%t: tensor<4xf32> {bufferization.writable = false}, %x: f32, %i: index) -> tensor<4xf32> {
  %a = tensor.insert %x into %t[%i] : tensor<4xf32>
  return %a : tensor<4xf32>
}`, "tensor.insert 1: read-only argument, written by tensor.insert, argument 0 of func.func"},
		{"the tensor of a read-only buffer", `
func.func @f(%m: memref<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
  %t = bufferization.to_tensor %m restrict : memref<4xf32>
  %a = tensor.insert %x into %t[%i] : tensor<4xf32>
  return %a : tensor<4xf32>
}`, "tensor.insert 1: read-only buffer, written by tensor.insert, result of bufferization.to_tensor"},
		{"what a callee returns is a constant", `
func.func @g() -> tensor<4xf32> {
  %t = arith.constant dense<1.0> : tensor<4xf32>
  return %t : tensor<4xf32>
}
func.func @f(%x: f32, %i: index) -> tensor<4xf32> {
  %t = call @g() : () -> tensor<4xf32>
  %a = tensor.insert %x into %t[%i] : tensor<4xf32>
  return %a : tensor<4xf32>
}`, "tensor.insert 1: read-only result of a call, written by tensor.insert, result of func.call"},
		{"an unknown operation made it", `
func.func @f(%x: f32, %i: index) -> tensor<4xf32> {
  %t = "lib.make"() : () -> tensor<4xf32>
  %a = tensor.insert %x into %t[%i] : tensor<4xf32>
  return %a : tensor<4xf32>
}`, "tensor.insert 1: unknown operation, written by tensor.insert, result of lib.make"},
		{"an unknown operation may write it, and what it gets is read again", `
func.func @f(%t: tensor<4xf32>, %i: index) -> f32 {
  "lib.use"(%t) : (tensor<4xf32>) -> ()
  %r = tensor.extract %t[%i] : tensor<4xf32>
  return %r : f32
}`, "lib.use 0: read after write, read by tensor.extract, written by lib.use, argument 0 of func.func, no copy"},
		{"threads write what is defined outside of them", `
func.func @f(%t: tensor<4xf32>, %x: f32, %n: index) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> tensor<4xf32> {
    %w = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %p = tensor.extract_slice %w[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %r : tensor<4xf32>
}`, "linalg.fill 1: parallel region, written by linalg.fill, result of tensor.empty, in scf.forall, without contents"},
		{"two names for one buffer in the next iteration", `
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %y, %x : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}`, `scf.yield 0: passed on by a terminator, argument 2 of scf.for, in scf.for
scf.yield 1: passed on by a terminator, argument 1 of scf.for, in scf.for`},
		{"the contents are not needed", `
func.func @f(%t: tensor<4xf32>, %x: f32, %i: index) -> (tensor<4xf32>, f32) {
  %a = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.extract %t[%i] : tensor<4xf32>
  return %a, %r : tensor<4xf32>, f32
}`, "linalg.fill 1: read after write, read by tensor.extract, written by linalg.fill, argument 0 of func.func, without contents"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, o := parse(t, c.src), boundaries()
			o.AllowReturnAllocsFromLoops = true
			p, err := oneshot.Analyze(m, o)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for d := range p.OutOfPlace() {
				got = append(got, describe(d))
			}
			if s := strings.Join(got, "\n"); s != c.want {
				t.Errorf("got\n%s\nwant\n%s", s, c.want)
			}
		})
	}
}
