package analysis_test

import (
	"slices"
	"strings"
	"testing"

	"freehold/ir"
	"freehold/ir/analysis"
)

const escapes = `
func.func private @declared(memref<2xi8>) -> index
func.func private @address(%m: memref<2xi8>) -> index {
  %p = memref.extract_aligned_pointer_as_index %m : memref<2xi8> -> index
  return %p : index
}
func.func private @new(%c: i1, %m: memref<2xi8>) -> (memref<2xi8>, memref<2xi8>, memref<2xi8>) {
  %a = memref.alloc() : memref<2xi8>
  %b = memref.alloc() : memref<2xi8>
  %d = arith.select %c, %b, %m : memref<2xi8>
  return %a, %d, %b : memref<2xi8>, memref<2xi8>, memref<2xi8>
}
func.func private @loop(%m: memref<2xi8>, %n: memref<2xi8>) -> i1 {
  %p = memref.extract_aligned_pointer_as_index %m : memref<2xi8> -> index
  %q = memref.extract_aligned_pointer_as_index %n : memref<2xi8> -> index
  %c = arith.cmpi eq, %p, %q : index
  %d = func.call @loop(%n, %m) : (memref<2xi8>, memref<2xi8>) -> i1
  %e = arith.andi %c, %d : i1
  return %e : i1
}
func.func @f(%c: i1, %k: index, %mm: memref<memref<2xi8>>, %arg: memref<2xi8>) -> (memref<2xi8>, i64) {
  %returned = memref.alloc() : memref<2xi8>
  %stored = memref.alloc() : memref<2xi8>
  memref.store %stored, %mm[] : memref<memref<2xi8>>
  %loaded = memref.load %mm[] : memref<memref<2xi8>>
  %passed = memref.alloc() : memref<2xi8>
  "t.unknown"(%passed) : (memref<2xi8>) -> ()
  %lent = memref.alloc() : memref<2xi8>
  %status = func.call @declared(%lent) : (memref<2xi8>) -> index
  %kept = memref.alloc() : memref<2xi8>
  %p = func.call @address(%kept) : (memref<2xi8>) -> index
  %compared = memref.alloc() : memref<2xi8>
  %other = memref.alloc() : memref<2xi8>
  %q = func.call @loop(%compared, %other) : (memref<2xi8>, memref<2xi8>) -> i1
  %numbered = memref.alloc() : memref<2xi8>
  %i = memref.extract_aligned_pointer_as_index %numbered : memref<2xi8> -> index
  %l = scf.if %c -> i64 {
    %x = arith.index_cast %i : index to i64
    scf.yield %x : i64
  } else {
    %z = arith.constant 0 : i64
    scf.yield %z : i64
  }
  %local = memref.alloc() : memref<2xi8>
  %j = memref.extract_aligned_pointer_as_index %local : memref<2xi8> -> index
  %same = arith.cmpi eq, %j, %k : index
  %t = memref.alloc() : memref<2xi8>
  %tensor = bufferization.to_tensor %t : memref<2xi8>
  %back = bufferization.to_memref %tensor : memref<2xi8>
  %holder = memref.alloc() : memref<memref<2xi8>>
  memref.store %arg, %holder[] : memref<memref<2xi8>>
  %held = memref.load %holder[] : memref<memref<2xi8>>
  %new:3 = func.call @new(%c, %arg) : (i1, memref<2xi8>) -> (memref<2xi8>, memref<2xi8>, memref<2xi8>)
  "t.name"(%returned) {n = "returned"} : (memref<2xi8>) -> ()
  return %returned, %l : memref<2xi8>, i64
}`

// valuesOf names the results of allocations and calls as the text does, which is lost.
func valuesOf(t *testing.T, m *ir.Op, names ...string) map[string]*ir.Value {
	t.Helper()
	values := map[string]*ir.Value{}
	m.Walk(func(op *ir.Op) bool {
		switch op.Name() {
		case "memref.alloc":
			if name, _ := ir.SymbolName(op.Parent()); name == "f" {
				if len(names) == 0 {
					t.Fatal("more allocations than names")
				}
				values[names[0]], names = op.Result(0), names[1:]
			}
		}
		return true
	})
	return values
}

