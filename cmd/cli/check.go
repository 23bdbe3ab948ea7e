package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"freehold/internal/fileio"
	"freehold/internal/terminal"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/proof/certificate"
	"freehold/proof/check"
)

// checkOptions are the flags of check.
type checkOptions struct {
	json    bool
	reading reading
	unroll  int
	threads int
	rules   bool
	// certificate is where to write the proof.
	certificate string
}

func newCheckCommand(s invocation) *cobra.Command {
	var o checkOptions
	c := &cobra.Command{
		Use:   "check [flags] FILE",
		Short: "Prove that every buffer is freed once and not used afterwards",
		Long: `check takes a program on buffers with its frees in place, before or after they
are lowered, and proves that on every path each allocation is freed exactly
once, and not used afterwards. It doesn't rely on the passes that insert frees.

It answers "safe" (exit status 0), or shows a path to a leak, a double free or a
use after free (exit status 1), or says what it can't judge, or that there is
nothing to prove, as no function has a body (exit status 2). Exit status 3 is
for programs that can't be read or aren't understood.

With --certificate it writes the proof to a file, which the command
verify-certificate checks. A program that is safe but whose proof can't be
written down is "not certified" (exit status 2).

An operation without a rule isn't judged, if it gets anywhere near a buffer or
an address. --rules prints the rules.`,
		Example: `  freehold check buffers.mlir
  freehold compile --no-check model.mlir | freehold check -
  freehold check --certificate buffers.proof buffers.mlir`,
		Args: func(c *cobra.Command, args []string) error {
			if o.rules {
				return takes(0, false, "no FILE with --rules")(c, args)
			}
			return takes(1, false, "a FILE")(c, args)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if o.rules {
				return printRules(s.Out, s.tool.NewContext())
			}
			return runCheck(s, &o, args[0])
		},
	}
	f := c.Flags()
	f.BoolVar(&o.json, "json", false, "print the answer as JSON")
	o.reading.declare(f)
	f.IntVar(&o.unroll, "unroll", 2, "how many times to go around loops in search of a path")
	f.IntVar(&o.threads, "threads", 0, "functions to check at the same time; 0 is as many as there are processors")
	f.BoolVar(&o.rules, "rules", false, "print the rules by which operations are judged")
	f.StringVar(&o.certificate, "certificate", "", "write the proof to this `file`, if the program is safe; - is standard output")
	return c
}

func runCheck(s invocation, o *checkOptions, path string) error {
	in, err := readModule(s, path, o.reading)
	if err != nil {
		return err
	}
	in.warnOfIndex()
	names := asm.NewSourceNames(sourceOf(in.name, in.text()))
	ctx, stop := interruptible(context.Background())
	defer stop()
	options := check.Options{Unroll: o.unroll, Threads: o.threads, Name: names.Value, Interrupt: ctx.Done()}
	var rep *check.Report
	var proof *certificate.Certificate
	var uncertified error
	if o.certificate == "" {
		rep = check.Module(in.module, options)
	} else {
		if err := fileio.Check(o.certificate); err != nil {
			return err
		}
		rep, proof, uncertified = check.Certify(in.module, options)
	}
	if o.json {
		if err := printCheckJSON(s.Out, rep, names); err != nil {
			return err
		}
	} else {
		in.reportCheck(rep)
		if err := printCheck(s.Out, rep); err != nil {
			return err
		}
	}
	switch {
	case ctx.Err() != nil:
		return exitStatus(statusInterrupted)
	case len(rep.Findings) > 0:
		return exitStatus(statusWrong)
	case len(rep.Unjudged) > 0, rep.Functions == 0:
		return exitStatus(statusNotJudged)
	case uncertified != nil:
		in.ReportAll(uncertified)
		return exitStatus(statusNotJudged)
	case proof != nil:
		return fileio.Write(o.certificate, []byte(proof.String()), s.Out)
	}
	return nil
}

// reportCheck reports what a check found and what it couldn't judge.
func (r *reporter) reportCheck(rep *check.Report) {
	for _, f := range rep.Findings {
		r.Report(f.Diagnostic)
	}
	for _, d := range rep.Unjudged {
		r.Report(warning(d))
	}
}

// warning returns a diagnostic as a warning.
func warning(d *ir.Diagnostic) *ir.Diagnostic {
	shown := *d
	shown.Severity, shown.Op = ir.Warning, nil
	return &shown
}

func printCheck(w io.Writer, rep *check.Report) error {
	var err error
	style := terminal.StyleOf(w)
	switch {
	case rep.Safe() && rep.Functions == 0:
		_, err = fmt.Fprintln(w, "nothing to prove: no function has a body")
	case rep.Safe():
		_, err = fmt.Fprintf(w, "%s: %s, every allocation freed exactly once and not used afterwards\n", style.Good("safe"), counted(rep.Functions, "function", "functions"))
	case len(rep.Findings) > 0:
		_, err = fmt.Fprintf(w, "%s: %s in %s\n", style.Bad("unsafe"), counted(len(rep.Findings), "finding", "findings"), functionsOf(rep.Findings))
	default:
		_, err = fmt.Fprintf(w, "%s: %s\n", style.Heading("not judged"), counted(len(rep.Unjudged), "reason", "reasons"))
	}
	return err
}

// mostNamed is how many functions a verdict names.
const mostNamed = 3

// functionsOf names the functions in which something was found.
func functionsOf(findings []*check.Finding) string {
	var names []string
	for _, f := range findings {
		if name := nameOf(f.Function); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if more := len(names) - mostNamed; more > 0 {
		names = append(names[:mostNamed], fmt.Sprintf("%d more functions", more))
	}
	return strings.Join(names, ", ")
}

// printRules prints the rules of all operations.
func printRules(w io.Writer, c *ir.Context) error {
	for _, r := range check.Rules(c) {
		if _, err := fmt.Fprintf(w, "%-39s %s\n", r.Operation, r.Does); err != nil {
			return err
		}
	}
	return nil
}

// jsonCheck is the answer of a check.
type jsonCheck struct {
	Verdict   string        `json:"verdict"`
	Functions int           `json:"functions"`
	Findings  []jsonFinding `json:"findings"`
	Unjudged  []jsonFinding `json:"unjudged"`
}

func printCheckJSON(w io.Writer, rep *check.Report, names *asm.SourceNames) error {
	out := jsonCheck{Verdict: "safe", Functions: rep.Functions, Findings: []jsonFinding{}, Unjudged: []jsonFinding{}}
	for _, f := range rep.Findings {
		x := diagnosticJSON(f.Diagnostic)
		x.Kind = f.Kind.String()
		x.Function, _ = ir.SymbolName(f.Function)
		x.addSource(names)
		out.Findings = append(out.Findings, x)
	}
	for _, d := range rep.Unjudged {
		x := diagnosticJSON(d)
		x.Kind = "not judged"
		x.addSource(names)
		out.Unjudged = append(out.Unjudged, x)
	}
	switch {
	case len(rep.Findings) > 0:
		out.Verdict = "unsafe"
	case len(rep.Unjudged) > 0:
		out.Verdict = "not judged"
	case rep.Functions == 0:
		out.Verdict = "nothing to prove"
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}
