package explain_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"freehold/compile"
	"freehold/internal/testing/irgen"
	"freehold/ir"
	"freehold/tool/explain"
)

// writeInto lets what an item's operation makes room for be written into the tensor of a note.
func (p *patient) writeInto(i *explain.Item, n explain.Note) bool {
	found := false
	for _, op := range p.at(i.At) {
		if op.NumResults() != 1 || op.NumRegions() > 0 {
			continue
		}
		for _, v := range p.values(n) {
			if v.Type() == op.Result(0).Type() {
				op.Result(0).ReplaceAllUsesWith(v)
				found = true
				break
			}
		}
	}
	return found
}

// all counts copies and allocations.
func all(items []*explain.Item) (copies, allocations int) {
	for _, i := range items {
		copies, allocations = copies+i.Copies, allocations+i.Allocations
	}
	return copies, allocations
}

// Where a buffer is said to be free, the allocation is gone if it is used, and there are no more
// copies than before.
func TestSparesAreFree(t *testing.T) {
	type program struct{ name, src string }
	var programs []program
	for _, f := range programsIn(t, "../../examples") {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		programs = append(programs, program{f, string(src)})
	}
	for seed := range uint64(6000) {
		src := irgen.Tensors(rand.New(rand.NewPCG(seed, 1)).IntN, 40)
		// A tensor of a function that becomes a part of another can't be written into one of that.
		if !strings.Contains(src, "func.call") {
			programs = append(programs, program{"random.mlir", src})
		}
	}
	spares, wrong := 0, 0
	for _, p := range programs {
		x := newTrial(p.name, []byte(p.src), compile.Options{Arena: compile.NoArena, Arguments: compile.OverwriteArguments, KeepOrder: true}.Pipeline())
		if x == nil {
			continue
		}
		for _, i := range x.items {
			k := slices.IndexFunc(i.Notes, func(n explain.Note) bool { return n.Role == explain.TheSpare })
			if k < 0 || !i.Remains() {
				continue
			}
			spares++
			after := x.explained(x.pipeline, func(p *patient) bool { return p.writeInto(i, i.Notes[k]) })
			copies, allocations := all(x.items)
			copiesAfter, allocationsAfter := all(after)
			if after == nil || allocationsAfter >= allocations || copiesAfter > copies {
				pos, _ := ir.SourcePos(located(i.At.Loc))
				wrong++
				t.Logf("%s:%d: %s: %d copies and %d allocations, not %d and %d", p.name, pos.Line, i.Title, copiesAfter, allocationsAfter, copies, allocations)
			}
		}
	}
	// Few tensors of random programs are read at all, and what nobody reads is gone before. Bufferization decides one by one: another buffer in one place may cost a copy elsewhere.
	t.Logf("%d of %d buffers are free", spares-wrong, spares)
	if spares < 5 || 10*wrong > spares {
		t.Error("5 are needed, and at most one in ten may be wrong")
	}
}
