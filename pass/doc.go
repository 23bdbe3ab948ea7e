// Package pass runs passes over programs: what a pass is, pipelines of passes and
// their textual form, options, and everything that watches passes run (IR
// printing, timing, statistics, reproducers).
//
// A [Pass] is made by [New] of three things: what users are told about it ([Info]), the
// declaration of its options and statistics, each bound to a field of a struct ([Decl]),
// and a body that works on a module or on one function after another ([OnModule],
// [OnFunction]). An [Instance] is a pass with options, at one place of a pipeline:
//
//	var Pass = pass.New(pass.Info{Name: "unroll", Summary: "Repeat the bodies of short loops"},
//		func(o *Options, d *pass.Decl) {
//			d.Int(&o.Times, "times", 4, "How often a body is repeated at most")
//		},
//		pass.OnFunction(func(c *pass.Context, o *Options, fn *ir.Op) error {
//			return Run(fn, o)
//		}))
//
// The struct is what a program gives to the transformation itself, too; [Defaults] returns
// it with the defaults. So there is one declaration of an option, and its name is nowhere
// else.
//
// A [Registry] knows passes and named pipelines by the names that users write. An
// [OpPassManager] is a list of passes for operations of one kind, nested like the
// operations that it runs on; it is built by a program, from single flags
// ([Registry.AddFlag]) or from text ([Registry.ParsePipeline]). A [Runner] executes it on
// an operation. Passes on nested operations, which are isolated from each other, run in
// parallel; what they report is put back into program order, so that the outcome doesn't
// depend on the number of threads.
package pass
