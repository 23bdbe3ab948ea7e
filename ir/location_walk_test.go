package ir_test

import (
	"testing"

	"freehold/ir"
)

// TestSharedLocations looks for a position in locations that share their parts: a
// walk along all paths would not end.
func TestSharedLocations(t *testing.T) {
	ctx := ir.NewContext()
	var l ir.Location = ctx.NameLoc("a", ir.Unknown)
	for range 100 {
		l = ctx.CallSiteLoc(l, l)
	}
	if p, ok := ir.SourcePos(l); ok {
		t.Errorf("found %v", p)
	}
	n := 0
	ir.WalkLocation(l, func(l ir.Location) bool {
		n++
		return true
	})
	if n > 300 {
		t.Errorf("%d calls", n)
	}
	inner := ctx.FileLineColLoc("f", 1, 2)
	l = ctx.FusedLoc([]ir.Location{l, ctx.CallSiteLoc(ctx.NameLoc("b", ir.Unknown), inner), ctx.FileLineColLoc("f", 3, 4)}, nil)
	if p, ok := ir.SourcePos(l); !ok || p.Line != 1 {
		t.Errorf("found %v", p)
	}
}
