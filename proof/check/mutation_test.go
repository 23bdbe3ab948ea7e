package check_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sort"
	"testing"

	"freehold/dialect/arith"
	"freehold/dialect/bufferization"
	"freehold/dialect/cf"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/ir"
	iranalysis "freehold/ir/analysis"
	"freehold/ir/interfaces"
)

var (
	corpus    = flag.String("corpus", "", "folders of programs, separated by commas, to make mutants of")
	perFree   = flag.Int("mutants", 9, "how many mutants to make for each free")
	survivors = flag.String("survivors", "", "write mutants that are judged safe to this folder")
)

// bug is a way to break a program by changing one free.
type bug uint8

const (
	removed   bug = iota
	doubled       // once more, in another place
	moved         // to another place
	flipped       // its condition is negated
	dropped       // a value is retained no longer, and its result is false
	exchanged     // with the buffer of another free
	bugs
)

func (b bug) String() string {
	return [...]string{"removed", "doubled", "moved", "flipped", "dropped", "exchanged"}[b]
}

// free is a buffer that an operation frees: operand i of op.
type free struct {
	op *ir.Op
	i  int
}

// freesIn lists the frees of a program, in its order.
func freesIn(m *ir.Op) (out []free) {
	m.Walk(func(op *ir.Op) bool {
		switch {
		case op.Is(memref.Dealloc):
			out = append(out, free{op, 0})
		case op.Is(bufferization.Dealloc):
			for i := range (bufferization.DeallocOp{Op: op}).MemRefs() {
				out = append(out, free{op, i})
			}
		}
		return true
	})
	return out
}

// never tells whether free k of a program is never executed: doing it twice in a row
// is safe.
func never(src []byte, k int) bool {
	m := load(src)
	f := freesIn(m)[k]
	build := ir.NewBuilder(f.op.Context())
	build.SetBefore(f.op)
	if f.op.Is(bufferization.Dealloc) {
		// With what is retained: to free a retained buffer isn't to free it.
		d := bufferization.DeallocOp{Op: f.op}
		bufferization.NewDealloc(build, []*ir.Value{d.MemRefs().At(f.i)}, []*ir.Value{d.Conditions().At(f.i)}, d.Retained().Values())
	} else {
		build.Clone(f.op, ir.NewMapping())
	}
	return verdict(m) == "safe"
}

// between tells whether nothing uses the buffer, nor decides about what follows,
// between two operations of a block: what is in between works on other buffers.
func between(a, b *ir.Op, buffer *ir.Value) bool {
	if a.Block() != b.Block() {
		return false
	}
	if b.IsBefore(a) {
		a, b = b, a
	}
	origins := iranalysis.NewOrigins(a.Block().ParentOp())
	quiet := true
	for op := a; op != b; op = op.Next() {
		op.Walk(func(o *ir.Op) bool {
			effects, known := interfaces.EffectsOf(o)
			if !known && !o.Is(bufferization.Dealloc) {
				for _, v := range o.Operands().Values() {
					quiet = quiet && (!ir.IsMemRef(v.Type()) || origins.Query(v, buffer) == iranalysis.NeverAlias)
				}
			}
			for _, e := range effects {
				if e.Kind == interfaces.Read || e.Kind == interfaces.Write {
					v := e.Value(o)
					quiet = quiet && v != nil && origins.Query(v, buffer) == iranalysis.NeverAlias
				}
			}
			return quiet
		})
	}
	return quiet
}

// unreached tells whether control never gets to where the planted free is: an
// allocation there is no leak.
func unreached(planted *ir.Op) bool {
	build := ir.NewBuilder(planted.Context())
	build.SetBefore(planted)
	memref.NewAlloc(build, planted.Context().MemRef([]int64{4}, ir.I32), nil, 0)
	m := planted
	for m.Parent() != nil {
		m = m.Parent()
	}
	return verdict(m) == "safe"
}

