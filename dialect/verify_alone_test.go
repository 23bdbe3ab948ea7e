package dialect_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"freehold/dialect"
	"freehold/internal/testing/fuzz"
	"freehold/ir"
	"freehold/ir/asm"
)

// The checks of definitions that promise to depend on the operation alone say the same of
// an operation without its surroundings: its operands are arguments of a block, it is
// nowhere, and its blocks are empty.
func TestVerifyAlone(t *testing.T) {
	checked, refused := map[*ir.OpDef]bool{}, 0
	ctx := ir.NewContext(dialect.All()...)
	ctx.AllowUnregistered = true
	for _, src := range scriptPrograms(t) {
		m, err := asm.Parse(ctx, src, "f.mlir", asm.ParseOptions{})
		if err != nil {
			continue
		}
		m.Walk(func(op *ir.Op) bool {
			def := op.Def()
			if def == nil || !def.VerifyAlone {
				return true
			}
			want, ok := ownChecks(op)
			if !ok || want == nil && ir.VerifyOp(op) != nil {
				return true // It contradicts what is declared, and so is never asked for more.
			}
			got, _ := ownChecks(alone(op))
			if (got == nil) != (want == nil) {
				t.Errorf("%s:\nalone: %v\nin place: %v", op.Name(), got, want)
			}
			checked[def] = true
			if want != nil {
				refused++
			}
			return true
		})
	}
	if len(checked) < 50 || refused < 20 {
		t.Errorf("%d definitions were checked, %d operations refused", len(checked), refused)
	}
}

// alone copies an operation without what defines its operands, what is around it and
// what is nested in it.
func alone(op *ir.Op) *ir.Op {
	c := ir.CloneDetached(op)
	operands := ir.NewBlock()
	for i := range c.NumOperands() {
		c.SetOperand(i, operands.AddArg(c.Operand(i).Type(), nil))
	}
	for _, r := range c.Regions() {
		for b := range r.Blocks() {
			for b.Last() != nil {
				last := b.Last()
				last.DropReferences()
				last.Remove()
			}
		}
	}
	return c
}

// ownChecks calls what a definition promises about. It returns false if that panics.
func ownChecks(op *ir.Op) (err error, ok bool) {
	defer func() {
		if e := recover(); e != nil {
			err, ok = fmt.Errorf("%v", e), false
		}
	}()
	for _, check := range []func(*ir.Op) error{op.Def().Verify, op.Def().VerifyRegions} {
		if check == nil {
			continue
		}
		if err := check(op); err != nil {
			return err, true
		}
	}
	return nil, true
}

// scriptPrograms returns the programs of the scripts of dialects and transforms.
func scriptPrograms(t *testing.T) (programs [][]byte) {
	for _, file := range fuzz.Programs(t, math.MaxInt, "*/testdata/script/*.txtar", "../transform/*/*/testdata/script/*.txtar") {
		programs = append(programs, bytes.Split(file, []byte("// -----\n"))...)
	}
	return programs
}