func TestEscapes(t *testing.T) {
	// What names a value would pass it to an operation about which nothing is known.
	m, _ := load(t, strings.Replace(escapes, `"t.name"(%returned) {n = "returned"} : (memref<2xi8>) -> ()`, "", 1))
	v := valuesOf(t, m, "returned", "stored", "passed", "lent", "kept", "compared", "other", "numbered", "local", "tensor", "holder")
	var f *ir.Op
	m.Walk(func(op *ir.Op) bool {
		if name, _ := ir.SymbolName(op); name == "f" {
			f = op
		}
		return f == nil
	})
	calls := analysis.NewCallSummaries(m)
	b := analysis.NewBuffers(f, analysis.BufferOptions{Calls: calls})
	alone := analysis.NewBuffers(f, analysis.BufferOptions{})
	for name, want := range map[string]analysis.Escape{
		"returned": analysis.Returned, "stored": analysis.Stored, "passed": analysis.Passed, "lent": 0, "kept": 0, // what is computed from its address isn't used
		"compared": 0, "other": 0, "numbered": analysis.AddressReturned, "local": 0, "tensor": analysis.AddressKept, "holder": 0,
	} {
		if got := b.Escapes(v[name]); got != want {
			t.Errorf("%s: %b, want %b", name, got, want)
		}
		if got := b.IsLocal(v[name]); got != !want.Has(analysis.Kept) {
			t.Errorf("%s: local %v", name, got)
		}
		if got := alone.Escapes(v[name]); got != want {
			t.Errorf("%s without summaries: %b, want %b", name, got, want)
		}
	}
	var loaded, back *ir.Value
	var results []*ir.Value
	f.Walk(func(op *ir.Op) bool {
		switch op.Name() {
		case "memref.load":
			if loaded == nil {
				loaded = op.Result(0)
			}
		case "bufferization.to_memref", "bufferization.to_buffer":
			back = op.Result(0)
		case "func.call":
			results = op.Results().Values()
		}
		return true
	})
	arg := f.BodyBlock(0).Arg(3)
	for _, x := range []struct {
		name string
		v, w *ir.Value
		want analysis.Alias
	}{
		{"a stored buffer is loaded", v["stored"], loaded, analysis.MayAlias},
		{"a buffer that isn't stored isn't", v["lent"], loaded, analysis.NeverAlias},
		{"what is returned isn't stored", v["returned"], loaded, analysis.NeverAlias},
		{"a tensor becomes a buffer", v["tensor"], back, analysis.MayAlias},
		{"another one", v["local"], back, analysis.NeverAlias},
		{"a fresh result and an argument", results[0], arg, analysis.NeverAlias},
		{"a result that may be an argument", results[1], arg, analysis.MayAlias},
		{"two results that may be the same", results[1], results[2], analysis.MayAlias},
		{"a fresh result and another one", results[0], results[2], analysis.NeverAlias},
		{"a fresh result and a loaded buffer", results[0], loaded, analysis.NeverAlias},
	} {
		if got := b.Query(x.v, x.w); got != x.want {
			t.Errorf("%s: %v, want %v", x.name, got, x.want)
		}
	}
}

func TestNames(t *testing.T) {
	m, _ := load(t, `
func.func @f(%c: i1, %k: index) {
  %a = memref.alloc() : memref<2xi8>
  %r = scf.for %i = %k to %k step %k iter_args(%it = %a) -> memref<2xi8> {
    %v = memref.cast %it : memref<2xi8> to memref<?xi8>
    scf.yield %it : memref<2xi8>
  }
  %q = scf.if %c -> memref<2xi8> {
    scf.yield %r : memref<2xi8>
  } else {
    %p = memref.extract_aligned_pointer_as_index %a : memref<2xi8> -> index
    scf.yield %a : memref<2xi8>
  }
  return
}`)
	var alloc *ir.Value
	m.Walk(func(op *ir.Op) bool {
		if op.Name() == "memref.alloc" {
			alloc = op.Result(0)
		}
		return true
	})
	b := analysis.NewBuffers(m, analysis.BufferOptions{})
	var names []string
	b.Names(alloc, func(v *ir.Value) {
		if v.IsBlockArg() {
			names = append(names, "argument")
		} else {
			names = append(names, v.DefiningOp().Name())
		}
	})
	slices.Sort(names)
	if got, want := strings.Join(names, " "), "argument memref.alloc memref.cast memref.extract_aligned_pointer_as_index scf.for scf.if"; got != want {
		t.Errorf("names %s, want %s", got, want)
	}
}

// A function that returns one buffer of its own twice returns none of the caller's.
func TestResultsThatAreOneBuffer(t *testing.T) {
	m, _ := load(t, `
func.func private @both() -> (memref<2xi8>, memref<2xi8>) {
  %a = memref.alloc() : memref<2xi8>
  return %a, %a : memref<2xi8>, memref<2xi8>
}
func.func private @one(%m: memref<2xi8>) -> memref<2xi8> {
  %r:2 = call @both() : () -> (memref<2xi8>, memref<2xi8>)
  return %r#1 : memref<2xi8>
}
func.func private @either(%c: i1, %m: memref<2xi8>) -> (memref<2xi8>, memref<2xi8>) {
  %a = memref.alloc() : memref<2xi8>
  %r = arith.select %c, %a, %m : memref<2xi8>
  return %a, %r : memref<2xi8>, memref<2xi8>
}
func.func @f(%c: i1, %m: memref<2xi8>) {
  %r:2 = call @both() : () -> (memref<2xi8>, memref<2xi8>)
  %o = call @one(%m) : (memref<2xi8>) -> memref<2xi8>
  %e:2 = call @either(%c, %m) : (i1, memref<2xi8>) -> (memref<2xi8>, memref<2xi8>)
  return
}`)
	var f *ir.Op
	var results []*ir.Value
	m.Walk(func(op *ir.Op) bool {
		if name, _ := ir.SymbolName(op); name == "f" {
			f = op
		}
		if f != nil && op.Name() == "func.call" {
			results = append(results, op.Results().Values()...)
		}
		return true
	})
	b := analysis.NewBuffers(f, analysis.BufferOptions{Calls: analysis.NewCallSummaries(m)})
	values := append(results, f.BodyBlock(0).Arg(1))
	names := []string{"both#0", "both#1", "one", "either#0", "either#1", "arg"}
	may := map[string]bool{"both#0 both#1": true, "either#0 either#1": true, "either#1 arg": true,
		"either#0 arg": true} // as far as can be seen
	for i := range values {
		for j := i + 1; j < len(values); j++ {
			want := analysis.NeverAlias
			if may[names[i]+" "+names[j]] {
				want = analysis.MayAlias
			}
			if got := b.Query(values[i], values[j]); got != want {
				t.Errorf("%s and %s: %v, not %v", names[i], names[j], got, want)
			}
		}
		if got, want := b.IsLocal(values[i]), i < 3; got != want {
			t.Errorf("%s: local %v", names[i], got)
		}
	}
}