// mutate breaks the program at a free. It returns a description, or "" if it changed
// nothing. It sets quiet if the free was only moved past operations that don't use the
// buffer, and planted to the new free.
func mutate(f free, b bug, r *rand.Rand, quiet *bool, planted **ir.Op) string {
	where := func(op *ir.Op) string {
		p, _ := ir.SourcePos(op.Loc())
		if p == nil {
			return op.Name()
		}
		return fmt.Sprintf("%s at line %d", op.Name(), p.Line)
	}
	build := ir.NewBuilder(f.op.Context())
	what := fmt.Sprintf("%v %s", b, where(f.op))
	switch b {
	case flipped:
		if flip(f) {
			return what
		}
		return ""
	case dropped:
		if dropRetained(f, r) {
			return what
		}
		return ""
	case exchanged:
		if other := exchange(f, r, quiet); other != nil {
			return what + " and " + where(other)
		}
		return ""
	}
	if d := (bufferization.DeallocOp{Op: f.op}); f.op.Is(bufferization.Dealloc) {
		what += fmt.Sprintf(" buffer %d", f.i)
		ms, cs := d.MemRefs().Values(), d.Conditions().Values()
		one, cond := ms[f.i], cs[f.i]
		if b != doubled {
			d.Set(append(ms[:f.i:f.i], ms[f.i+1:]...), append(cs[:f.i:f.i], cs[f.i+1:]...))
		}
		if b == removed {
			return what
		}
		target := place(f.op, r, one, cond)
		if target == nil {
			return ""
		}
		*quiet = b == moved && len(d.Retained()) == 0 && between(f.op, target, one)
		build.SetBefore(target)
		build.Loc = f.op.Loc()
		*planted = bufferization.NewDealloc(build, []*ir.Value{one}, []*ir.Value{cond}, nil)
		return what + " to before " + where(target)
	}
	if b == removed {
		f.op.Erase()
		return what
	}
	target := place(f.op, r, f.op.Operand(0))
	if target == nil {
		return ""
	}
	*quiet = b == moved && between(f.op, target, f.op.Operand(0))
	build.SetBefore(target)
	*planted = build.Clone(f.op, ir.NewMapping())
	if b == moved {
		f.op.Erase()
	}
	return what + " to before " + where(target)
}

// flip negates the condition of a free: that of a conditional deallocation, or of the
// branch that leads to it and nowhere else. It returns false if there is none.
func flip(f free) bool {
	on, i := f.op, len((bufferization.DeallocOp{Op: f.op}).MemRefs())+f.i
	if f.op.Is(memref.Dealloc) {
		b := f.op.Block()
		switch p := b.SinglePred(); {
		case f.op.Parent().Is(scf.If):
			on, i = f.op.Parent(), 0
		case p != nil && p.Terminator().Is(cf.CondBranch):
			on, i = p.Terminator(), 0
		default:
			return false
		}
	}
	build := ir.NewBuilder(f.op.Context())
	build.SetBefore(on)
	build.Loc = on.Loc()
	on.SetOperand(i, arith.New(build, arith.XOrI, on.Operand(i), arith.ConstantBool(build, true)))
	return true
}

// dropRetained takes a random value from the ones that the operation of a free retains.
func dropRetained(f free, r *rand.Rand) bool {
	d := bufferization.DeallocOp{Op: f.op}
	if !f.op.Is(bufferization.Dealloc) || len(d.Retained()) == 0 {
		return false
	}
	k := r.IntN(len(d.Retained()))
	retained := d.Retained().Values()
	build := ir.NewBuilder(f.op.Context())
	build.SetBefore(f.op)
	build.Loc = f.op.Loc()
	with := bufferization.NewDealloc(build, d.MemRefs().Values(), d.Conditions().Values(), append(retained[:k:k], retained[k+1:]...))
	owned := arith.ConstantBool(build, false)
	for i := range f.op.NumResults() {
		switch {
		case i < k:
			f.op.Result(i).ReplaceAllUsesWith(with.Result(i))
		case i == k:
			f.op.Result(i).ReplaceAllUsesWith(owned)
		default:
			f.op.Result(i).ReplaceAllUsesWith(with.Result(i - 1))
		}
	}
	f.op.Erase()
	return true
}

// exchange exchanges the buffers of a free and a random other one, and returns that;
// nil if there is none where each can be used in place of the other. It sets quiet if
// nothing uses the buffers in between.
func exchange(f free, r *rand.Rand, quiet *bool) *ir.Op {
	root := f.op
	for root.Parent() != nil {
		root = root.Parent()
	}
	dom := ir.NewDominance()
	buffer := f.op.Operand(f.i)
	var all []free
	for _, g := range freesIn(root) {
		if v := g.op.Operand(g.i); v != buffer && dom.ValueDominates(v, f.op) && dom.ValueDominates(buffer, g.op) {
			all = append(all, g)
		}
	}
	if len(all) == 0 {
		return nil
	}
	g := all[r.IntN(len(all))]
	*quiet = f.op.Is(memref.Dealloc) && g.op.Is(memref.Dealloc) && between(f.op, g.op, buffer) && between(f.op, g.op, g.op.Operand(g.i))
	f.op.SetOperand(f.i, g.op.Operand(g.i))
	g.op.SetOperand(g.i, buffer)
	return g.op
}

