package pass

import (
	"fmt"
	"os"
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
	// Text returns the program that runs, as it is now, with what is needed to
	// reproduce the failure.
	Text func(pipeline string, disableThreading, verifyEach bool) []byte

	mu       sync.Mutex
	text     []byte
	failures []string
}

// snapshot keeps the program as it is, with the pipeline.
func (r *Reproducer) snapshot(s *runState, pipeline string) {
	r.text = r.Text(pipeline, s.Threads == 1, s.VerifyEach)
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
