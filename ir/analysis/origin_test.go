package analysis_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"freehold/dialect"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/asm"
)

// load parses a program and returns the values that operations "t.name" name.
func load(t rapid.TB, src string) (*ir.Op, map[string]*ir.Value) {
	t.Helper()
	ctx := ir.NewContext(dialect.All()...)
	ctx.AllowUnregistered = true
	m, err := asm.Parse(ctx, []byte(src), "test.mlir", asm.ParseOptions{})
	if err == nil {
		err = ir.Verify(m)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	values := map[string]*ir.Value{}
	m.Walk(func(op *ir.Op) bool {
		if op.Name() == "t.name" {
			values[op.Attr("n").(*ir.StringAttr).Value] = op.Operand(0)
		}
		return true
	})
	return m, values
}

func TestOrigins(t *testing.T) {
	m, v := load(t, `
memref.global "private" @g : memref<2xi8>
memref.global "private" constant @h : memref<2xi8> = dense<1>
module @inner {
  memref.global "private" @g : memref<2xi8>
  func.func @f() {
    %g = memref.get_global @g : memref<2xi8>
    "t.name"(%g) {n = "innerG"} : (memref<2xi8>) -> ()
    return
  }
}
func.func private @get(memref<2xi8>) -> memref<2xi8>
func.func @f(%c: i1, %k: index, %arg: memref<2xi8>, %arg2: memref<2xi8>) {
  %a = memref.alloc() : memref<2xi8>
  %b = memref.alloca() : memref<2xi8>
  %view = memref.cast %a : memref<2xi8> to memref<?xi8>
  %part = memref.subview %view[0] [1] [1] : memref<?xi8> to memref<1xi8, strided<[1]>>
  %either = arith.select %c, %a, %b : memref<2xi8>
  %argOrA = scf.if %c -> memref<2xi8> {
    scf.yield %arg : memref<2xi8>
  } else {
    scf.yield %a : memref<2xi8>
  }
  %loop = scf.for %i = %k to %k step %k iter_args(%it = %a) -> memref<2xi8> {
    "t.name"(%it) {n = "it"} : (memref<2xi8>) -> ()
    %next = memref.alloc() : memref<2xi8>
    "t.name"(%next) {n = "next"} : (memref<2xi8>) -> ()
    scf.yield %next : memref<2xi8>
  }
  %call = func.call @get(%a) : (memref<2xi8>) -> memref<2xi8>
  %unknown = "t.unknown"() : () -> memref<2xi8>
  %g = memref.get_global @g : memref<2xi8>
  %g2 = memref.get_global @g : memref<2xi8>
  %h = memref.get_global @h : memref<2xi8>
  %gOrH = arith.select %c, %g2, %h : memref<2xi8>
  %gOrArg = arith.select %c, %g, %arg : memref<2xi8>
  "t.name"(%g) {n = "g"} : (memref<2xi8>) -> ()
  "t.name"(%g2) {n = "g2"} : (memref<2xi8>) -> ()
  "t.name"(%h) {n = "h"} : (memref<2xi8>) -> ()
  "t.name"(%gOrH) {n = "gOrH"} : (memref<2xi8>) -> ()
  "t.name"(%gOrArg) {n = "gOrArg"} : (memref<2xi8>) -> ()
  "t.name"(%a) {n = "a"} : (memref<2xi8>) -> ()
  "t.name"(%b) {n = "b"} : (memref<2xi8>) -> ()
  "t.name"(%arg) {n = "arg"} : (memref<2xi8>) -> ()
  "t.name"(%arg2) {n = "arg2"} : (memref<2xi8>) -> ()
  "t.name"(%view) {n = "view"} : (memref<?xi8>) -> ()
  "t.name"(%part) {n = "part"} : (memref<1xi8, strided<[1]>>) -> ()
  "t.name"(%either) {n = "either"} : (memref<2xi8>) -> ()
  "t.name"(%argOrA) {n = "argOrA"} : (memref<2xi8>) -> ()
  "t.name"(%loop) {n = "loop"} : (memref<2xi8>) -> ()
  "t.name"(%call) {n = "call"} : (memref<2xi8>) -> ()
  "t.name"(%unknown) {n = "unknown"} : (memref<2xi8>) -> ()
  return
}`)
	o, precise, upstream := analysis.NewOrigins(m), analysis.NewPreciseOrigins(m, nil), analysis.NewUpstreamOrigins(m)
	global := map[string]bool{"g": true, "g2": true, "h": true, "gOrH": true, "gOrArg": true, "innerG": true}
	// What the precise analysis knows better.
	never := map[[2]string]bool{{"it", "next"}: true, {"call", "a"}: true}
	for _, x := range []struct {
		v, w string
		want analysis.Alias
	}{
		{"a", "a", analysis.MustAlias},
		{"a", "b", analysis.NeverAlias},
		{"a", "arg", analysis.NeverAlias},
		{"arg", "arg2", analysis.MayAlias}, // the caller may pass the same twice
		{"a", "view", analysis.MustAlias},
		{"part", "view", analysis.MustAlias},
		{"part", "b", analysis.NeverAlias},
		{"either", "a", analysis.MayAlias},
		{"either", "next", analysis.NeverAlias},
		{"argOrA", "a", analysis.MayAlias},
		{"argOrA", "b", analysis.NeverAlias},
		{"argOrA", "arg2", analysis.MayAlias},
		{"it", "a", analysis.MayAlias},
		{"it", "next", analysis.MayAlias},
		{"it", "b", analysis.NeverAlias},
		{"loop", "it", analysis.MayAlias},
		{"loop", "b", analysis.NeverAlias},
		{"call", "a", analysis.MayAlias},
		{"unknown", "arg", analysis.MayAlias},
		{"unknown", "b", analysis.MayAlias},
		{"g", "g2", analysis.MustAlias},
		{"g", "h", analysis.NeverAlias},
		{"g", "innerG", analysis.NeverAlias},
		{"g", "a", analysis.NeverAlias},
		{"g", "gOrH", analysis.MayAlias},
		{"g", "arg", analysis.MayAlias}, // the caller may pass it
		{"g", "unknown", analysis.MayAlias},
		{"gOrH", "b", analysis.NeverAlias},
		{"gOrH", "arg", analysis.MayAlias},
		{"gOrArg", "h", analysis.MayAlias},
		{"gOrArg", "a", analysis.NeverAlias},
	} {
		if v[x.v] == nil || v[x.w] == nil {
			t.Fatalf("no value %s or %s", x.v, x.w)
		}
		if got := o.Query(v[x.v], v[x.w]); got != x.want {
			t.Errorf("%s, %s: %v, want %v", x.v, x.w, got, x.want)
		}
		if got, back := o.Query(v[x.v], v[x.w]), o.Query(v[x.w], v[x.v]); got != back {
			t.Errorf("%s, %s: %v in one order, %v in the other", x.v, x.w, got, back)
		}
		want := x.want
		if global[x.v] || global[x.w] {
			want = analysis.MayAlias
		}
		if got := upstream.Query(v[x.v], v[x.w]); got != want {
			t.Errorf("%s, %s: %v, want %v, as MLIR's analysis knows no globals", x.v, x.w, got, want)
		}
		if never[[2]string{x.v, x.w}] {
			x.want = analysis.NeverAlias
		}
		if got, back := precise.Query(v[x.v], v[x.w]), precise.Query(v[x.w], v[x.v]); got != x.want || back != got {
			t.Errorf("%s, %s: precisely %v, want %v; %v in the other order", x.v, x.w, got, x.want, back)
		}
	}
}

// flowGraph is a random graph of buffers that flow between block arguments.
type flowGraph struct {
	text    string
	names   []string
	sources map[string][]string
	kind    map[string]byte // of terminals: a (allocation), f (function argument), g (global), u (unknown)
}

func randomFlow(t *rapid.T) *flowGraph {
	g := &flowGraph{sources: map[string][]string{}, kind: map[string]byte{}}
	n := func(low, high int) int { return rapid.IntRange(low, high).Draw(t, "") }
	var b strings.Builder
	var entry, params []string
	for i := range n(0, 3) {
		name := fmt.Sprintf("f%d", i)
		params = append(params, ", %"+name+": memref<2xi8>")
		entry = append(entry, name)
	}
	b.WriteString("memref.global @g0 : memref<2xi8>\nmemref.global @g1 : memref<2xi8>\n")
	fmt.Fprintf(&b, "func.func @f(%%c: i1%s) {\n", strings.Join(params, ""))
	for i := range n(1, 3) {
		name := fmt.Sprintf("a%d", i)
		fmt.Fprintf(&b, "  %%%s = memref.alloc() : memref<2xi8>\n", name)
		entry = append(entry, name)
	}
	for i := range n(0, 2) {
		name := fmt.Sprintf("g%d", i)
		fmt.Fprintf(&b, "  %%%s = memref.get_global @%s : memref<2xi8>\n", name, name)
		entry = append(entry, name)
	}
	for i := range n(0, 1) {
		name := fmt.Sprintf("u%d", i)
		fmt.Fprintf(&b, "  %%%s = \"t.unknown\"() : () -> memref<2xi8>\n", name)
		entry = append(entry, name)
	}
	for _, e := range entry {
		g.kind[e] = e[0]
	}
	g.names = append(g.names, entry...)
	blocks := n(1, 6)
	args := func(block int) []string { return []string{fmt.Sprintf("x%d", block), fmt.Sprintf("y%d", block)} }
	branch := func(own []string) {
		edge := func() string {
			to := n(0, blocks-1)
			visible := append(append([]string(nil), entry...), own...)
			var pass []string
			for _, a := range args(to) {
				from := visible[n(0, len(visible)-1)]
				g.sources[a] = append(g.sources[a], from)
				pass = append(pass, "%"+from)
			}
			return fmt.Sprintf("^b%d(%s : memref<2xi8>, memref<2xi8>)", to, strings.Join(pass, ", "))
		}
		fmt.Fprintf(&b, "  cf.cond_br %%c, %s, %s\n", edge(), edge())
	}
	for _, name := range entry {
		fmt.Fprintf(&b, "  \"t.name\"(%%%s) {n = \"%s\"} : (memref<2xi8>) -> ()\n", name, name)
	}
	branch(nil)
	for i := range blocks {
		a := args(i)
		fmt.Fprintf(&b, "^b%d(%%%s: memref<2xi8>, %%%s: memref<2xi8>):\n", i, a[0], a[1])
		for _, name := range a {
			fmt.Fprintf(&b, "  \"t.name\"(%%%s) {n = \"%s\"} : (memref<2xi8>) -> ()\n", name, name)
		}
		g.names = append(g.names, a...)
		branch(a)
	}
	b.WriteString("}\n")
	g.text = b.String()
	return g
}

// reached follows the flow backwards.
func (g *flowGraph) reached(v string) (all, terminals map[string]bool) {
	out, seen := map[string]bool{}, map[string]bool{}
	var visit func(string)
	visit = func(v string) {
		if seen[v] {
			return
		}
		seen[v] = true
		if g.kind[v] != 0 {
			out[v] = true
		}
		for _, s := range g.sources[v] {
			visit(s)
		}
	}
	visit(v)
	return seen, out
}

// known tells whether something is known about everything that flows into v; nothing
// is about arguments of blocks that can't be reached.
func (g *flowGraph) known(v string) bool {
	all, _ := g.reached(v)
	for w := range all {
		if _, t := g.reached(w); len(t) == 0 {
			return false
		}
	}
	return true
}

func (g *flowGraph) query(v, w string) analysis.Alias {
	_, a := g.reached(v)
	_, b := g.reached(w)
	common := false
	only := func(set map[string]bool, kinds string) bool {
		for t := range set {
			if !strings.Contains(kinds, string(g.kind[t])) {
				return false
			}
		}
		return len(set) > 0
	}
	for t := range a {
		common = common || b[t]
	}
	switch {
	case v == w, common && len(a) == 1 && len(b) == 1:
		return analysis.MustAlias
	case !common && g.known(v) && g.known(w) && (only(a, "a") && only(b, "agf") || only(a, "ag") && only(b, "ag") || only(a, "agf") && only(b, "a")):
		return analysis.NeverAlias
	}
	return analysis.MayAlias
}

// Queries agree with a search of the graph, and a table with queries of its
// members.
func TestOriginsOfRandomGraphs(t *testing.T) {
	var o *analysis.Origins
	rapid.Check(t, func(t *rapid.T) {
		g := randomFlow(t)
		m, values := load(t, g.text)
		if o == nil {
			o = analysis.NewOrigins(m)
		} else {
			o.Reset(m) // what was there before makes no difference
		}
		for _, v := range g.names {
			for _, w := range g.names {
				if got, want := o.Query(values[v], values[w]), g.query(v, w); got != want {
					t.Fatalf("%s, %s: %v, want %v\n%s", v, w, got, want, g.text)
				}
			}
		}
		table := o.NewAliasTable()
		var members []string
		for range rapid.IntRange(1, 12).Draw(t, "members") {
			v := rapid.SampledFrom(g.names).Draw(t, "member")
			members = append(members, v)
			table.Add(values[v])
			for _, v := range g.names {
				found := map[int]bool{}
				table.Candidates(values[v], func(i int) bool { found[i] = true; return true })
				for i, w := range members {
					if g.query(v, w) != analysis.NeverAlias && !found[i] {
						t.Fatalf("%s is no candidate for %s\n%s", w, v, g.text)
					}
				}
			}
		}
	})
}
