package debugging

import (
	"fmt"
	"strconv"

	"freehold/ir"
	"freehold/pass"
)

// Dominance is --test-print-dominance. It also answers for blocks that can't be
// reached, and for operations without a name, on which mlir-opt crashes. The block
// of the outermost operation, which is none, is left out.
var Dominance = pass.New(pass.Info{
	Name: "test-print-dominance", Title: "TestPrintDominance",
	Summary: "Print which blocks dominate and post-dominate which (for tests)",
	Description: `Prints for each two blocks of an operation, and of the block it is in, the nearest block that
dominates and that post-dominates both, and whether one dominates and post-dominates the other. Quadratic in the number
of blocks.`,
}, nil, pass.OnModule(func(c *pass.Context, _ *pass.None, op *ir.Op) error {
	c.Print(dominanceText(op))
	c.Unchanged()
	return nil
}))

// testing returns the line with which what is printed of an operation begins.
func testing(op *ir.Op) string {
	name, _ := op.Attr("sym_name").(*ir.StringAttr)
	if name == nil {
		return "Testing : \n"
	}
	return "Testing : " + name.Value + "\n"
}

func dominanceText(op *ir.Op) []byte {
	var blocks []*ir.Block // inner ones first, in order of their numbers
	numbers := map[*ir.Block]int{}
	op.WalkPostOrder(func(o *ir.Op) {
		if b := o.Block(); b != nil {
			if _, seen := numbers[b]; !seen {
				numbers[b] = len(blocks)
				blocks = append(blocks, b)
			}
		}
	})
	text := []byte(testing(op))
	nearest := func(title string, common func(a, b *ir.Block) *ir.Block) {
		text = fmt.Appendf(text, "--- %s ---\n", title)
		for i, a := range blocks {
			for j, b := range blocks {
				number := "<no dom>"
				if x := common(a, b); x != nil {
					number = strconv.Itoa(numbers[x])
				}
				text = fmt.Appendf(text, "Nearest(%d, %d) = %s\n", i, j, number)
			}
		}
	}
	relation := func(title, name string, holds func(a, b *ir.Block) bool) {
		text = fmt.Appendf(text, "--- Block %s relationship ---\n", title)
		for i, a := range blocks {
			for j, b := range blocks {
				text = fmt.Appendf(text, "%s(%d, %d) = %t\n", name, i, j, holds(a, b))
			}
		}
	}
	dom, post := ir.NewDominance(), ir.NewPostDominance()
	nearest("DominanceInfo", dom.NearestCommonDominator)
	nearest("PostDominanceInfo", post.NearestCommonPostDominator)
	relation("Dominance", "dominates", dom.BlockDominates)
	relation("PostDominance", "postdominates", post.BlockPostDominates)
	return text
}
