package analysis_test

import (
	"testing"

	"freehold/ir/analysis"
)

const recursive = `
func.func private @new(%n: i1, %m: memref<i8>) -> memref<i8> {
  %r = scf.if %n -> memref<i8> {
    %0 = func.call @new(%n, %m) : (i1, memref<i8>) -> memref<i8>
    %1 = func.call @new(%n, %0) : (i1, memref<i8>) -> memref<i8>
    scf.yield %1 : memref<i8>
  } else {
    %0 = memref.alloc() : memref<i8>
    scf.yield %0 : memref<i8>
  }
  return %r : memref<i8>
}
func.func private @given(%n: i1, %m: memref<i8>) -> memref<i8> {
  %r = scf.if %n -> memref<i8> {
    %0 = func.call @even(%n, %m) : (i1, memref<i8>) -> memref<i8>
    scf.yield %0 : memref<i8>
  } else {
    %0 = memref.alloc() : memref<i8>
    scf.yield %0 : memref<i8>
  }
  return %r : memref<i8>
}
func.func private @even(%n: i1, %m: memref<i8>) -> memref<i8> {
  %r = scf.if %n -> memref<i8> {
    %0 = func.call @given(%n, %m) : (i1, memref<i8>) -> memref<i8>
    scf.yield %0 : memref<i8>
  } else {
    scf.yield %m : memref<i8>
  }
  return %r : memref<i8>
}
func.func private @both(%n: i1) -> (memref<i8>, memref<i8>) {
  %r:2 = scf.if %n -> (memref<i8>, memref<i8>) {
    %0:2 = func.call @both(%n) : (i1) -> (memref<i8>, memref<i8>)
    scf.yield %0#1, %0#0 : memref<i8>, memref<i8>
  } else {
    %0 = memref.alloc() : memref<i8>
    scf.yield %0, %0 : memref<i8>, memref<i8>
  }
  return %r#0, %r#1 : memref<i8>, memref<i8>
}
memref.global "private" @g : memref<memref<i8>>
func.func private @kept(%n: i1) -> memref<i8> {
  %r = scf.if %n -> memref<i8> {
    %0 = func.call @kept(%n) : (i1) -> memref<i8>
    %1 = memref.get_global @g : memref<memref<i8>>
    memref.store %0, %1[] : memref<memref<i8>>
    scf.yield %0 : memref<i8>
  } else {
    %0 = memref.alloc() : memref<i8>
    scf.yield %0 : memref<i8>
  }
  return %r : memref<i8>
}
func.func @f(%n: i1, %m: memref<i8>) {
  %new = call @new(%n, %m) : (i1, memref<i8>) -> memref<i8>
  %given = call @given(%n, %m) : (i1, memref<i8>) -> memref<i8>
  %both:2 = call @both(%n) : (i1) -> (memref<i8>, memref<i8>)
  %kept = call @kept(%n) : (i1) -> memref<i8>
  return
}`

// What a function gets from itself is a new buffer, unless somewhere in the recursion it is not.
func TestFreshByRecursion(t *testing.T) {
	m, _ := load(t, recursive)
	calls := analysis.NewCallSummaries(m)
	i := 0
	for op := range m.BodyBlock(0).Last().BodyBlock(0).Ops() {
		if op.NumResults() == 0 {
			continue
		}
		want := []bool{true, false, false, false}[i]
		if got := calls.Fresh(op, 0); got != want {
			t.Errorf("call %d returns a new buffer: %v", i, got)
		}
		if got := op.NumOperands() > 1 && calls.Stays(op, 1); got != want {
			t.Errorf("call %d returns nothing that it is given: %v", i, got)
		}
		i++
	}
}
