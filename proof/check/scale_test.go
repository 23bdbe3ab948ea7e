package check_test

import (
	"fmt"
	"strings"
	"testing"

	"freehold/proof/check"
	"freehold/proof/verify"
)

// loopChain is a function of n loops, each of which goes on with the buffer of the one
// before.
func loopChain(n int) string {
	var b strings.Builder
	b.WriteString("func.func @f(%n: index, %a0: memref<?xf32>) {\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n")
	for i := range n {
		fmt.Fprintf(&b, `  %%a%d = scf.for %%i = %%c0 to %%n step %%c1 iter_args(%%x = %%a%d) -> (memref<?xf32>) {
    %%y = memref.alloc(%%n) : memref<?xf32>
    memref.copy %%x, %%y : memref<?xf32> to memref<?xf32>
    scf.yield %%y : memref<?xf32>
  }
`, i+1, i)
	}
	fmt.Fprintf(&b, "  memref.copy %%a%d, %%a0 : memref<?xf32> to memref<?xf32>\n  return\n}\n", n)
	return b.String()
}

// loopNest is a function of n loops in each other that carry one buffer, at first what an operation
// makes.
func loopNest(n int, first string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "func.func @f(%%n: index, %%a: memref<?xf32>) {\n  %%c0 = arith.constant 0 : index\n  %%c1 = arith.constant 1 : index\n  %%x0 = %s\n", first)
	for i := range n {
		fmt.Fprintf(&b, "  %%r%d = scf.for %%i%d = %%c0 to %%n step %%c1 iter_args(%%x%d = %%x%d) -> (memref<?xf32>) {\n", i, i, i+1, i)
	}
	fmt.Fprintf(&b, "  %%r%d = memref.alloc(%%n) : memref<?xf32>\n  memref.copy %%x%d, %%r%d : memref<?xf32> to memref<?xf32>\n", n, n, n)
	for i := n; i > 0; i-- {
		fmt.Fprintf(&b, "  scf.yield %%r%d : memref<?xf32>\n  }\n", i)
	}
	b.WriteString("  memref.copy %r0, %a : memref<?xf32> to memref<?xf32>\n  return\n}\n")
	return b.String()
}

// What deallocation makes of loops is proved without search: the steps and nodes that
// are allowed grow with the program (nodes with the square, since a loop may give any
// of the buffers before it), and none may be left to the solver.
func TestLoopsAreProvedInProportion(t *testing.T) {
	const (
		own      = "memref.alloc(%n) : memref<?xf32>"
		argument = "memref.cast %a : memref<?xf32> to memref<?xf32>"
	)
	for _, test := range []struct {
		name         string
		src          string
		steps, nodes int
	}{
		{"chain 10", loopChain(10), 10 * 100, 10 * 10 * 20},
		{"chain 100", loopChain(100), 100 * 100, 100 * 100 * 20},
		{"nest 5", loopNest(5, own), 5 * 5 * 100, 5 * 5 * 100},
		{"nest 20", loopNest(20, own), 20 * 20 * 100, 20 * 20 * 100},
		{"nest 5 of an argument", loopNest(5, argument), 5 * 5 * 100, 5 * 5 * 100},
		{"nest 20 of an argument", loopNest(20, argument), 20 * 20 * 100, 20 * 20 * 100},
	} {
		pipelines := []string{
			"ownership-based-buffer-deallocation,buffer-deallocation-simplification",
			"ownership-based-buffer-deallocation,buffer-deallocation-simplification,convert-scf-to-cf",
			"hlo-deallocate",
			"hlo-deallocate,func.func(hlo-deallocation-to-scf)",
			"hlo-deallocation-pipeline",
		}
		if strings.HasPrefix(test.name, "nest") {
			pipelines = append(pipelines, "buffer-deallocation-pipeline") // on a chain, calls its helper
		}
		for _, pipeline := range pipelines {
			m := transformed(t, load([]byte(test.src)), pipeline)
			r := check.Module(m, check.Options{Threads: 1, MaxSteps: test.steps, MaxNodes: test.nodes, MaxSolved: 1})
			if !r.Safe() {
				t.Errorf("%s, %s: not proved: %v %v", test.name, pipeline, r.Findings, r.Unjudged)
			}
		}
	}
}

