package boundary

import (
	"freehold/ir"
	"freehold/pass"
)

// equivalentOptions are the options of drop-equivalent-buffer-results.
type equivalentOptions struct{ public bool }

// The passes of function boundaries.
var (
	EquivalentPass = pass.New(pass.Info{
		Name: "drop-equivalent-buffer-results", Title: "DropEquivalentBufferResults",
		Summary: "Let functions return no arguments of theirs",
		Description: `Removes the results of functions that are always the same argument, and lets callers use what they have
passed. Run it after one-shot-bufferize with function boundaries, where functions return the buffers that they have written
into. Functions with several returns stay as they are. It takes time in the size of the program.`,
		On: "builtin.module",
	}, func(o *equivalentOptions, d *pass.Decl) {
		declarePublic(d, &o.public)
	}, pass.OnModule(func(c *pass.Context, o *equivalentOptions, module *ir.Op) error {
		if DropEquivalentResults(module, o.public) == 0 {
			c.Unchanged()
		}
		return nil
	}))
	ConstantsPass = pass.New(pass.Info{
		Name: "fold-constant-arguments", Title: "FoldConstantArguments",
		Summary: "Put constants in place of arguments that are the same in all calls",
		Description: `Removes the arguments of private functions that are numbers, and the same constant in all calls, and canonicalizes these functions. Run it after
buffers are freed: a function that gets the buffers which it may free from all callers, or from none, needn't ask then. It takes time in the size of
the program, apart from the canonicalization.`,
		On: "builtin.module",
	}, nil, pass.OnModule(func(c *pass.Context, _ *pass.None, module *ir.Op) error {
		if FoldConstantArguments(module) == 0 {
			c.Unchanged()
		}
		return nil
	}))
	OutParamsPass = pass.New(pass.Info{
		Name: "buffer-results-to-out-params", Title: "BufferResultsToOutParams",
		Summary: "Let functions write into buffers of their callers instead of returning buffers",
		Description: `Makes an argument of each ranked buffer that a function returns, and copies the result there; callers allocate it
before the call. Sizes must be static, or with ` + "`hoist-dynamic-allocs`" + ` arguments, and layouts the identity or unknown. Run it before buffers are freed.
An allocation is hoisted only where nothing but the returned buffer is lost: not in loops, and not if it is freed on
another path. It takes time in the size of the program.`,
		On: "builtin.module",
	}, (*OutParamOptions).Declare, pass.OnModule(func(c *pass.Context, o *OutParamOptions, module *ir.Op) error {
		failed := ResultsToOutParams(module, *o)
		if len(failed) == 0 {
			return nil
		}
		for _, d := range failed[:len(failed)-1] {
			c.Emit(d)
		}
		return failed[len(failed)-1]
	}))
)

// Declare declares the options of buffer-results-to-out-params.
func (o *OutParamOptions) Declare(d *pass.Decl) {
	d.Bool(&o.AddResultAttr, "add-result-attr", false, "Mark the new arguments with the attribute bufferize.result")
	d.Bool(&o.HoistStaticAllocs, "hoist-static-allocs", false, "Let functions work in the caller's buffer where they would allocate one of static size and copy it")
	d.Bool(&o.HoistDynamicAllocs, "hoist-dynamic-allocs", false, "The same for buffers whose sizes are arguments").Extension()
	declarePublic(d, &o.ModifyPublicFunctions)
}

func declarePublic(d *pass.Decl, public *bool) {
	d.Bool(public, "modify-public-functions", true, "Change public functions and declarations, too").Extension()
}

// Register adds the passes.
func Register(r *pass.Registry) { r.Register(EquivalentPass, ConstantsPass, OutParamsPass) }
