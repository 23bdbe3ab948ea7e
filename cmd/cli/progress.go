package cli

import (
	"io"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"freehold/internal/terminal"
	"freehold/ir"
	"freehold/pass"
)

// progressDelay is how long work may take before its progress is shown.
const progressDelay = time.Second

// progress shows how far work with a number of steps has come, once it takes long,
// and only to a person.
type progress struct {
	mu    sync.Mutex
	w     io.Writer
	steps int
	done  int
	what  string
	timer *time.Timer
	bar   *progressbar.ProgressBar
}

// newProgress starts the clock. It returns nil, which does nothing, if w is not a
// terminal.
func newProgress(w io.Writer, steps int) *progress {
	if !terminal.IsTerminal(w) {
		return nil
	}
	p := &progress{w: w, steps: steps}
	p.timer = time.AfterFunc(progressDelay, p.show)
	return p
}

func (p *progress) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bar = progressbar.NewOptions(p.steps, progressbar.OptionSetWriter(p.w), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetPredictTime(false), progressbar.OptionSetWidth(30), progressbar.OptionSetDescription(p.what))
	p.bar.Set(p.done)
}

// step tells that the steps before the given one are done.
func (p *progress) step(done int, what string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done, p.what = done, what
	if p.bar != nil {
		p.bar.Describe(what)
		p.bar.Set(done)
	}
}

// finish takes the display away.
func (p *progress) finish() {
	if p == nil {
		return
	}
	p.timer.Stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		p.bar.Finish()
		p.bar = nil
	}
}

// passProgress returns a hook for the runner that counts the passes of a pipeline.
// A pass counts as a step when it starts on the first operation.
func (p *progress) passProgress() func(*pass.Instance, *ir.Op) {
	if p == nil {
		return nil
	}
	var mu sync.Mutex
	seen := map[*pass.Instance]bool{}
	return func(i *pass.Instance, _ *ir.Op) {
		mu.Lock()
		defer mu.Unlock()
		if !seen[i] {
			p.step(len(seen), i.Pass.Name)
			seen[i] = true
		}
	}
}
