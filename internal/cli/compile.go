package cli

import (
	"github.com/spf13/cobra"

	"freehold/dialect"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/pass"
	"freehold/transform"
)

// recommendedPipeline takes a program on tensors to a program on buffers in which
// every buffer is freed.
const recommendedPipeline = "builtin.module(" +
	"one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}," +
	"buffer-deallocation-pipeline)"

// compileOptions are the flags of compile.
type compileOptions struct {
	output     string
	pipeline   string
	allowUnreg bool
}

func newCompileCommand(s Streams) *cobra.Command {
	var o compileOptions
	c := &cobra.Command{
		Use:   "compile [flags] FILE",
		Short: "Turn a program on tensors into a program on buffers, every one freed",
		Long: `compile runs the recommended pipeline on a program: bufferization across function
boundaries, then the insertion of frees.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return compile(s, &o, args[0]) },
	}
	f := c.Flags()
	f.StringVarP(&o.output, "output", "o", "-", "write the program to this file; - is standard output")
	f.StringVar(&o.pipeline, "pass-pipeline", recommendedPipeline, "run these passes instead of the recommended ones")
	f.BoolVar(&o.allowUnreg, "allow-unregistered-dialect", false, "accept operations of unknown dialects")
	return c
}

func compile(s Streams, o *compileOptions, path string) error {
	tuneGC()
	src, name, err := readInput(path, s.In)
	if err != nil {
		return err
	}
	if err := checkOutput(o.output); err != nil {
		return err
	}
	var reg pass.Registry
	transform.Register(&reg)
	m, err := reg.ParsePipeline(o.pipeline)
	if err != nil {
		return err
	}
	r := &reporter{err: s.Err, piece: piece{src, name}, attachOps: true}
	ctx := ir.NewContext(dialect.All()...)
	ctx.AllowUnregistered = o.allowUnreg
	doc, err := asm.ParseDocument(ctx, src, name, asm.ParseOptions{})
	if err == nil {
		err = ir.Verify(doc.Module)
	}
	if err != nil {
		r.reportAll(err)
		return exitStatus(1)
	}
	p := newProgress(s.Err, len(m.Instances()))
	run := &pass.Runner{VerifyEach: true, Sink: r.report, Annotate: attachOp,
		Text: func(b []byte) { s.Err.Write(b) }, Started: p.passProgress()}
	err = run.Run(m, doc.Module)
	p.finish()
	if err != nil {
		return exitStatus(1)
	}
	return writeOutput(o.output, asm.PrintDocument(doc, asm.PrintOptions{AssumeVerified: true}), s.Out)
}
