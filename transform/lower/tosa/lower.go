package tosa

import (
	"freehold/dialect/tosa"
	"freehold/ir"
	"freehold/ir/conversion"
	"freehold/ir/rewrite"
	"freehold/pass"
)

// lowering has the patterns of all conversions.
type lowering struct {
	transposed, control, named, linalg, tensor, arith *rewrite.PatternSet
}

func newLowering(c *ir.Context) *lowering {
	set := func(patterns []rewrite.Pattern) *rewrite.PatternSet { return rewrite.NewPatternSet(c, patterns) }
	return &lowering{set(transposedPatterns()), set(ControlPatterns()), set(NamedPatterns(NamedOptions{})), set(LinalgPatterns(c)), set(TensorPatterns()), set(ArithPatterns(everything))}
}

// everything also replaces tosa.apply_scale.
var everything = ArithOptions{ApplyScale: true}

// Lower replaces all operations of tosa in op by those of other dialects, which compute the same. It
// tells whether there were any. It is an error if one can't be replaced. Linear time.
func Lower(op *ir.Op, report func(*ir.Diagnostic)) (changed bool, err error) {
	return newLowering(op.Context()).run(op, report)
}

func (l *lowering) run(op *ir.Op, report func(*ir.Diagnostic)) (changed bool, err error) {
	if !IsNeeded(op) {
		return false, nil
	}
	for _, convert := range []func() error{
		func() error { l.decompose(op); return nil },
		func() error { return ToSCF(op, l.control, report) },
		func() error { return ToLinalgNamed(op, l.named, report) },
		func() error { return ToLinalg(op, l.linalg, report) },
		func() error { return ToTensor(op, l.tensor, report) },
		func() error { return ToArith(op, everything, l.arith, report) },
	} {
		if err := convert(); err != nil {
			return true, err
		}
	}
	conversion.ReconcileCasts(op)
	return true, nil
}

// decompose makes convolutions of transposed ones.
func (l *lowering) decompose(op *ir.Op) {
	var ops []*ir.Op
	op.Walk(func(o *ir.Op) bool {
		if o.Is(tosa.TransposeConv2D) {
			ops = append(ops, o)
		}
		return true
	})
	if len(ops) > 0 {
		rewrite.ApplyPatternsToOps(ops, l.transposed, rewrite.Config{})
	}
}

// IsNeeded tells whether there is an operation of tosa in op: whether [Lower] would do anything. Linear time.
func IsNeeded(op *ir.Op) bool {
	found := false
	op.Walk(func(o *ir.Op) bool {
		if d := o.Dialect(); d != nil && d.Name == "tosa" {
			found = true
		}
		return !found
	})
	return found
}

// LowerPass is --lower-tosa.
var LowerPass = pass.New(pass.Info{
	Name: "lower-tosa", Title: "LowerTosa",
	Summary: "Replace all operations of tosa",
	Description: "Replaces `tosa.transpose_conv2d`, as `tosa-optional-decompositions` does, and runs `tosa-to-scf`, `tosa-to-linalg-named`, `tosa-to-linalg`, `tosa-to-tensor` and `tosa-to-arith`, with `tosa.apply_scale`, one after the other, and removes casts that undo each other. " +
		"It is an error if an operation of tosa can't be replaced. Programs without any are left alone. Linear time.",
}, nil, pass.Prepared(func(ctx *ir.Context, _ *pass.None) func(*pass.Context, *ir.Op) error {
	l := newLowering(ctx)
	return func(c *pass.Context, op *ir.Op) error {
		changed, err := l.run(op, c.Emit)
		if !changed {
			c.Unchanged()
		}
		return err
	}
}))
