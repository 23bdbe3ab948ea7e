package compile

import (
	"errors"
	"time"

	"freehold/internal/parallel"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/memory/footprint"
	"freehold/pass"
	"freehold/proof/certificate"
	"freehold/proof/check"
	"freehold/proof/verify"
)

// Compiler takes programs through the pipeline, proves what came out, and tells what changed.
type Compiler struct {
	// Options choose the steps of the pipeline.
	Options Options
	// Passes are the passes of these steps instead, in the syntax of textual pipelines, if they aren't "".
	Passes string
	// Registry knows the passes.
	Registry *pass.Registry
	// Runner runs them, with the verifier after each; its Sink gets the diagnostics. Nil stands for one that keeps them to itself.
	Runner *pass.Runner
	// Execution executes the program before and after, if it isn't nil.
	Execution *Execution
	// Sizes tells what is known of the sizes in a function, by name, that only an execution knows else: it puts numbers in place of names. Options.MaxMemory is for these. Nil knows none.
	Sizes func(function string) func(footprint.Size) footprint.Size
	// Compiled is given what the passes have made of the module, once no other attempt will take its place, and may read it, say to print it, while it is proved on another goroutine. It isn't
	// known then whether the result will be wrong. May be nil.
	Compiled func(module *ir.Op)
	// Again reads the program that is compiled anew, in the same context, for other attempts at a large one. If it is nil, a copy is kept.
	Again func() (*ir.Op, error)
	// Unchecked leaves out the proof, and Unmeasured what changed: Result.Before, After, Reference and what is said of arguments.
	Unchecked, Unmeasured bool
}

// RefusedError is the error about a program that the pipeline doesn't take.
type RefusedError struct {
	// Diagnostic says why, the first error if there are several. All have gone to the runner's Sink.
	Diagnostic *ir.Diagnostic
}

func (e *RefusedError) Error() string { return e.Diagnostic.Message }

// Unwrap returns the diagnostic.
func (e *RefusedError) Unwrap() error { return e.Diagnostic }

// Compile compiles a module, which is changed. The result may say that the compiled program is wrong ([Result.Wrong]); what comes
// after that was found is left out of it then. It fails, with a [RefusedError], if the pipeline doesn't take the program; with an
// [ExecutionError], if the execution before it finds something wrong; and with those of the registry for passes that it doesn't know, and of
// [Execution]. It takes the time of the passes, and that of [check.Certify].
func (c *Compiler) Compile(module *ir.Op) (*Result, error) {
	manager, err := c.manager(c.Options)
	if err != nil {
		return nil, err
	}
	out := &Result{}
	if c.Execution != nil {
		if out.Runs, err = c.Execution.before(module); err != nil {
			return nil, err
		}
	}
	var tensors map[string][]bool
	if !c.Unmeasured {
		tensors = tensorArguments(module)
	}
	var reference Comparison
	measured := func() {}
	if !c.Unmeasured {
		// What the program is to be compared with depends on nothing that becomes of it.
		same := ir.CloneDetached(module)
		measured = parallel.Beside(func() {
			out.Before = check.ComputedFootprint(same, 0).Summarize()
			reference = c.reference(same)
		})
		defer measured()
	}
	normal, err := c.forms(manager, module, out)
	if err != nil {
		return nil, err
	}
	if err := c.fit(manager, module, normal, out); err != nil {
		return nil, err
	}
	if c.Execution != nil {
		if err := c.Execution.after(module, out.Runs); err != nil {
			return nil, err
		}
		if out.Wrong() {
			return out, nil
		}
	}
	if c.Unchecked && out.measured == nil {
		out.Arenas = footprint.Arenas(module)
	}
	if c.Passes == "" {
		if out.measureMemories(module, c.Options.Memories); out.Wrong() {
			return out, nil
		}
	}
	if c.Compiled != nil {
		defer parallel.Beside(func() { c.Compiled(module) })()
	}
	if !c.Unchecked {
		if out.prove(module); out.Wrong() {
			return out, nil
		}
	}
	if !c.Unmeasured {
		if out.measured != nil {
			out.After = *out.measured
		} else {
			out.After = footprint.Analyze(module).Summarize().WithArenas(out.Arenas)
		}
		measured()
		out.Reference = reference
		out.Overwritten = overwrittenArguments(module, tensors)
		out.CopiedArguments, out.CopiedBytes = copiedArguments(module)
	}
	return out, nil
}

// manager returns the passes for the options that come after the steps that all ways share, or those that were chosen by hand.
func (c *Compiler) manager(o Options) (*pass.OpPassManager, error) {
	if c.Passes != "" {
		return c.Registry.ParsePipeline(c.Passes)
	}
	_, own := o.splitSteps()
	return c.Registry.ParsePipeline(pipeline(own))
}

// runner returns the runner of the passes, or one that keeps to itself what they say.
func (c *Compiler) runner() pass.Runner {
	if c.Runner != nil {
		return *c.Runner
	}
	return pass.Runner{Text: func([]byte) {}}
}

