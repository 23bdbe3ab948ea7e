package exec

// Work is what an asynchronous operation still has to do when control has left it. It is done as late as it may be: when somebody waits
// for it, or when the program ends. So memory that is freed, or overwritten, before that is seen.
type Work struct {
	after []*Work
	run   func() error // nil once it is done
}

// Later returns work that is done after other work.
func (m *Machine) Later(run func() error, after ...*Work) *Work {
	w := &Work{after, run}
	m.pending = append(m.pending, w)
	return w
}

// Finish does the work, unless it is done already. Its error is that of the operation.
func (w *Work) Finish() error {
	run := w.run
	if run == nil {
		return nil
	}
	w.run = nil
	for _, a := range w.after {
		if err := a.Finish(); err != nil {
			return err
		}
	}
	w.after = nil
	return run()
}

// finishAll does all that is left when the program ends, in the order in which it was begun.
func (m *Machine) finishAll() error {
	list := m.pending
	m.pending = nil
	for _, w := range list {
		if err := w.Finish(); err != nil {
			return err
		}
	}
	return nil
}
