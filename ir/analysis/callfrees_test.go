package analysis_test

import (
	"testing"

	"freehold/ir"
	"freehold/ir/analysis"
)

const handedOver = `
func.func private @always(%m: memref<2xi8>) {
  %base, %offset, %size, %stride = memref.extract_strided_metadata %m : memref<2xi8> -> memref<i8>, index, index, index
  memref.dealloc %base : memref<i8>
  return
}
func.func private @told(%m: memref<2xi8>, %own: i1) {
  scf.if %own { memref.dealloc %m : memref<2xi8> }
  return
}
func.func private @passes(%m: memref<2xi8>, %own: i1) {
  call @told(%m, %own) : (memref<2xi8>, i1) -> ()
  return
}
func.func private @other(%m: memref<2xi8>, %own: i1) {
  scf.if %own { } else { memref.dealloc %m : memref<2xi8> }
  return
}
func.func private @recursive(%m: memref<2xi8>, %c: i1) {
  scf.if %c {
    func.call @recursive(%m, %c) : (memref<2xi8>, i1) -> ()
  } else {
    memref.dealloc %m : memref<2xi8>
  }
  return
}
func.func @f(%c: i1) {
  %true = arith.constant true
  %false = arith.constant false
  %0 = memref.alloc() : memref<2xi8>
  call @always(%0) : (memref<2xi8>) -> ()
  %1 = memref.alloc() : memref<2xi8>
  call @told(%1, %true) : (memref<2xi8>, i1) -> ()
  %2 = memref.alloc() : memref<2xi8>
  call @told(%2, %false) : (memref<2xi8>, i1) -> ()
  %3 = memref.alloc() : memref<2xi8>
  call @passes(%3, %true) : (memref<2xi8>, i1) -> ()
  %4 = memref.alloc() : memref<2xi8>
  scf.if %c { func.call @told(%4, %true) : (memref<2xi8>, i1) -> () }
  %5 = memref.alloc() : memref<2xi8>
  call @other(%5, %true) : (memref<2xi8>, i1) -> ()
  %6 = memref.alloc() : memref<2xi8>
  call @recursive(%6, %c) : (memref<2xi8>, i1) -> ()
  return
}`

// What a function frees that is called ends there; but if it is certain, only on the paths on which it is called.
func TestFreedByCallee(t *testing.T) {
	m, _ := load(t, handedOver)
	fn := m.BodyBlock(0).Last()
	b := analysis.NewBuffers(fn, analysis.BufferOptions{Calls: analysis.NewCallSummaries(m)})
	alive := analysis.NewLifetimesInDoubt(fn, func() bool { return true }).Buffers(b, func(v *ir.Value) bool { return ir.IsMemRef(v.Type()) })
	for i, leaked := range []bool{false, false, true, false, true, true, true} {
		if x := alive.Buffers[i]; x.Leaked != leaked {
			t.Errorf("buffer %d: leaked %v, freed %v", i, x.Leaked, x.Freed)
		}
	}
}