// chains are chains of n loops or conditionals, each of which frees the buffer that it gets, if that
// is owned, and goes on with its own, or with what it got.
var chains = map[string]struct{ first, link, last string }{
	"for": {"", `  %a#, %o# = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a$, %o = %o$) -> (memref<?xf32>, i1) {
    %y = memref.alloc(%n) : memref<?xf32>
    scf.if %o {
      memref.dealloc %x : memref<?xf32>
    }
    scf.yield %y, %true : memref<?xf32>, i1
  }
`, ""},
	"while": {"", `  %a#, %o# = scf.while (%x = %a$, %o = %o$) : (memref<?xf32>, i1) -> (memref<?xf32>, i1) {
    %c = func.call @c() : () -> i1
    scf.condition(%c) %x, %o : memref<?xf32>, i1
  } do {
  ^body(%x: memref<?xf32>, %o: i1):
    %y = memref.alloc(%n) : memref<?xf32>
    scf.if %o {
      memref.dealloc %x : memref<?xf32>
    }
    scf.yield %y, %true : memref<?xf32>, i1
  }
`, ""},
	"if": {"", `  %d# = func.call @c() : () -> i1
  %a#, %o# = scf.if %d# -> (memref<?xf32>, i1) {
    %y = memref.alloc(%n) : memref<?xf32>
    scf.if %o$ {
      memref.dealloc %a$ : memref<?xf32>
    }
    scf.yield %y, %true : memref<?xf32>, i1
  } else {
    scf.yield %a$, %o$ : memref<?xf32>, i1
  }
`, ""},
	"blocks": {"", `  cf.br ^head#(%a$, %o$ : memref<?xf32>, i1)
^head#(%a#: memref<?xf32>, %o#: i1):
  %d# = func.call @c() : () -> i1
  cf.cond_br %d#, ^body#, ^exit#
^body#:
  %y# = memref.alloc(%n) : memref<?xf32>
  cf.cond_br %o#, ^free#, ^back#
^free#:
  memref.dealloc %a# : memref<?xf32>
  cf.br ^back#
^back#:
  cf.br ^head#(%y#, %true : memref<?xf32>, i1)
^exit#:
`, ""},
	"nest": {"  %r, %s = scf.for %k = %c0 to %n step %c1 iter_args(%b0 = %a0, %p0 = %o0) -> (memref<?xf32>, i1) {\n", `  %b#, %p# = scf.for %i = %c0 to %n step %c1 iter_args(%x = %b$, %o = %p$) -> (memref<?xf32>, i1) {
    %y = memref.alloc(%n) : memref<?xf32>
    scf.if %o {
      memref.dealloc %x : memref<?xf32>
    }
    scf.yield %y, %true : memref<?xf32>, i1
  }
`, "  scf.yield %b#, %p# : memref<?xf32>, i1\n  }\n  %a# = memref.cast %r : memref<?xf32> to memref<?xf32>\n  %o# = arith.andi %s, %true : i1\n"},
}

// chain returns a program with a chain.
func chain(kind string, n int) string {
	c := chains[kind]
	var b strings.Builder
	b.WriteString("func.func private @c() -> i1\nfunc.func @f(%n: index, %a: memref<?xf32>) {\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %true = arith.constant true\n")
	b.WriteString("  %o0 = arith.constant false\n  %a0 = memref.cast %a : memref<?xf32> to memref<?xf32>\n" + c.first)
	for i := range n {
		b.WriteString(strings.NewReplacer("#", fmt.Sprint(i+1), "$", fmt.Sprint(i)).Replace(c.link))
	}
	b.WriteString(strings.ReplaceAll(c.last+"  scf.if %o# {\n    memref.dealloc %a# : memref<?xf32>\n  }\n  return\n}\n", "#", fmt.Sprint(n)))
	return b.String()
}

// Where nothing needs to know which link of a chain made a buffer, the steps, nodes and texts of
// certificates grow with the chain.
func TestChainsAreCertifiedInProportion(t *testing.T) {
	for kind := range chains {
		for _, n := range []int{10, 100, 1000} {
			m := load([]byte(chain(kind, n)))
			r, c, err := check.Certify(m, check.Options{Threads: 1, MaxSteps: 100 * n, MaxNodes: 100 * n, MaxSolved: 1})
			switch {
			case err != nil:
				t.Errorf("%s %d: %v %v %v", kind, n, err, r.Findings, r.Unjudged)
			case len(c.String()) > 400*n:
				t.Errorf("%s %d: the certificate has %d bytes", kind, n, len(c.String()))
			default:
				if err := verify.Program(m, c, 1); err != nil {
					t.Errorf("%s %d: %v", kind, n, err)
				}
			}
		}
	}
}