// place returns a random operation of the function, other than the free and the
// next one, before which the values can be used.
func place(op *ir.Op, r *rand.Rand, values ...*ir.Value) *ir.Op {
	fn := op
	for {
		if interfaces.Function.Has(fn) || fn.Parent() == nil {
			break
		}
		fn = fn.Parent()
	}
	dom := ir.NewDominance()
	var all []*ir.Op
	fn.Walk(func(o *ir.Op) bool {
		if o == fn || o == op || o == op.Next() {
			return true
		}
		for _, v := range values {
			if !dom.ValueDominates(v, o) {
				return true
			}
		}
		all = append(all, o)
		return true
	})
	if len(all) == 0 {
		return nil
	}
	return all[r.IntN(len(all))]
}

// TestMutants plants bugs in the programs of a corpus, after deallocation in
// several ways, and counts how many are found. It fails if a program that the check
// calls safe does something wrong when it is executed.
func TestMutants(t *testing.T) {
	if *corpus == "" {
		t.Skip("needs -corpus")
	}
	var files []string
	for _, dir := range filepath.SplitList(*corpus) {
		found, err := filepath.Glob(filepath.Join(dir, "*.mlir"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	sort.Strings(files)
	type key struct {
		b bug
		v string
	}
	count := map[key]int{}
	programs, frees := 0, 0
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for n, pipeline := range []string{
			"ownership-based-buffer-deallocation",
			"buffer-deallocation-pipeline",
			"buffer-deallocation-pipeline{private-function-dynamic-ownership=true}",
			"one-shot-bufferize{bufferize-function-boundaries=true},buffer-deallocation-pipeline",
			"buffer-deallocation-pipeline,convert-scf-to-cf",
			"one-shot-bufferize{bufferize-function-boundaries=true},complete-buffer-deallocation-pipeline",
			"ownership-based-buffer-deallocation{private-function-argument-ownership=true private-function-dynamic-ownership=true}",
		} {
			m := load(src)
			if m == nil {
				break
			}
			if m = transformed(t, m, pipeline); m == nil {
				continue
			}
			base := []byte(text(m))
			m = load(base)
			if m == nil || len(freesIn(m)) == 0 {
				continue
			}
			if v := verdict(m); v != "safe" {
				t.Logf("%s, %s: %s", file, pipeline, v)
				continue
			}
			programs++
			frees += len(freesIn(m))
			for k := range freesIn(m) {
				for i := range *perFree {
					m := load(base)
					b := bug(i) % bugs
					r := rand.New(rand.NewPCG(uint64(k), uint64(i)))
					f := freesIn(m)[k]
					var planted *ir.Op
					quiet := false
					what := mutate(f, b, r, &quiet, &planted)
					if what == "" || ir.Verify(m) != nil {
						continue
					}
					v := verdict(m)
					judged := m
					if v == "safe" {
						switch {
						case b <= moved && never(base, k):
							v = "never freed"
						case quiet:
							v = "unused meanwhile"
						case b == doubled:
							judged = load([]byte(text(m)))
							if unreached(planted) {
								v = "unreached"
							}
						}
					}
					m = judged
					count[key{b, v}]++
					if v == "unsafe" || v == "not judged" {
						continue
					}
					wrong := ""
					for _, fn := range functions(m) {
						for seed := range uint64(4) {
							if f := refuted(m, fn, seed); f != nil {
								wrong = f.Diagnostic.Error()
							}
						}
					}
					if wrong != "" {
						t.Errorf("%s, %s: %s: called safe, but: %s\n%s", file, pipeline, what, wrong, text(m))
					}
					if *survivors != "" && v == "safe" {
						name := fmt.Sprintf("%s-%d-%d-%d.mlir", filepath.Base(file), n, k, i)
						if err := os.WriteFile(filepath.Join(*survivors, name), append([]byte("// "+what+"\n"), base...), 0o666); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
		}
	}
	t.Logf("%d programs with %d frees", programs, frees)
	total := 0
	for _, n := range count {
		total += n
	}
	t.Logf("%d mutants", total)
	for b := range bugs {
		t.Logf("%-8v unsafe %6d, not judged %6d, safe: the free is never executed %6d, the buffer isn't used between the places %6d, the second free is never reached %6d, others %6d", b,
			count[key{b, "unsafe"}], count[key{b, "not judged"}], count[key{b, "never freed"}], count[key{b, "unused meanwhile"}], count[key{b, "unreached"}], count[key{b, "safe"}])
	}
}
