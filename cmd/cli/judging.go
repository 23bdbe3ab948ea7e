package cli

import (
	"errors"
	"fmt"
	"strings"

	"freehold/internal/printable"
	"freehold/internal/terminal"
	"freehold/internal/textwrap"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/pass"
)

// The exit statuses of all commands but opt, which has those of mlir-opt.
const (
	statusWrong         = 1 // what a command looked at is wrong
	statusNotJudged     = 2 // nothing can be said, or there was nothing to look at
	statusNotUnderstood = 3 // a file can't be read or isn't understood, or can't be written, or the command line is misused
)

// Statuses says what the exit statuses mean, in the order of their numbers.
var Statuses = []struct {
	Status  int
	Meaning string
}{
	{0, "what was asked for is done, or is so"},
	{statusWrong, "something is wrong with what was looked at: a program is unsafe, fails, or can't be compiled; a limit is exceeded; a command finds failures"},
	{statusNotJudged, "nothing can be said: a program can't be judged or executed, or there was nothing to look at, such as no function with a body, no function that could be compared, no buffer to place"},
	{statusNotUnderstood, "a file is missing, is a folder, or can't be read or written; a program or another input isn't understood; or the command line is misused, or names a function, a line or a value that isn't there"},
	{statusInterrupted, "the command was interrupted (Ctrl-C); what it found or made until then is kept"},
}

// nothing is the error of a command for which there is nothing to look at.
func nothing(format string, args ...any) error {
	return failure{statusNotJudged, fmt.Errorf(format, args...)}
}

// noBody is that for a program without a function that has a body; do says what can't be done.
func noBody(name, do string) error {
	return nothing("%s: no function has a body: there is nothing to %s", name, do)
}

// noFunction is the error that no function with a body has that name.
func noFunction(file string, module *ir.Op, name string) error {
	var names []string
	module.Walk(func(op *ir.Op) bool {
		if interfaces.Function.Has(op) && op.BodyBlock(0) != nil {
			sym, _ := ir.SymbolName(op)
			names = append(names, sym)
		}
		return true
	})
	return fmt.Errorf("%s: there is no function @%s with a body%s", file, name, pass.Meant("@", name, names))
}

// nameOf returns the name of a function as it is shown.
func nameOf(fn *ir.Op) string {
	name, _ := ir.SymbolName(fn)
	return shownName(name)
}

// shownName returns a symbol as it is shown.
func shownName(symbol string) string { return "@" + printable.Name(symbol) }

// hasBody tells whether a function of a program has a body.
func hasBody(module *ir.Op) bool {
	found := false
	module.Walk(func(op *ir.Op) bool {
		found = found || interfaces.Function.Has(op) && op.BodyBlock(0) != nil
		return !found
	})
	return found
}

// notUnderstood is the error of a command that has reported what is wrong with the text of
// a program.
type notUnderstood struct{}

func (notUnderstood) Error() string { return "the program is not understood" }

// failure is an error with an exit status of its own.
type failure struct {
	status int
	error
}

func (f failure) Unwrap() error { return f.error }

// say writes a sentence to standard error; on a terminal, it is broken between words, as diagnostics are. What follows in further lines, such as that of a
// pipeline with a caret below it, stays as it is.
func (s invocation) say(text string) {
	if terminal.IsTerminal(s.Err) {
		first, rest, more := strings.Cut(text, "\n")
		text = strings.Join(textwrap.Lines(first, terminal.Width(s.Err)-4), "\n    ")
		if more {
			text += "\n" + rest
		}
	}
	fmt.Fprintln(s.Err, text)
}

// statusOf reports what a command failed with, unless that is done, and returns the exit
// status: what has none of its own kept the command from its work.
func statusOf(err error, s invocation) int {
	var status exitStatus
	var f failure
	var text notUnderstood
	switch {
	case err == nil:
		return 0
	case errors.As(err, &status):
		return int(status)
	case errors.As(err, &text):
		return statusNotUnderstood
	}
	s.say(s.command() + ": " + printable.Text(err.Error()))
	if meant := pass.MeantBy(err); meant != "" {
		s.say(fmt.Sprintf("%s: did you mean '%s'?", s.command(), meant))
	}
	if errors.As(err, &f) {
		return f.status
	}
	return statusNotUnderstood
}
