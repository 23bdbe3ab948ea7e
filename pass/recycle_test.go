package pass_test

import (
	"testing"

	"freehold/ir"
	"freehold/pass"
)

// Where the runner may, functions are rewritten in the memory of what was erased in those
// before them, unless something was reported that may name it.
func TestRecycle(t *testing.T) {
	for _, test := range []struct {
		name               string
		recycle, report, w bool
	}{
		{"unless asked", false, false, false},
		{"if asked", true, false, true},
		{"not after a report", true, true, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			erased, reused, parts := map[*ir.Op]bool{}, 0, 0
			p := pass.New(pass.Info{Name: "replace", Title: "replace"}, nil, pass.OnFunctions(func(ctx *ir.Context, _ *pass.None) pass.Functions[pass.None] {
				return pass.Functions[pass.None]{Worker: func(a *ir.Arena) func(*pass.Context, pass.None, *ir.Op) error {
					b := ir.NewBuilderIn(ctx, a)
					return func(c *pass.Context, _ pass.None, fn *ir.Op) error {
						parts++
						if test.report {
							remark(c, fn, "seen")
						}
						old := fn.RegionAt(0).Entry().First()
						b.SetBefore(old)
						next := b.Clone(old, ir.NewMapping())
						if erased[next] {
							reused++
						}
						for i := range old.NumResults() {
							old.Result(i).ReplaceAllUsesWith(next.Result(i))
						}
						b.Erase(old)
						erased[old] = true
						return nil
					}
				}}
			})).Pass
			m := program(3)
			b := ir.NewBuilder(m.Context())
			for fn := range m.BodyBlock(0).Ops() {
				body := ir.NewBlock()
				fn.RegionAt(0).Append(body)
				b.SetEnd(body)
				b.Create(b.State(looseDef.ID))
			}
			if _, err := run(t, registry(p), &pass.Runner{Threads: 1, VerifyEach: true, Recycle: test.recycle}, "builtin.module(replace)", m); err != nil {
				t.Fatal(err)
			}
			if parts != 3 || (reused > 0) != test.w {
				t.Errorf("%d of %d operations are where others were", reused, parts)
			}
		})
	}
}
