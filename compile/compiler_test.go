package compile_test

import (
	"errors"
	"strings"
	"testing"

	"freehold/compile"
	"freehold/driver"
	"freehold/exec/interp"
	"freehold/ir"
	"freehold/pass"
)

// program parses a program in a session of its own.
func program(t *testing.T, text string) (*driver.Session, *ir.Op) {
	t.Helper()
	s := driver.Freehold().NewSession()
	p, err := s.Parse([]byte(text), "in.mlir")
	if err != nil {
		t.Fatal(err)
	}
	return s, p.Module
}

// random executes the main function on made-up arguments.
func random() *compile.Execution {
	return &compile.Execution{Arguments: interp.Texts{Random: true, Limit: 1 << 20}.Arguments}
}

const twice = `
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  %a = linalg.add ins(%x, %x : tensor<16xf32>, tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %b = linalg.mul ins(%a, %x : tensor<16xf32>, tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  return %b : tensor<16xf32>
}`

// A result has what the program was and became, the proof, and the executions.
func TestCompile(t *testing.T) {
	s, module := program(t, twice)
	c := compile.Compiler{Registry: s.Passes, Execution: random()}
	r, err := c.Compile(module)
	if err != nil {
		t.Fatal(err)
	}
	if r.Wrong() || r.Check == nil || !r.Check.Safe() || r.Certificate == nil {
		t.Errorf("the program isn't proved: %+v", r)
	}
	if r.Before.Allocations < 2 || r.After.Allocations != 1 || r.After.Peak.String() != "64 B" {
		t.Errorf("%d allocations became %d, with a peak of %v", r.Before.Allocations, r.After.Allocations, r.After.Peak)
	}
	if r.Runs.After.Stats.Allocations != 1 || !r.Runs.Before.OnTensors || r.Runs.After.OnTensors || len(r.Runs.Differences) > 0 {
		t.Errorf("executions: %+v", r.Runs)
	}
}

// What isn't asked for isn't done.
func TestCompileOnly(t *testing.T) {
	s, module := program(t, twice)
	c := compile.Compiler{Registry: s.Passes, Unchecked: true, Unmeasured: true}
	r, err := c.Compile(module)
	if err != nil || r.Check != nil || r.Certificate != nil || r.Runs != nil || r.After.Allocations != 0 || r.Wrong() {
		t.Errorf("%+v, %v", r, err)
	}
}

// Programs that the pipeline refuses, that are wrong before, or whose passes aren't known, have errors of their own.
func TestCompileErrors(t *testing.T) {
	s, module := program(t, `func.func private @f(tensor<4xf32>)
		func.func @main(%x: tensor<4xf32>) { %0 = "test.unknown"(%x) : (tensor<4xf32>) -> tensor<4xf32>
		return }`)
	var refused *compile.RefusedError
	c := compile.Compiler{Registry: s.Passes}
	if _, err := c.Compile(module); !errors.As(err, &refused) || refused.Diagnostic.Message == "" {
		t.Errorf("an operation that bufferization doesn't know: %v", err)
	}

	s, module = program(t, `func.func @main() {
		%m = memref.alloc() : memref<4xf32>
		memref.dealloc %m : memref<4xf32>
		memref.dealloc %m : memref<4xf32>
		return }`)
	var wrong *compile.ExecutionError
	c = compile.Compiler{Registry: s.Passes, Execution: random()}
	if _, err := c.Compile(module); !errors.As(err, &wrong) || !strings.Contains(err.Error(), "a second time") {
		t.Errorf("a program that frees twice: %v", err)
	}

	_, module = program(t, twice)
	c = compile.Compiler{Registry: s.Passes, Passes: "builtin.module(no-such-pass)"}
	if _, err := c.Compile(module); err == nil || errors.As(err, &refused) {
		t.Errorf("a pass that isn't there: %v", err)
	}
}

// Passes that break a program are found out by the check, and by execution.
func TestCompileFindsWrongPasses(t *testing.T) {
	const freed = `func.func @main(%x: memref<4xf32>) -> f32 {
		%c0 = arith.constant 0 : index
		%m = memref.alloc() : memref<4xf32>
		memref.copy %x, %m : memref<4xf32> to memref<4xf32>
		%v = memref.load %m[%c0] : memref<4xf32>
		return %v : f32 }`
	s, module := program(t, freed)
	c := compile.Compiler{Registry: s.Passes, Passes: "builtin.module(cse)"}
	if r, err := c.Compile(module); err != nil || !r.Wrong() || len(r.Findings()) != 1 || len(r.Left()) != 0 {
		t.Errorf("nothing is freed: %+v, %v", r, err)
	}
	s, module = program(t, freed)
	c = compile.Compiler{Registry: s.Passes, Passes: "builtin.module(cse)", Execution: random()}
	if r, err := c.Compile(module); err != nil || !r.Wrong() || len(r.Runs.After.Findings) != 1 || r.Check != nil {
		t.Errorf("nothing is freed: %+v, %v", r, err)
	}
}

