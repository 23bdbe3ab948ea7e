package boundary

import (
	"freehold/ir"
	"freehold/pass"
)

// equivalentOptions are the options of drop-equivalent-buffer-results.
type equivalentOptions struct{ public, duplicates bool }

// borrowedOptions are the options of mark-borrowed-buffers.
type borrowedOptions struct{ dynamic, remove, owned bool }

// partsOptions are the options and counters of copy-returned-parts.
type partsOptions struct {
	PartOptions
	copied, bytes, casts pass.Counter
}

// The passes of function boundaries.
var (
	EquivalentPass = pass.New(pass.Info{
		Name: "drop-equivalent-buffer-results", Title: "DropEquivalentBufferResults",
		Summary: "Let functions return no arguments of theirs",
		Description: `Removes the results of functions that are always the same argument, and lets callers use what they have
passed. Run it after one-shot-bufferize with function boundaries, where functions return the buffers that they have written
into. Functions with several returns stay as they are. With ` + "`duplicates`" + ` it removes, also from these, the results that are always the same buffer as an
earlier one, so that callers needn't find out which of the buffers that they get are one. It takes time in the size of the program.`,
		On: pass.Module,
	}, func(o *equivalentOptions, d *pass.Decl) {
		declarePublic(d, &o.public)
		d.Bool(&o.duplicates, "duplicates", false, "Remove results that are always an earlier result, too").Extension()
	}, pass.OnModule(func(c *pass.Context, o *equivalentOptions, module *ir.Op) error {
		n := DropEquivalentResults(module, o.public)
		if o.duplicates {
			n += DropDuplicateResults(module, o.public)
		}
		if n == 0 {
			c.Unchanged()
		}
		return nil
	}))
	IdentityPass = pass.New(pass.Info{
		Name: "mark-buffer-identity", Title: "MarkBufferIdentity",
		Summary: "Mark the functions and results for which it matters which buffer one is",
		Description: `Marks the functions that have buffers, and their results that are buffers, by ` + "`freehold.identity`" + `: what is written to a buffer is seen by all that have it, so that
it can't be replaced by a copy, as a tensor can. Run it before tensors become buffers, and then ` + "`mark-borrowed-buffers`" + `. Linear time.`,
		On: pass.Module,
	}, nil, pass.OnModule(func(c *pass.Context, _ *pass.None, module *ir.Op) error {
		MarkIdentity(module)
		c.Unchanged() // marks are nothing to verify, and no analysis that is kept depends on them
		return nil
	}))
	BorrowedPass = pass.New(pass.Info{
		Name: "mark-borrowed-buffers", Title: "MarkBorrowedBuffers",
		Summary: "Mark what must not be freed, as it can be reached in ways that can't be seen, or belongs to somebody else",
		Description: `In functions that ` + "`mark-buffer-identity`" + ` has marked, it marks allocations, by ` + "`bufferization.manual_deallocation`" + `, and results of calls, by ` + "`freehold.borrowed`" + `, that are
stored in memory, passed to what keeps them, or whose address is: nothing frees them then but the program itself, and a warning says so if it doesn't. It marks results of functions that aren't their
callers' to free, such as arguments and globals, or parts of these, and the calls. Callers couldn't know of a result that may be theirs to free or not, and get no copy, in which
they wouldn't see what is written to the original: calls of private functions with such a result, or that hand one on, are replaced by what these do, if they aren't recursive or ` + "`no_inline`" + `, and else that is an error; with ` + "`dynamic`" + `, functions may have such results all of whose callers are known, for passes that let functions tell at run time. Run it before
` + "`ownership-based-buffer-deallocation`" + `, ` + "`buffer-deallocation`" + ` or ` + "`hlo-deallocate`" + `. With ` + "`remove`" + ` it takes away the marks that are no use to callers of functions; with ` + "`owned`" + `, where the program frees its buffers, it also marks the results that are their callers' though a value tells whether
they are copies, by ` + "`freehold.owned`" + `, so that the program can be compiled again. It takes time in the size of the program; functions are looked at again
when more is found about one that they call.`,
		On: pass.Module,
	}, func(o *borrowedOptions, d *pass.Decl) {
		d.Bool(&o.dynamic, "dynamic", false, "Accept results that may be the caller's to free or not, of functions that are only called")
		d.Bool(&o.remove, "remove", false, "Take the marks away")
		d.Bool(&o.owned, "owned", false, "With remove, mark results that are the callers' to free in all cases, though that isn't seen")
	}, pass.OnModule(func(c *pass.Context, o *borrowedOptions, module *ir.Op) error {
		if o.remove {
			Unmark(module)
			if o.owned {
				MarkOwned(module)
			}
			c.Unchanged()
			return nil
		}
		done, err := MarkBorrowed(module, o.dynamic)
		for _, d := range done.Kept {
			c.Emit(d)
		}
		if done.Marked == 0 {
			c.Unchanged()
		}
		return err
	}))
	PartsPass = pass.New(pass.Info{
		Name: "copy-returned-parts", Title: "CopyReturnedParts",
		Summary: "Let functions return copies of parts of the buffers that they have made",
		Description: `Lets functions that allocate a buffer, or get one from a call, and return a part of it, such as its first rows, return a copy of the part in a buffer
of its own. So the buffer can be freed where it was made, and whoever gets the result can free that without knowing what it was a part of. Parts of
globals aren't copied, nor, without ` + "`arguments`" + `, those of arguments, those of buffers that are stored or passed somewhere, those that callers see as more than they are or whose buffers they
write to by another result, and those with a layout that no new buffer can be cast to. If a branch hands on a part, and another one a whole buffer, the former copies. Views that have all of their buffers, in sizes that
aren't static, become casts. Run it after buffers have been made, and before they are
freed. It takes time in the size of the program.`,
		On: pass.Module,
	}, (*partsOptions).declare, pass.OnModule(func(c *pass.Context, o *partsOptions, module *ir.Op) error {
		done := CopyReturnedParts(module, o.PartOptions)
		o.copied.Add(done.Copies)
		o.bytes.Add(int(done.Bytes))
		o.casts.Add(done.Casts)
		if done == (Parts{}) {
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
		On: pass.Module,
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
another path. In functions that ` + "`mark-buffer-identity`" + ` has marked, results that aren't the caller's own are refused: a copy can't stand for them. It takes time in the size of the program.`,
		On: pass.Module,
	}, (*OutParamOptions).Declare, pass.OnModule(func(c *pass.Context, o *OutParamOptions, module *ir.Op) error {
		if _, err := MarkBorrowed(module, false); err != nil {
			return err
		}
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
	d.Bool(&o.KeepUnknown, "keep-unknown", false, "Let private functions return buffers still whose sizes or layouts their callers don't know").Extension()
}

func (o *partsOptions) declare(d *pass.Decl) {
	d.Int(&o.KeepFrom, "keep-from", 50, "Let private functions return parts as they are that have at least so many percent of their buffer's bytes, as far as these are known; 0 is all parts, 101 none")
	d.Bool(&o.Arguments, "arguments", false, "Copy parts of arguments of private functions, too; for `ownership-based-buffer-deallocation`, where callers may hand buffers over to these, and all other arguments that are returned are copied")
	d.Counter(&o.copied, "copied", "Number of copies of parts")
	d.Counter(&o.bytes, "bytes", "Bytes of the copies whose sizes are static")
	d.Counter(&o.casts, "casts", "Number of views that became casts")
}

func declarePublic(d *pass.Decl, public *bool) {
	d.Bool(public, "modify-public-functions", true, "Change public functions and declarations, too").Since(22, "false").Extension()
}

// Register adds the passes.
func Register(r *pass.Registry) {
	r.Register(EquivalentPass, IdentityPass, BorrowedPass, PartsPass, ConstantsPass, OutParamsPass)
}