// exchanges is a program with a chain of n conditionals that go on with several buffers: one way, of these
// the last is a new one, and else the first is the last.
func exchanges(n, buffers int) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	b.WriteString("func.func private @c() -> i1\nfunc.func @f(%n: index")
	for k := range buffers {
		fmt.Fprintf(&b, ", %%a0_%d: memref<?xf32>", k)
	}
	line(") {\n  %%true = arith.constant true")
	for k := range buffers {
		line("  %%o0_%d = arith.constant false", k)
	}
	for i := range n {
		line("  %%d%d = func.call @c() : () -> i1", i)
		for k := range buffers - 1 {
			line("  %%a%d_%d = arith.select %%d%d, %%a%d_%d, %%a%d_%d : memref<?xf32>", i+1, k, i, i, k, i, k+1)
			line("  %%o%d_%d = arith.select %%d%d, %%o%d_%d, %%o%d_%d : i1", i+1, k, i, i, k, i, k+1)
		}
		k := buffers - 1
		line("  %%o%d_%d = arith.select %%d%d, %%true, %%o%d_0 : i1", i+1, k, i, i)
		line(`  %%a%d_%d = scf.if %%d%d -> (memref<?xf32>) {
    %%y = memref.alloc(%%n) : memref<?xf32>
    memref.copy %%a%d_%d, %%y : memref<?xf32> to memref<?xf32>
    scf.if %%o%d_%d {
      memref.dealloc %%a%d_%d : memref<?xf32>
    }
    scf.yield %%y : memref<?xf32>
  } else {
    scf.yield %%a%d_0 : memref<?xf32>
  }`, i+1, k, i, i, k, i, k, i, k, i)
	}
	for k := range buffers {
		line("  scf.if %%o%d_%d {\n    memref.dealloc %%a%d_%d : memref<?xf32>\n  }", n, k, n, k)
	}
	line("  return\n}")
	return b.String()
}

// The same goes for chains that go on with several buffers, each of which has one name.
func TestExchangesAreCertifiedInProportion(t *testing.T) {
	for buffers := 2; buffers < 5; buffers++ {
		for _, n := range []int{10, 100, 300} {
			m := load([]byte(exchanges(n, buffers)))
			r, c, err := check.Certify(m, check.Options{Threads: 1, MaxSteps: 500 * n, MaxNodes: 500 * n, MaxSolved: 1})
			switch {
			case err != nil:
				t.Errorf("%d of %d buffers: %v %v %v", n, buffers, err, r.Findings, r.Unjudged)
			case len(c.String()) > 500*buffers*n:
				t.Errorf("%d of %d buffers: the certificate has %d bytes", n, buffers, len(c.String()))
			default:
				if err := verify.Program(m, c, 1); err != nil {
					t.Errorf("%d of %d buffers: %v", n, buffers, err)
				}
			}
		}
	}
}

// rotations is a program with a chain of n loops that exchange buffers: the first one for the second, and so on,
// and the last one for the first; the last one is freed, and another one made, before the next loop.
func rotations(n, buffers int) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("func.func @f(%%n: index, %%v: f32) {\n  %%c0 = arith.constant 0 : index\n  %%c1 = arith.constant 1 : index")
	list := func(format string) string {
		var parts []string
		for k := range buffers {
			parts = append(parts, strings.NewReplacer("#", fmt.Sprint(k), "+", fmt.Sprint((k+1)%buffers)).Replace(format))
		}
		return strings.Join(parts, ", ")
	}
	types := list("memref<?xf32>")
	for k := range buffers {
		line("  %%a0_%d = memref.alloc(%%n) : memref<?xf32>", k)
	}
	for i := range n {
		line("  %s = scf.for %%i = %%c0 to %%n step %%c1 iter_args(%s) -> (%s) {", list(fmt.Sprintf("%%b%d_#", i)), list(fmt.Sprintf("%%x# = %%a%d_#", i)), types)
		line("    memref.store %%v, %%x0[%%i] : memref<?xf32>\n    scf.yield %s : %s\n  }", list("%x+"), types)
		for k := range buffers - 1 {
			line("  %%a%d_%d = memref.cast %%b%d_%d : memref<?xf32> to memref<?xf32>", i+1, k, i, k)
		}
		line("  memref.dealloc %%b%d_%d : memref<?xf32>\n  %%a%d_%d = memref.alloc(%%n) : memref<?xf32>", i, buffers-1, i+1, buffers-1)
	}
	for k := range buffers {
		line("  memref.dealloc %%a%d_%d : memref<?xf32>", n, k)
	}
	line("  return\n}")
	return b.String()
}

// Loops that exchange buffers are proved without search as well.
func TestRotationsAreCertifiedInProportion(t *testing.T) {
	for buffers := 2; buffers < 5; buffers++ {
		for _, n := range []int{10, 100, 300} {
			m := load([]byte(rotations(n, buffers)))
			r, c, err := check.Certify(m, check.Options{Threads: 1, MaxSteps: 500 * n, MaxNodes: 1000 * n, MaxSolved: 1})
			switch {
			case err != nil:
				t.Errorf("%d of %d buffers: %v %v %v", n, buffers, err, r.Findings, r.Unjudged)
			case len(c.String()) > 1500*buffers*n:
				t.Errorf("%d of %d buffers: the certificate has %d bytes", n, buffers, len(c.String()))
			default:
				if err := verify.Program(m, c, 1); err != nil {
					t.Errorf("%d of %d buffers: %v", n, buffers, err)
				}
			}
		}
	}
}
