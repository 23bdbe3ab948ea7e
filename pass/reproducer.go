package pass

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"

	"freehold/ir"
)

// Reproducer writes, when a pass fails, a file with the program as it was before
// the pipeline (or, if Local, before the failing pass) and the pipeline as a
// resource of the program.
type Reproducer struct {
	Path  string
	Local bool

	mu       sync.Mutex
	text     []byte
	failures []string
}

// snapshot prints the program with the pipeline.
func (r *Reproducer) snapshot(s *runState, pipeline string) {
	r.text = ReproducerText(s.Print(s.root), pipeline, s.Threads == 1, s.VerifyEach)
}

// ReproducerText adds to a printed program the resource that holds the pipeline
// to run on it.
func ReproducerText(program []byte, pipeline string, disableThreading, verifyEach bool) []byte {
	res := "  external_resources: {\n    mlir_reproducer: {\n      pipeline: " + strconv.Quote(pipeline) +
		",\n      disable_threading: " + strconv.FormatBool(disableThreading) +
		",\n      verify_each: " + strconv.FormatBool(verifyEach) + "\n    }\n  }\n#-}\n"
	program = bytes.TrimRight(program, "\n")
	if body, ok := bytes.CutSuffix(program, []byte("\n#-}")); ok {
		return append(append(bytes.Clone(body), ",\n"...), res...)
	}
	return append(append(bytes.Clone(program), "\n\n{-#\n"...), res...)
}

func (r *Reproducer) failed(i *Instance, op *ir.Op) {
	r.mu.Lock()
	defer r.mu.Unlock()
	what := "`" + i.Pass.title() + "` on '" + op.Name() + "' operation"
	if n, ok := ir.SymbolName(op); ok {
		what += ": @" + n
	}
	r.failures = append(r.failures, what)
}

// finish writes the file and says so.
func (r *Reproducer) finish(s *runState, log *eventLog) {
	if r.text == nil {
		return
	}
	d := &ir.Diagnostic{Loc: s.root.Loc(), Message: "Failures have been detected while processing an MLIR pass pipeline"}
	what := strings.Join(r.failures, ", ")
	if !r.Local {
		what = "[" + what + "]"
	}
	if err := os.WriteFile(r.Path, r.text, 0o666); err != nil {
		d.WithNote(s.root.Loc(), "Pipeline failed while executing %s: can't write the reproducer: %v", what, err)
	} else {
		d.WithNote(s.root.Loc(), "Pipeline failed while executing %s: reproducer generated at `%s`", what, r.Path)
	}
	log.diagnostic(d)
}

// reproString is the manager's textual form as reproducers spell it.
func (m *OpPassManager) reproString() string {
	var b strings.Builder
	m.write(&b, ", ")
	return b.String()
}

// nestedPipeline returns the pipeline that runs just the pass on operations like
// op, as seen from root.
func nestedPipeline(i *Instance, op, root *ir.Op) string {
	var b strings.Builder
	i.write(&b)
	text := b.String()
	for o := op; o != nil; o = o.Parent() {
		text = fmt.Sprintf("%s(%s)", o.Name(), text)
		if o == root {
			break
		}
	}
	return text
}
