package cli

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"freehold/check"
	"freehold/internal/fileio"
	"freehold/internal/heapgoal"
	"freehold/ir"
)

// checkOptions are the flags of check.
type checkOptions struct {
	json       bool
	allowUnreg bool
	unroll     int
	threads    int
}

func newCheckCommand(s Streams) *cobra.Command {
	var o checkOptions
	c := &cobra.Command{
		Use:   "check [flags] FILE",
		Short: "Prove that every buffer is freed once and not used afterwards",
		Long: `check takes a program on buffers with its frees in place, before or after they
are lowered, and proves that on every path each allocation is freed exactly
once, and not used afterwards. It doesn't rely on the passes that insert frees.

It answers "safe" (exit status 0), or shows a path to a leak, a double free or a
use after free (exit status 1), or says what it can't judge (exit status 2).`,
		Example: `  freehold check buffers.mlir
  freehold compile --no-check model.mlir | freehold check -`,
		Args: takes(1, false, "a FILE"),
		RunE: func(_ *cobra.Command, args []string) error { return runCheck(s, &o, args[0]) },
	}
	f := c.Flags()
	f.BoolVar(&o.json, "json", false, "print the answer as JSON")
	f.BoolVar(&o.allowUnreg, "allow-unregistered-dialect", false, "accept operations of unknown dialects")
	f.IntVar(&o.unroll, "unroll", 2, "how many times to go around loops in search of a path")
	f.IntVar(&o.threads, "threads", 0, "functions to check at the same time; 0 is as many as there are processors")
	return c
}

func runCheck(s Streams, o *checkOptions, path string) error {
	src, name, err := fileio.Read(path, s.In)
	if err != nil {
		return err
	}
	heapgoal.Set(len(src), true)
	r := newReporter(s.Err, src, name)
	module, err := r.load(src, name, o.allowUnreg)
	if err != nil {
		return err
	}
	rep := check.Module(module, check.Options{Unroll: o.unroll, Threads: o.threads})
	if o.json {
		if err := printCheckJSON(s.Out, rep); err != nil {
			return err
		}
	} else {
		r.reportCheck(rep)
		printCheck(s.Out, rep)
	}
	switch {
	case len(rep.Findings) > 0:
		return exitStatus(1)
	case len(rep.Unjudged) > 0:
		return exitStatus(2)
	}
	return nil
}

// reportCheck reports what a check found and what it couldn't judge.
func (r *reporter) reportCheck(rep *check.Report) {
	for _, f := range rep.Findings {
		r.Report(f.Diagnostic)
	}
	for _, d := range rep.Unjudged {
		shown := *d
		shown.Severity, shown.Op = ir.Warning, nil
		r.Report(&shown)
	}
}

func printCheck(w io.Writer, rep *check.Report) {
	count := func(n int, what string) string {
		if n != 1 {
			what += "s"
		}
		return fmt.Sprintf("%d %s", n, what)
	}
	switch {
	case rep.Safe():
		fmt.Fprintf(w, "safe: %s, every allocation freed exactly once and not used afterwards\n", count(rep.Functions, "function"))
	case len(rep.Findings) > 0:
		fmt.Fprintf(w, "unsafe: %s\n", count(len(rep.Findings), "finding"))
	default:
		fmt.Fprintf(w, "not judged: %s\n", count(len(rep.Unjudged), "reason"))
	}
}

// jsonCheck is the answer of a check.
type jsonCheck struct {
	Verdict   string        `json:"verdict"`
	Functions int           `json:"functions"`
	Findings  []jsonFinding `json:"findings"`
	Unjudged  []jsonFinding `json:"unjudged"`
}

func printCheckJSON(w io.Writer, rep *check.Report) error {
	out := jsonCheck{Verdict: "safe", Functions: rep.Functions, Findings: []jsonFinding{}, Unjudged: []jsonFinding{}}
	for _, f := range rep.Findings {
		x := diagnosticJSON(f.Diagnostic)
		x.Kind = f.Kind.String()
		out.Findings = append(out.Findings, x)
	}
	for _, d := range rep.Unjudged {
		x := diagnosticJSON(d)
		x.Kind = "not judged"
		out.Unjudged = append(out.Unjudged, x)
	}
	switch {
	case len(rep.Findings) > 0:
		out.Verdict = "unsafe"
	case len(rep.Unjudged) > 0:
		out.Verdict = "not judged"
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}
