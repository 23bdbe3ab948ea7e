package difftest

import (
	"context"
	"errors"
	"fmt"

	"freehold/exec/interp"
	"freehold/exec/native"
	"freehold/ir"
)

// nativeInputs is on how many inputs of a function native code is executed: it is compiled for each.
const nativeInputs = 3

// judgeNative executes a transformed function as C code, and compares what it does with what it did in checked memory.
func (t *tester) judgeNative(k int, a, b *ir.Op, args []interp.Value, run interp.Options, want *interp.Result) {
	o := *t.o.Native
	o.Places, o.Twice, o.Restore = run.Places, want.Again != nil, run.Restore
	contents := interp.Options{Resources: t.o.Resources, Elided: t.o.Elided}
	o.Emit.Contents = contents.Contents
	got, err := native.Run(context.Background(), t.after, b, args, o)
	var crash *native.CrashError
	switch {
	case errors.As(err, &crash):
		t.differsNatively(k, a, "the execution", err.Error())
		return
	case err != nil:
		t.fn.NotNative = err
		return
	}
	t.fn.Native++
	if what, difference := native.Difference(want, got); difference != "" {
		t.differsNatively(k, a, what, difference)
	}
}

func (t *tester) differsNatively(k int, a *ir.Op, what, difference string) {
	t.fn.Mismatches = append(t.fn.Mismatches, Mismatch{k, fmt.Sprintf("natively, %s", what), difference, a.Loc()})
}
