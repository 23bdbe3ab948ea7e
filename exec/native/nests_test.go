package native_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"freehold/exec/native"
)

// Random loop nests, however they are arranged, joined and tiled, give the bits that they give in checked memory.
func TestRandomNests(t *testing.T) {
	for seed := range uint64(*programs) {
		r := rand.New(rand.NewPCG(seed, 11))
		m := &nests{r: r}
		for range 8 {
			m.add()
		}
		same(t, m.text(), native.Options{})
	}
}

// nests is a program of loop nests.
type nests struct {
	r           *rand.Rand
	args, types []string
	body        strings.Builder
	n           int
}

func (m *nests) text() string {
	var params []string
	for i, a := range m.args {
		params = append(params, a+": "+m.types[i])
	}
	return "func.func @main(" + strings.Join(params, ", ") + ") {\n  %half = arith.constant 0.5 : f32\n" + m.body.String() + "  return\n}\n"
}

// access is the map of an operand, with the shape of its buffer.
type access struct {
	exprs []string
	shape []int
}

func (a access) typ(elem string) string {
	s := "memref<"
	for _, n := range a.shape {
		s += fmt.Sprintf("%dx", n)
	}
	return s + elem + ">"
}

// choose returns the access by some of the dimensions, in any order, of which two may be added up.
func (m *nests) choose(dims []int, sizes []int, sums bool) (a access) {
	dims = slices.Clone(dims)
	m.r.Shuffle(len(dims), func(i, j int) { dims[i], dims[j] = dims[j], dims[i] })
	for i := 0; i < len(dims); i++ {
		d := dims[i]
		if sums && i+1 < len(dims) && m.r.IntN(4) == 0 {
			e := dims[i+1]
			a.exprs = append(a.exprs, fmt.Sprintf("d%d * 2 + d%d", d, e))
			a.shape = append(a.shape, 2*sizes[d]+sizes[e]-2)
			i++
			continue
		}
		a.exprs = append(a.exprs, fmt.Sprintf("d%d", d))
		a.shape = append(a.shape, sizes[d])
	}
	return a
}

// add adds a nest.
func (m *nests) add() {
	r := m.r
	rank := 1 + r.IntN(4)
	sizes, all := make([]int, rank), make([]int, rank)
	for d := range sizes {
		sizes[d], all[d] = []int{1, 2, 3, 4, 5, 8, 9, 16, 19}[r.IntN(9)], d
	}
	some := func() (out []int) {
		for d := range sizes {
			if r.IntN(3) > 0 {
				out = append(out, d)
			}
		}
		return out
	}
	parallel := some()
	out := m.choose(parallel, sizes, false)
	// Each dimension is that of an operand alone, so that its size is known.
	ins := []access{m.choose(all, sizes, false), m.choose(some(), sizes, true)}
	var dims, iterators []string
	for d := range sizes {
		dims = append(dims, fmt.Sprintf("d%d", d))
		kind := "reduction"
		if slices.Contains(parallel, d) {
			kind = "parallel"
		}
		iterators = append(iterators, `"`+kind+`"`)
	}
	affine := func(a access) string {
		return fmt.Sprintf("affine_map<(%s) -> (%s)>", strings.Join(dims, ", "), strings.Join(a.exprs, ", "))
	}
	const elem = "f32"
	local := r.IntN(3) > 0
	buffer := func(a access) string {
		m.n++
		name := fmt.Sprintf("%%b%d", m.n)
		m.args, m.types = append(m.args, name), append(m.types, a.typ(elem))
		return name
	}
	accesses := append(ins, out)
	names := []string{buffer(ins[0]), buffer(ins[1]), buffer(out)}
	target := names[2]
	if local {
		fmt.Fprintf(&m.body, "  %%l%d = memref.alloc() : %s\n  memref.copy %s, %%l%d : %s to %s\n", m.n, out.typ(elem), target, m.n, out.typ(elem), out.typ(elem))
		names[2] = fmt.Sprintf("%%l%d", m.n)
	}
	if r.IntN(5) == 0 && len(parallel) == rank {
		names[0], accesses[0] = names[2], out // in place
	}
	var maps, inTypes []string
	for i, a := range accesses {
		maps = append(maps, affine(a))
		if i < 2 {
			inTypes = append(inTypes, a.typ(elem))
		}
	}
	bodies := []string{
		"%p = arith.mulf %x, %y : f32\n    %r = arith.addf %o, %p : f32",
		"%p = arith.addf %x, %o : f32\n    %r = arith.subf %p, %y : f32",
		"%r = arith.maximumf %x, %o : f32",
		"%r = arith.minnumf %o, %y : f32",
		"%p = arith.subf %x, %y : f32\n    %q = arith.mulf %p, %p : f32\n    %r = arith.addf %o, %q : f32",
		"%p = arith.mulf %o, %half : f32\n    %r = arith.addf %p, %x : f32",
		"%k = linalg.index 0 : index\n    %w = arith.index_cast %k : index to i32\n    %f = arith.sitofp %w : i32 to f32\n    %p = arith.mulf %f, %x : f32\n    %r = arith.addf %p, %o : f32",
		"%p = arith.extf %x : f32 to f64\n    %q = arith.extf %o : f32 to f64\n    %s = arith.addf %p, %q : f64\n    %r = arith.truncf %s : f64 to f32",
	}
	fmt.Fprintf(&m.body, "  linalg.generic {indexing_maps = [%s], iterator_types = [%s]} ins(%s, %s : %s) outs(%s : %s) {\n  ^bb0(%%x: f32, %%y: f32, %%o: f32):\n    %s\n    linalg.yield %%r : f32\n  }\n",
		strings.Join(maps, ", "), strings.Join(iterators, ", "), names[0], names[1], strings.Join(inTypes, ", "), names[2], out.typ(elem), bodies[r.IntN(len(bodies))])
	if local {
		fmt.Fprintf(&m.body, "  memref.copy %s, %s : %s to %s\n  memref.dealloc %s : %s\n", names[2], target, out.typ(elem), out.typ(elem), names[2], out.typ(elem))
	}
}
