package cli

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"strconv"

	"github.com/spf13/pflag"

	"freehold/exec"
	"freehold/exec/interp"
	"freehold/ir"
	"freehold/ir/asm"
)

// randomConstants is the flag that lets programs without the contents of their constants be
// executed.
const randomConstants = "random-constants"

// addExecutionFlags adds the flags that commands which execute a function have in common.
func addExecutionFlags(f *pflag.FlagSet, o *runOptions) {
	f.Int64Var(&o.maxBytes, "max-bytes", 0, "limit of the memory in use, in bytes, tensors and arguments too; 0 is 8 GiB, or three quarters of what the machine has left")
	f.BoolVar(&o.constants, randomConstants, false, "make up random contents for constants without contents, such as dense_resource<__elided__>")
}

// options say how to execute a function of a document. Its arguments are used up.
func (o *runOptions) options(doc *asm.Document) interp.Options {
	out := interp.Options{MaxSteps: o.maxSteps, MaxBytes: o.limit(), TakeArguments: true, Resources: interp.Resources(doc)}
	if o.constants {
		out.Elided = &o.seed
	}
	return out
}

// limit returns how much memory an execution may use.
func (o *runOptions) limit() int64 {
	if o.maxBytes > 0 {
		return o.maxBytes
	}
	return min(8<<30, availableMemory()/4*3)
}

// availableMemory returns how much memory the machine has left, in bytes, or the most there
// is if it doesn't tell.
func availableMemory() int64 {
	const most = 1<<63 - 1
	data, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return most
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		fields := bytes.Fields(lines.Bytes())
		if len(fields) > 1 && string(fields[0]) == "MemAvailable:" {
			if n, err := strconv.ParseInt(string(fields[1]), 10, 64); err == nil {
				return n << 10
			}
		}
	}
	return most
}

// withFlag returns the error with the flag that helps; a finding becomes its diagnostic.
func withFlag(err error) error {
	var elided *exec.ElidedError
	var large *interp.TooLargeError
	var finding *exec.Finding
	var ambiguous *interp.AmbiguousError
	var arity *interp.ArityError
	extended := func(d *ir.Diagnostic, help string) error {
		out := *d
		out.Message += help
		return &out
	}
	switch {
	case errors.As(err, &elided):
		return extended(elided.Diagnostic, "; --"+randomConstants+" makes up random ones")
	case errors.As(err, &ambiguous):
		return extended(ambiguous.Diagnostic, "; --entry names it")
	case errors.As(err, &arity) && arity.TooFew:
		return extended(arity.Diagnostic, "; --random makes up those that are missing")
	case errors.As(err, &large):
		return extended(large.Diagnostic, "; --max-bytes allows more")
	case errors.As(err, &finding) && finding.Kind == exec.MemoryLimit:
		return extended(finding.Diagnostic, "; --max-bytes allows more")
	case errors.As(err, &finding) && finding.Kind == exec.StepLimit:
		return extended(finding.Diagnostic, "; --max-steps allows more")
	case finding != nil:
		return finding.Diagnostic
	}
	return err
}
