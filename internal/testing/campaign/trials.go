package campaign

import (
	"fmt"
	"slices"
	"strings"

	"freehold/compile"
	"freehold/pass"
)

// Trial says that random programs of some kinds must mean the same after a pipeline as before.
type Trial struct {
	// Pipeline is the textual pipeline.
	Pipeline string
	// Vary, if there is one, returns the pipeline for a program instead. choose makes choices: it returns a number
	// in [0, n).
	Vary func(choose func(n int) int) string
	// Programs names the generators of the programs; none stands for all but those in Except.
	Programs, Except []string
	// Frees tells that no memory is left over afterwards.
	Frees bool
	// MayReject tells that the pipeline may fail with an error.
	MayReject bool
	// Bufferized tells that nothing on tensors is left afterwards.
	Bufferized bool
}

// Trials returns what random programs are sent through: the pipelines of the table below, for each pass of the
// registry the pass alone, and one with some other options, and on functions if it isn't bound to an operation. The
// latter two may reject programs. Pipelines with passes that the registry lacks are left out.
func Trials(r *pass.Registry) []Trial {
	var out []Trial
	for _, t := range table() {
		if _, err := r.ParsePipeline(t.Pipeline); err == nil {
			out = append(out, t)
		}
	}
	for _, p := range r.Passes() {
		out = append(out, alone(p)...)
	}
	return out
}

// alone returns the trials of a single pass.
func alone(p *pass.Pass) []Trial {
	pipeline := func(on, options string) string {
		if on != "" && on != pass.Module {
			return pass.Module + "(" + on + "(" + p.Name + options + "))"
		}
		return pass.Module + "(" + p.Name + options + ")"
	}
	var except []string
	if p.Name == "arith-expand" { // as in mlir-opt, it doesn't keep the sign of a zero
		except = []string{"scalars", "algebra", "lanes"}
	}
	out := []Trial{{Pipeline: pipeline(p.On, ""), MayReject: true, Except: except}}
	varied := slices.ContainsFunc(p.Options(), func(o *pass.Option) bool { return len(others(o)) > 0 })
	if !varied && p.On != "" {
		return out
	}
	return append(out, Trial{MayReject: true, Except: except, Vary: func(choose func(n int) int) string {
		on, options := p.On, ""
		if on == "" && (!varied || choose(3) == 2) {
			on = pass.Function
		}
		if varied {
			options = vary(p.Options(), choose)
		}
		return pipeline(on, options)
	}})
}

// vary gives one to three options other values than they have by default.
func vary(options []*pass.Option, choose func(n int) int) string {
	var words []string
	left := slices.DeleteFunc(slices.Clone(options), func(o *pass.Option) bool { return len(others(o)) == 0 })
	for range min(len(left), 1+choose(3)) {
		i := choose(len(left))
		values := others(left[i])
		words = append(words, left[i].Name+"="+values[choose(len(values))])
		left = slices.Delete(left, i, i+1)
	}
	return "{" + strings.Join(words, " ") + "}"
}

// others returns values that an option may have, besides its default, as far as its kind tells.
func others(o *pass.Option) (list []string) {
	switch o.Kind {
	case pass.BoolKind:
		list = []string{"false", "true"}
	case pass.IntKind, pass.UintKind:
		list = []string{"0", "1", "2"}
	case pass.ListKind:
		list = []string{"main", "f1,main", "tensor", "tensor,bufferization,linalg"} // names of functions and dialects
	case pass.EnumKind, pass.StringKind:
		for _, c := range o.Cases {
			list = append(list, c.Name)
		}
	}
	return slices.DeleteFunc(list, func(v string) bool { return v == o.Default })
}

// Ways to bufferize that many pipelines begin with.
const (
	boundary  = "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops "
	bufferize = boundary + "function-boundary-type-conversion=identity-layout-map}"
)