// A buffer of which a step says that nothing may free it is no error, but isn't proved either.
func TestCompileLeaves(t *testing.T) {
	s, module := program(t, `func.func @main() -> index {
		%m = memref.alloc() : memref<4xf32>
		%p = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
		return %p : index }`)
	c := compile.Compiler{Registry: s.Passes, Execution: random()}
	r, err := c.Compile(module)
	if err != nil || r.Wrong() || len(r.Left()) != 1 || r.Check.Safe() || r.Certificate != nil {
		t.Errorf("%+v, %v", r, err)
	}
}

// Compare has a row for the program and each way to insert frees, and says why one refuses it.
func TestCompare(t *testing.T) {
	s := driver.Freehold().NewSession()
	parsed := 0
	rows, err := compile.Compare(s.Passes, func() (*ir.Op, error) {
		parsed++
		p, err := driver.Freehold().NewSession().Parse([]byte(twice), "in.mlir")
		if err != nil {
			return nil, err
		}
		return p.Module, nil
	})
	if err != nil || len(rows) != 1+len(compile.Deallocations()) || parsed != len(compile.Deallocations()) {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	if rows[0].Deallocation != "" || rows[1].Deallocation != compile.Ownership || rows[1].Peak.String() != "64 B" {
		t.Errorf("%+v", rows[:2])
	}
	failing := errors.New("no program")
	if _, err := compile.Compare(s.Passes, func() (*ir.Op, error) { return nil, failing }); !errors.Is(err, failing) {
		t.Errorf("the error of the program is lost: %v", err)
	}
	rows, err = compile.Compare(s.Passes, func() (*ir.Op, error) {
		_, m := program(t, "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = \"test.unknown\"(%x) : (tensor<4xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}")
		return m, nil
	})
	if err != nil || !strings.HasPrefix(rows[1].Refused, "line 2: ") {
		t.Errorf("%+v, %v", rows, err)
	}
}

// levels has two branches, level by level, of which the first level is larger than the second.
const levels = `
func.func @main(%x: tensor<64xf32>, %y: tensor<64xf32>, %i: index) -> f32 {
  %e = tensor.empty() : tensor<64xf32>
  %a = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %b = linalg.exp ins(%y : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %p = tensor.extract %a[%i] : tensor<64xf32>
  %q = tensor.extract %b[%i] : tensor<64xf32>
  %s = arith.addf %p, %q : f32
  return %s : f32
}`

// Operations are ordered where that lowers the peak; where the program asks for nothing else, what is compiled is the same as without.
func TestOrdering(t *testing.T) {
	for _, tt := range []struct {
		source string
		keep   bool
		peak   int64
	}{{levels, false, 256}, {levels, true, 512}, {twice, false, 64}} {
		s, module := program(t, tt.source)
		c := compile.Compiler{Options: compile.Options{KeepOrder: tt.keep}, Registry: s.Passes, Execution: random()}
		r, err := c.Compile(module)
		if err != nil {
			t.Fatal(err)
		}
		if r.Wrong() || !r.Check.Safe() || r.After.Peak.Bytes != tt.peak {
			t.Errorf("keep %v: a peak of %v instead of %d", tt.keep, r.After.Peak, tt.peak)
		}
	}
}

// What the new order makes of a program that is refused as it is written, too, is told once.
func TestOrderingRefused(t *testing.T) {
	s, module := program(t, strings.Replace(levels, "return", `%u = "test.unknown"(%a) : (tensor<64xf32>) -> tensor<64xf32>
  return`, 1))
	said := 0
	c := compile.Compiler{Registry: s.Passes, Runner: &pass.Runner{Sink: func(d *ir.Diagnostic) { said++ }}}
	var refused *compile.RefusedError
	if _, err := c.Compile(module); !errors.As(err, &refused) || said != 1 {
		t.Errorf("%d diagnostics, %v", said, err)
	}
}
