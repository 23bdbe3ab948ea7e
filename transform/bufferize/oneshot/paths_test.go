package oneshot

import (
	"math/rand/v2"
	"testing"

	"freehold/dialect"
	"freehold/ir"
	"freehold/ir/asm"
)

// reaches is what paths computes, by following each edge: whether control can go
// from a to b over at least one edge without getting to except on the way or in the end.
func reaches(a, b, except *ir.Block) bool {
	seen := map[*ir.Block]bool{except: true}
	work := a.Succs()
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[x] {
			continue
		}
		if x == b {
			return true
		}
		seen[x] = true
		work = append(work, x.Succs()...)
	}
	return false
}

func TestPaths(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		n := 2 + r.IntN(8)
		src := "func.func @f(%c: i1) {\n  cf.br ^b0\n"
		for i := range n {
			src += "^b" + string(rune('0'+i)) + ":\n"
			to := func() string { return "^b" + string(rune('0'+r.IntN(n))) }
			switch r.IntN(4) {
			case 0:
				src += "  return\n"
			case 1:
				src += "  cf.br " + to() + "\n"
			default:
				src += "  cf.cond_br %c, " + to() + ", " + to() + "\n"
			}
		}
		m, err := asm.Parse(ir.NewContext(dialect.All()...), []byte(src+"}\n"), "blocks.mlir", asm.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		region := m.RegionAt(0).Entry().First().RegionAt(0)
		dom, p := ir.NewDominance(), &paths{}
		live := func(b *ir.Block) bool { return b.IsEntry() || reaches(region.Entry(), b, nil) }
		for a := range region.Blocks() {
			for b := range region.Blocks() {
				for e := range region.Blocks() {
					if got, want := p.circle(a, b, e), reaches(a, b, e) && reaches(b, a, e); got != want {
						t.Errorf("circle is %v, want %v, in\n%s", got, want, src)
					}
					if a == b || b == e || a == e || !dom.BlockDominates(e, a) || !live(a) || !live(b) {
						continue
					}
					if got, want := p.lead(dom, a, b, e), reaches(a, b, e); got != want {
						t.Errorf("lead is %v, want %v, in\n%s", got, want, src)
					}
				}
			}
		}
	}
}