// table returns the pipelines of several passes, by what they try.
func table() []Trial {
	var out []Trial
	add := func(rule Trial, programs string, pipelines ...string) {
		rule.Programs = strings.Fields(programs)
		for _, p := range pipelines {
			rule.Pipeline = "builtin.module(" + p + ")"
			out = append(out, rule)
		}
	}
	frees, mayReject, both := Trial{Frees: true}, Trial{MayReject: true}, Trial{Frees: true, MayReject: true}
	each := func(rule Trial, programs string, pipelines ...string) {
		for _, g := range strings.Fields(programs) {
			add(rule, g, pipelines...)
		}
	}
	preparation(each, frees, mayReject)
	conversion(add, mayReject)
	ownership(add, frees, mayReject, both)
	placement(add, frees)
	cloning(add, frees, both)
	hlo(add, frees, both)
	boundaries(each, add, frees)
	reuse(each, add, frees)
	scheduling(each, frees, mayReject)
	general(add, mayReject)
	return out
}

type adder func(rule Trial, programs string, pipelines ...string)

func preparation(each adder, frees, mayReject Trial) {
	each(Trial{}, "tensors loops calls rare limits", "prepare-bufferization", "inline-private-functions,normalize-tensors", "prepare-bufferization,order-by-need,duplicate-cheap-tensors")
	each(Trial{}, "tensors loops calls buffers blocks rare limits", "join-returns,structure-control-flow", "join-returns,structure-control-flow,uplift-while-to-for", "uplift-while-to-for", "specialize-fills")
	freed := inner(compile.Bufferization()) + ",complete-buffer-deallocation-pipeline"
	each(frees, "tensors loops calls", freed)
	each(mayReject, "rare limits", freed)
}

// conversion has all passes of bufferization by dialect conversion, in orders that projects use.
func conversion(add adder, mayReject Trial) {
	add(mayReject, "tensors rare limits algebra",
		"arith-bufferize,func.func(scf-bufferize,tensor-bufferize,linalg-bufferize,vector-bufferize,shape-bufferize,bufferization-bufferize),func-bufferize,func.func(canonicalize,finalizing-bufferize)",
		"func-bufferize,tensor-bufferize,arith-bufferize,linalg-bufferize,scf-bufferize,canonicalize,func.func(finalizing-bufferize),complete-buffer-deallocation-pipeline",
		"scf-bufferize,tensor-bufferize,one-shot-bufferize{allow-unknown-ops}")
}

func ownership(add adder, frees, mayReject, both Trial) {
	const (
		plain    = "buffer-deallocation-pipeline"
		complete = "complete-buffer-deallocation-pipeline"
		insert   = "ownership-based-buffer-deallocation"
		lower    = "bufferization-lower-deallocations"
		// What places frees anew finds some, which it may refuse to remove.
		again = insert + "{unstructured-control-flow}," + complete
	)
	add(frees, "buffers", plain, plain+"{private-function-dynamic-ownership=true}", complete, complete+","+complete,
		insert+","+lower, insert+",convert-bufferization-to-memref",
		insert+",buffer-deallocation-simplification,"+lower, insert+",free-after-last-use,"+lower)
	add(frees, "blocks", complete, complete+","+complete,
		insert+"{unstructured-control-flow private-function-argument-ownership private-function-dynamic-ownership},buffer-deallocation-simplification,free-after-last-use,"+lower)
	add(both, "buffers blocks", again)
	add(mayReject, "calls", bufferize+","+insert+"{private-function-argument-ownership},"+lower)
	add(mayReject, "rare", again, plain+"{private-function-dynamic-ownership=true}", complete, insert+","+lower, insert+"{private-function-argument-ownership}")
	for _, options := range []string{
		"function-boundary-type-conversion=identity-layout-map",
		"function-boundary-type-conversion=fully-dynamic-layout-map",
		"analysis-heuristic=top-down",
		"analysis-heuristic=bottom-up-from-terminators",
		"analysis-heuristic=fuzzer analysis-fuzzer-seed=7",
		"copy-before-write",
		"test-analysis-only",
	} {
		if options != "test-analysis-only" { // Ownership knows scf.execute_region only inlined.
			add(frees, "tensors", boundary+options+"},canonicalize,"+plain, boundary+options+"},canonicalize,"+complete)
		}
		add(mayReject, "limits rare algebra", boundary+options+"}")
	}
}