// forms are copies of a program of which attempts begin, after the steps that they share: by order, and in tiles.
type forms struct {
	ordered *original
	tiled   *ir.Op
}

// forms runs the steps on a module that all ways share. Ways to save memory beyond the order start from another form, of StableHLO's windows and of what is enlarged.
func (c *Compiler) forms(manager *pass.OpPassManager, module *ir.Op, out *Result) (f forms, err error) {
	o := c.Options
	if o.MaxMemory = 0; c.fits() {
		f.tiled = ir.CloneDetached(module)
	}
	if err := c.normalize(c.runner(), o, module, out); err != nil {
		return f, err
	}
	if c.chooses(manager) || c.fits() {
		f.ordered = c.original(module)
	}
	if !c.fits() {
		return f, nil
	}
	run := c.runner()
	run.Started, run.Sink = nil, func(*ir.Diagnostic) {} // what there is to say has been said
	return f, c.normalize(run, c.Options, f.tiled, out)
}

// normalize runs the steps on a module that all ways share, unless the passes were chosen by hand.
func (c *Compiler) normalize(run pass.Runner, o Options, module *ir.Op, out *Result) error {
	if c.Passes != "" {
		return nil
	}
	shared, _ := o.splitSteps()
	if len(shared) == 0 {
		return nil
	}
	manager, err := c.Registry.ParsePipeline(pipeline(shared))
	if err != nil {
		return err
	}
	return c.run(run, manager, module, out)
}

// transform runs the passes by a runner that turn tensors into buffers.
func (c *Compiler) transform(run pass.Runner, manager *pass.OpPassManager, module *ir.Op, out *Result) error {
	onTensors := withTensors(module) != nil
	if fn := nestedFunction(module); fn != nil && c.Passes == "" && c.Options.Deallocation == Clone {
		return refuse(&run, fn.Errorf("is in a nested module, whose functions deallocation by copies doesn't reach").
			WithNote(fn.Loc(), "it helps to free by ownership, or to compile the nested module by itself"))
	}
	if err := c.run(run, manager, module, out); err != nil {
		return err
	}
	if left := withTensors(module); left != nil && onTensors && c.Passes == "" {
		return refuse(&run, leftOnTensors(left))
	}
	return nil
}

// run runs passes by a runner, with the verifier after each. The error is a [RefusedError] about the first one that it reports.
func (c *Compiler) run(run pass.Runner, manager *pass.OpPassManager, module *ir.Op, out *Result) error {
	var first *ir.Diagnostic
	sink := run.Sink
	run.VerifyEach, run.Sink = true, func(d *ir.Diagnostic) {
		if first == nil && d.Severity == ir.Error {
			first = d
		}
		if sink != nil {
			sink(d)
		}
	}
	start := time.Now()
	err := run.Run(manager, module)
	out.Time += time.Since(start)
	if err != nil {
		if first == nil && !errors.As(err, &first) {
			first = &ir.Diagnostic{Loc: module.Loc(), Message: err.Error()}
		}
		return &RefusedError{first}
	}
	return nil
}

// refuse reports that a program isn't taken.
func refuse(run *pass.Runner, d *ir.Diagnostic) error {
	if run != nil && run.Sink != nil {
		run.Sink(d)
	}
	return &RefusedError{d}
}

// nestedFunction returns a function with a body that isn't in module itself, but in a module in it; nil if there is none.
func nestedFunction(module *ir.Op) (found *ir.Op) {
	module.Walk(func(op *ir.Op) bool {
		if found == nil && interfaces.Function.Has(op) && op.NumRegions() > 0 && !op.RegionAt(0).Empty() && op.Parent() != nil && op.Parent() != module {
			found = op
		}
		return found == nil && !interfaces.Function.Has(op)
	})
	return found
}

// prove checks the compiled program, and verifies the proof if there is one.
func (r *Result) prove(module *ir.Op) {
	r.left = findLeft(module)
	r.Check, r.Certificate, r.Uncertified, r.Unverified = prove(module)
	if r.measured == nil {
		r.Arenas = r.Check.Arenas
	}
	r.Overlaps = append(r.Overlaps, r.Check.Overlaps...)
}

// prove checks a program. uncertified says why there is no certificate of a safe one, and unverified what is wrong with it.
func prove(module *ir.Op) (report *check.Report, proof *certificate.Certificate, uncertified, unverified error) {
	report, proof, uncertified = check.Certify(module, check.Options{Unbound: true})
	// [verify.Complete] has looked for lemmas where the verifier found none necessary by itself; if there is no such place, it has verified the certificate as
	// it is, and to do so again would be the same once more (a twentieth of the time that Llama takes).
	if report.Safe() && uncertified == nil && proof.HasLemmas() {
		unverified = verify.Unbound(module, proof, 0)
	}
	return report, proof, uncertified, unverified
}
