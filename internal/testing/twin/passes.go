package twin

import (
	"errors"

	"freehold/internal/linediff"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/pass"
)

// passes is what passes that don't change the meaning of a program make of it. Changes are counted where the texts differ.
func passes(name, pipeline string) Twin {
	return Twin{Name: name, Rewrite: func(r *pass.Registry, m *ir.Op, _ func(n int) int) (int, error) {
		before := asm.Print(m, asm.PrintOptions{})
		p, err := r.ParsePipeline("builtin.module(" + pipeline + ")")
		if err != nil {
			return 0, err
		}
		if err := (&pass.Runner{VerifyEach: true, Threads: 1}).Run(p, m); err != nil {
			var crash *ir.CrashError
			if errors.As(err, &crash) {
				return 0, err
			}
			return 0, errors.Join(ErrNone, err)
		}
		return len(linediff.Hunks(before, asm.Print(m, asm.PrintOptions{}))), nil
	}}
}