func placement(add adder, frees Trial) {
	const programs = "buffers blocks views"
	for _, p := range []string{"buffer-hoisting", "buffer-loop-hoisting", "promote-buffers-to-stack", "buffer-hoisting,buffer-loop-hoisting,promote-buffers-to-stack"} {
		add(frees, programs, "func.func("+p+"),complete-buffer-deallocation-pipeline")
	}
	// Out of a branch, what is owned there would be allocated where nothing owns it.
	add(frees, programs, "complete-buffer-deallocation-pipeline,func.func(buffer-loop-hoisting,promote-buffers-to-stack)")
}

func cloning(add adder, frees, both Trial) {
	const insert = "buffer-deallocation{function-boundaries}"
	for _, p := range []string{insert, "buffer-hoisting," + insert, "buffer-hoisting,buffer-loop-hoisting,promote-buffers-to-stack," + insert + "," + insert} {
		add(frees, "tensors", bufferize+",func.func("+p+"),canonicalize")
	}
	for _, p := range []string{insert, "buffer-hoisting," + insert + "," + insert, "buffer-hoisting," + insert + ",canonicalize," + insert} {
		add(frees, "buffers views", "func.func("+p+"),canonicalize")
		add(both, "blocks", "func.func("+p+"),canonicalize") // some have loops
	}
}

func hlo(add adder, frees, both Trial) {
	for _, o := range []string{"", "{copy-elision=false}", "{reuse=false}", "{hoisting=false}", "{double-buffering=false}",
		"{double-buffering-before=false}", "{loop-simplification=false}", "{promotion=false}"} {
		add(frees, "tensors", bufferize+",hlo-deallocation-pipeline"+o)
		add(both, "buffers", "hlo-deallocation-pipeline"+o) // only programs of single blocks are accepted
	}
	add(both, "freed buffers", "hlo-deallocation-pipeline{replace-deallocs}") // and none that reduce buffers
}

func boundaries(each, add adder, frees Trial) {
	const parts = "copy-returned-parts{keep-from=101},complete-buffer-deallocation-pipeline"
	each(frees, "buffers blocks views", parts)
	add(frees, "tensors loops calls", inner(compile.Bufferization())+",drop-equivalent-buffer-results{modify-public-functions=false duplicates},"+parts)
	// Results may be refused that are the caller's or not.
	both := Trial{Frees: true, MayReject: true}
	const borrowed = "mark-buffer-identity,mark-borrowed-buffers"
	each(both, "buffers blocks views", borrowed+",complete-buffer-deallocation-pipeline,mark-borrowed-buffers{remove}", borrowed+",func.func(buffer-deallocation{function-boundaries})", borrowed+"{dynamic},hlo-deallocation-pipeline")
}

func reuse(each, add adder, frees Trial) {
	for _, o := range []string{"", "{algorithm=best-fit}"} {
		planned := "complete-buffer-deallocation-pipeline,func.func(static-memory-planner-analysis" + o + ")"
		add(frees, "views", planned)
		// Buffers of dynamic size are still returned, and refused.
		each(Trial{Frees: true, MayReject: true}, "tensors loops calls", boundary+"function-boundary-type-conversion=identity-layout-map},buffer-results-to-out-params,"+planned)
	}
	for _, passes := range []string{"exchange-carried-buffers", "elide-copies", "views-for-moves", "reuse-buffers", "plan-memory", "elide-copies,views-for-moves,reuse-buffers{static=false},free-after-last-use,plan-memory"} {
		each(frees, "buffers blocks views", "complete-buffer-deallocation-pipeline,"+passes)
	}
	add(frees, "tensors loops calls", "mark-distinct-arguments,"+bufferize+
		",canonicalize,complete-buffer-deallocation-pipeline,elide-copies,views-for-moves,reuse-buffers,free-after-last-use,plan-memory,canonicalize",
		inner(compile.Options{}.Pipeline()))
	// Corners have buffers that nothing frees, and may be refused.
	mayReject := Trial{MayReject: true}
	compiled := Trial{MayReject: true, Bufferized: true}
	written := inner(compile.Options{Results: compile.ResultArguments, Arena: compile.ArgumentArena}.Pipeline())
	add(mayReject, "tensors loops calls", written) // sizes that callers can't know are refused
	for _, o := range []compile.Options{{}, {Deallocation: "hlo"}, {Deallocation: "clone"}, {Results: compile.ResultArguments}} {
		add(compiled, "corners kept accesses algebra", inner(o.Pipeline()))
	}
	// What is freed by hand is judged by the check as well.
	add(frees, "freed", "canonicalize", "cse", "free-after-last-use", "elide-copies,views-for-moves,reuse-buffers", "plan-memory", "plan-memory{alignment=1}",
		"convert-scf-to-cf", "expand-strided-metadata", "fold-memref-alias-ops", "buffer-hoisting,buffer-loop-hoisting")
	add(Trial{Frees: true, MayReject: true, Vary: withMemories}, "tensors loops calls views buffers blocks", "plan-memory{memories=a:1000:0}")
	add(mayReject, "kept", "plan-memory", "plan-memory{alignment=1}", "func.func(hlo-buffer-reuse)") // the last one writes into buffers that functions are given to free
	add(mayReject, "corners accesses freed", "one-shot-bufferize{bufferize-function-boundaries},free-after-last-use,elide-copies,views-for-moves",
		"buffer-deallocation-pipeline,elide-copies,views-for-moves,reuse-buffers,plan-memory", "hlo-deallocation-pipeline")
}

