package memref

import (
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/pass"
)

// UnusedGlobalsPass is --erase-unused-globals.
var UnusedGlobalsPass = pass.New(pass.Info{
	Name: "erase-unused-globals", Title: "EraseUnusedGlobals",
	Summary: "Erase private globals that nothing refers to",
	Description: "Erases each private `memref.global` whose name nothing in the program mentions: a constant that was folded, or that is made at each use, would still be stored with the program. Functions stay, " +
		"unlike with `symbol-dce`. Linear time.",
}, nil, pass.OnModule(func(c *pass.Context, _ *pass.None, op *ir.Op) error {
	if EraseUnusedGlobals(op) == 0 {
		c.Unchanged()
	}
	return nil
}))

// EraseUnusedGlobals erases the private globals in op whose names nothing in it mentions, and returns their number. Linear time.
func EraseUnusedGlobals(op *ir.Op) int {
	var unused []*ir.Op
	op.Walk(func(x *ir.Op) bool {
		if x.Is(memref.Global) && ir.IsPrivate(x) {
			unused = append(unused, x)
		}
		return true
	})
	if len(unused) == 0 {
		return 0
	}
	mentioned := map[string]bool{}
	ir.SymbolUses(op, func(_ *ir.Op, ref *ir.SymbolRefAttr) { mentioned[ref.Leaf()] = true })
	erased := 0
	for _, g := range unused {
		if name, _ := ir.SymbolName(g); !mentioned[name] {
			g.Erase()
			erased++
		}
	}
	return erased
}
