// Package pass runs passes over programs: what a pass is, pipelines of passes and
// their textual form, options, and everything that watches passes run (IR
// printing, timing, statistics, reproducers).
//
// A [Pass] is data with a function. A [Registry] knows passes and named pipelines
// by the names that users write. An [OpPassManager] is a list of passes for
// operations of one kind, nested like the operations that it runs on; it is built
// by a program, from single flags ([Registry.AddFlag]) or from text
// ([Registry.ParsePipeline]). A [Runner] executes it on an operation. Passes on
// nested operations, which are isolated from each other, run in parallel; what
// they report is put back into program order, so that the outcome doesn't depend
// on the number of threads.
package pass