// withMemories returns a pipeline that gives buffers one of several memories, which may be too small.
func withMemories(choose func(n int) int) string {
	arena := []string{"alloc", "argument", "global"}[choose(3)]
	return fmt.Sprintf("builtin.module(mark-distinct-arguments,"+bufferize+",canonicalize,complete-buffer-deallocation-pipeline,elide-copies,reuse-buffers,free-after-last-use,"+
		"plan-memory{arena=%s memories=c:%d:2:%d,b:%d:1:%d,a:%d:0:%d},canonicalize)", arena, choose(150), choose(3), choose(300), choose(3), 1+choose(1000), choose(3))
}

func scheduling(each adder, frees, mayReject Trial) {
	const order = "schedule-for-memory"
	each(Trial{}, "tensors loops calls rare limits", order, "canonicalize,cse,"+order+"{search-steps=50}")
	const tiles = "schedule-for-memory,tile-for-memory,schedule-for-memory"
	each(Trial{}, "tensors loops calls rare limits", "prepare-bufferization,normalize-tensors,"+tiles, "inline-private-functions,tile-for-memory{limit=100}",
		"prepare-bufferization,normalize-tensors,rematerialize{extra-work=1000%}", "rematerialize{limit=100}",
		"prepare-bufferization,normalize-tensors,rematerialize{extra-work=1000% tiled},"+tiles)
	small := inner(compile.Options{MaxMemory: compile.LeastMemory, ExtraWork: 0.5}.Pipeline())
	each(frees, "tensors loops calls", small)
	freed := "prepare-bufferization," + order + "," + inner(compile.Bufferization()) + ",complete-buffer-deallocation-pipeline,elide-copies,reuse-buffers,free-after-last-use"
	each(frees, "tensors loops calls", freed)
	each(mayReject, "rare limits corners algebra", freed)
}

func general(add adder, mayReject Trial) {
	for _, options := range []string{"", "{use-rank-reducing-slices}"} {
		add(Trial{}, "", "linalg-generalize-named-ops,linalg-fold-unit-extent-dims"+options+",canonicalize")
	}
	add(mayReject, "views affine buffers", "fold-memref-alias-ops,canonicalize,lower-affine", "affine-fold-memref-alias-ops,canonicalize,lower-affine", "bubble-down-memory-space-casts,canonicalize")
	add(mayReject, "views affine buffers", "flatten-memref,canonicalize,lower-affine", "affine-raise-from-memref,canonicalize,lower-affine")
	add(Trial{}, "tensors rare", "fold-tensor-subset-ops,canonicalize", "reify-result-shapes", "reify-result-shapes,canonicalize")
	add(Trial{}, "views affine buffers", "normalize-memrefs,canonicalize")
}

// inner returns what a pipeline has in its anchor.
func inner(pipeline string) string {
	return strings.TrimSuffix(strings.TrimPrefix(pipeline, "builtin.module("), ")")
}
