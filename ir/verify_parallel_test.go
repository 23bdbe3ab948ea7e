package ir

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"freehold/internal/parallel"
)

var jumpDef = &OpDef{ID: NewOpID("t.br"), Successors: []SuccessorDef{{Name: "to"}}, Traits: TraitTerminator}

// In a long block, or a region of many blocks, the first error counts, and an early
// terminator more than any other, whatever goroutine finds it.
func TestVerifyInParts(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	const size = 9 * partSize
	panicDef := &OpDef{ID: NewOpID("t.panic"), Verify: func(*Op) error { panic("oops") }}
	bodyDef := &OpDef{ID: NewOpID("t.body"), Regions: []RegionDef{{}}, Traits: TraitIsolatedFromAbove | TraitNoTerminator}
	ctx := NewContext(&Dialect{Name: "t", Ops: func() []*OpDef { return []*OpDef{scopeDef, outDef, inDef, jumpDef, panicDef, bodyDef} }})
	for _, c := range []struct {
		name     string
		blocks   bool
		wrong    []int // operations without their operand
		misplace []int // uses before definitions
		early    int   // a terminator in the middle
		panics   int
		want     string
	}{
		{name: "fine"},
		{name: "first of several", wrong: []int{2000, 1700, 700, 701, 2200}, want: "700: 't.in' op requires a single operand"},
		{name: "terminator", wrong: []int{30}, early: 2100, want: "2100: operation with block successors must terminate its parent block"},
		{name: "dominance", misplace: []int{1500, 900}, want: "900: operand #0 does not dominate this use"},
		{name: "dominance comes last", misplace: []int{10}, wrong: []int{2000}, want: "2000: 't.in' op requires a single operand"},
		{name: "fine blocks", blocks: true},
		{name: "first block of several", blocks: true, wrong: []int{2000, 1700, 701, 2200}, want: "701: 't.in' op requires a single operand"},
		{name: "panic", panics: 1000, want: "oops"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := NewBuilder(ctx)
			s := b.State(bodyDef.ID)
			r := s.AddRegion()
			block := r.AddBlock()
			root := b.CreateDetached(s)
			b.SetEnd(block)
			def := b.CreateOp(outDef.ID, []Type{I32}, nil)
			var late []*Op
			for i := 1; i < size; i++ {
				b.Loc = FileLineCol("f", uint32(i), 1)
				branchTo := func(to *Block) {
					s := b.State(jumpDef.ID)
					s.Successors = []*Block{to}
					b.Create(s)
				}
				if c.blocks {
					next := r.AddBlock()
					branchTo(next)
					b.SetEnd(next)
				}
				switch {
				case slices.Contains(c.misplace, i):
					late = append(late, b.CreateOp(outDef.ID, []Type{I32}, nil))
					b.CreateOp(inDef.ID, nil, []*Value{late[len(late)-1].Result(0)})
				case slices.Contains(c.wrong, i):
					b.CreateOp(inDef.ID, nil, nil)
				case c.early == i:
					branchTo(r.AddBlock())
				case c.panics == i:
					b.CreateOp(panicDef.ID, nil, nil)
				default:
					b.CreateOp(inDef.ID, nil, []*Value{def.Result(0)})
				}
			}
			if c.blocks {
				s := b.State(jumpDef.ID)
				s.Successors = []*Block{r.Last()}
				b.Create(s)
			}
			for _, op := range late {
				op.MoveToEnd(block)
			}
			got := ""
			func() {
				defer func() {
					switch p := recover().(type) {
					case nil:
					case *parallel.Panic:
						got = fmt.Sprint(p.Value)
					default:
						got = fmt.Sprint(p)
					}
				}()
				if err := Verify(root); err != nil {
					d, ok := err.(*Diagnostic)
					if !ok {
						t.Fatalf("got %v", err)
					}
					p, _ := SourcePos(d.Loc)
					got = fmt.Sprintf("%d: %s", p.Line, d.Message)
				}
			}()
			if !strings.HasPrefix(got, c.want) || got != "" && c.want == "" {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
