package verify_test

import "testing"

// swapProgram frees two buffers that have other names since control split.
const swapProgram = `func.func @f(%c: i1, %out: memref<4xi32>) {
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  %r, %s = scf.if %c -> (memref<4xi32>, memref<4xi32>) {
    scf.yield %a, %b : memref<4xi32>, memref<4xi32>
  } else {
    scf.yield %b, %a : memref<4xi32>, memref<4xi32>
  }
  memref.dealloc %r : memref<4xi32>
  memref.copy %s, %out : memref<4xi32> to memref<4xi32>
  memref.dealloc %s : memref<4xi32>
  return
}`

// sameProgram has a buffer that two values point to, or one for each.
const sameProgram = `func.func @f(%c: i1) {
  %r, %s = scf.if %c -> (memref<4xi32>, memref<4xi32>) {
    %a = memref.alloc() : memref<4xi32>
    scf.yield %a, %a : memref<4xi32>, memref<4xi32>
  } else {
    %a = memref.alloc() : memref<4xi32>
    %b = memref.alloc() : memref<4xi32>
    scf.yield %a, %b : memref<4xi32>, memref<4xi32>
  }
  scf.if %c {
  } else {
    memref.dealloc %r : memref<4xi32>
  }
  memref.dealloc %s : memref<4xi32>
  return
}`

// otherProgram frees a buffer that a conditional passes on, and one that was chosen before it.
const otherProgram = `func.func @f(%c: i1) {
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  %r = arith.select %c, %a, %b : memref<4xi32>
  %s = scf.if %c -> (memref<4xi32>) {
    scf.yield %b : memref<4xi32>
  } else {
    scf.yield %a : memref<4xi32>
  }
  memref.dealloc %r : memref<4xi32>
  memref.dealloc %s : memref<4xi32>
  return
}`

// innerProgram frees one of two buffers in each branch of a conditional, and the other one after it.
const innerProgram = `func.func @f(%c: i1, %d: i1) {
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  %r = arith.select %c, %a, %b : memref<4xi32>
  scf.if %d {
    %s = scf.if %c -> (memref<4xi32>) {
      scf.yield %b : memref<4xi32>
    } else {
      scf.yield %a : memref<4xi32>
    }
    memref.dealloc %s : memref<4xi32>
    memref.dealloc %r : memref<4xi32>
  } else {
    %p = memref.extract_aligned_pointer_as_index %r : memref<4xi32> -> index
    %q = memref.extract_aligned_pointer_as_index %a : memref<4xi32> -> index
    %same = arith.cmpi eq, %p, %q : index
    scf.if %same {
      memref.dealloc %a : memref<4xi32>
    }
    memref.dealloc %r : memref<4xi32>
    memref.dealloc %b : memref<4xi32>
  }
  return
}`

// A value from before is gathered only where all who use it come by, and values are apart only if they
// point to different buffers.
func TestForgedOthers(t *testing.T) {
	tryForged(t, map[string]forged{
		"not gathered":             {otherProgram, "function @f\n", ""},
		"with another":             {otherProgram, "function @f\ngathers 4 3:0\n", ""},
		"with another, apart":      {otherProgram, "function @f\ngathers 4 apart 3:0\n", ""},
		"without the other":        {otherProgram, "function @f\ngathers 4\n", ""},
		"with itself":              {otherProgram, "function @f\ngathers 4 4:0\n", "a value is used that isn't known"},
		"with what is not there":   {otherProgram, "function @f\ngathers 4 9:0\n", "gathers 9:0"},
		"of a block around":        {innerProgram, "function @f\ngathers 5 3:0\n", "gathers 3:0"},
		"of a block around, apart": {innerProgram, "function @f\ngathers 5 apart 3:0\n", "gathers 3:0"},
		"the same buffer, apart": {`func.func @f(%c: i1) {
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  %r = arith.select %c, %a, %b : memref<4xi32>
  %s = scf.if %c -> (memref<4xi32>) {
    scf.yield %a : memref<4xi32>
  } else {
    scf.yield %a : memref<4xi32>
  }
  memref.dealloc %r : memref<4xi32>
  memref.dealloc %s : memref<4xi32>
  return
}`, "function @f\ngathers 4 apart 3:0\n", "apart"},
		"one or two buffers, apart": {sameProgram, "function @f\ngathers 1 apart\n", "apart"},
		"a block around, of blocks": {`func.func @f(%c: i1) {
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  %r = arith.select %c, %a, %b : memref<4xi32>
  cf.cond_br %c, ^one(%a : memref<4xi32>), ^two
^one(%x: memref<4xi32>):
  memref.dealloc %r : memref<4xi32>
  cf.br ^end
^two:
  memref.dealloc %r : memref<4xi32>
  cf.br ^end
^end:
  memref.dealloc %r : memref<4xi32>
  return
}`, "function @f\nblocks 0.0 0 1 2 3\ngathers 0.0^1 3:0\n", "gathers 3:0"},
	})
}

// By its old name a buffer that was gathered can't be used, and may be any other one; one that is
// dead, or whose contents are followed, can't be gathered.
func TestForgedGathering(t *testing.T) {
	tryForged(t, map[string]forged{
		"two names":          {swapProgram, "function @f\ngathers 3\n", ""},
		"one or two buffers": {sameProgram, "function @f\ngathers 1\n", ""},
		"blocks":             {blocksProgram, "function @f\nblocks 0.0 0 (1) 2\ngathers 0.0^1\n", ""},
		"an old name": {`func.func @f(%c: i1, %out: memref<4xi32>) {
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  %r, %s = scf.if %c -> (memref<4xi32>, memref<4xi32>) {
    scf.yield %a, %b : memref<4xi32>, memref<4xi32>
  } else {
    scf.yield %b, %a : memref<4xi32>, memref<4xi32>
  }
  memref.dealloc %r : memref<4xi32>
  memref.copy %a, %out : memref<4xi32> to memref<4xi32>
  memref.dealloc %s : memref<4xi32>
  return
}
`, "function @f\ngathers 3\n", "use"},
		"an old address": {`func.func @f(%c: i1) {
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  %r = scf.if %c -> (memref<4xi32>) {
    scf.yield %a : memref<4xi32>
  } else {
    scf.yield %b : memref<4xi32>
  }
  %p = memref.extract_aligned_pointer_as_index %a : memref<4xi32> -> index
  %q = memref.extract_aligned_pointer_as_index %r : memref<4xi32> -> index
  memref.dealloc %r : memref<4xi32>
  %same = arith.cmpi eq, %p, %q : index
  scf.if %same {
    memref.dealloc %r : memref<4xi32>
  }
  %s = scf.if %c -> (memref<4xi32>) {
    scf.yield %b : memref<4xi32>
  } else {
    scf.yield %a : memref<4xi32>
  }
  memref.dealloc %s : memref<4xi32>
  return
}
`, "function @f\ngathers 3\n", "double"},
		"a dead buffer": {`func.func @f(%c: i1) {
  %a = memref.alloc() : memref<4xi32>
  memref.dealloc %a : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  %r = scf.if %c -> (memref<4xi32>) {
    scf.yield %a : memref<4xi32>
  } else {
    scf.yield %b : memref<4xi32>
  }
  memref.dealloc %r : memref<4xi32>
  scf.if %c {
    memref.dealloc %b : memref<4xi32>
  }
  return
}
`, "function @f\ngathers 4\n", "it gathers a buffer that was freed"},
		"addresses": {`func.func @f(%c: i1) {
  %0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xi32>
  %p = memref.extract_aligned_pointer_as_index %m : memref<4xi32> -> index
  %a = memref.alloc() : memref<1xindex>
  %b = memref.alloc() : memref<1xindex>
  memref.store %p, %a[%0] : memref<1xindex>
  memref.store %0, %b[%0] : memref<1xindex>
  %r = scf.if %c -> (memref<1xindex>) {
    scf.yield %a : memref<1xindex>
  } else {
    scf.yield %b : memref<1xindex>
  }
  %q = memref.load %r[%0] : memref<1xindex>
  %s = scf.if %c -> (memref<1xindex>) {
    scf.yield %b : memref<1xindex>
  } else {
    scf.yield %a : memref<1xindex>
  }
  memref.dealloc %r : memref<1xindex>
  memref.dealloc %s : memref<1xindex>
  memref.dealloc %m : memref<4xi32>
  return
}
`, "function @f\ngathers 8\n", "whose contents are followed"},
	})
}

// A result that is no owner owns nothing: a buffer that it owns would be none, and control wouldn't
// come back from the call.
func TestForgedOwners(t *testing.T) {
	const program = `func.func private @make() -> (memref<4xi32>, !deallocation.ownership) {
  %a = memref.alloc() : memref<4xi32>
  %o = deallocation.own %a : memref<4xi32>
  return %a, %o : memref<4xi32>, !deallocation.ownership
}
func.func @lost() {
  %0:2 = func.call @make() : () -> (memref<4xi32>, !deallocation.ownership)
  return
}
`
	tryForged(t, map[string]forged{
		"an owner":             {program, "function @make\nresult 0 owner 1\nfunction @lost\n", "it leaves a buffer behind"},
		"a buffer as owner":    {program, "function @make\nresult 0 owner 0\nfunction @lost\n", "rules for @make that it can't have"},
		"a buffer of an owner": {program, "function @make\nresult 1 owner 1\nfunction @lost\n", "rules for @make that it can't have"},
		"no such owner":        {program, "function @make\nresult 0 owner 2\nfunction @lost\n", "rules for @make that it can't have"},
	})
}
