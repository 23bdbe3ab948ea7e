package scripttest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"freehold/driver"
)

// runFolder runs the scripts of a folder.
func runFolder(t *testing.T, dir string, commands map[string]Command) {
	e := environment{}
	if err := e.scan(dir, commands); err != nil {
		t.Fatal(err)
	}
	calls := map[string]func(ts *testscript.TestScript, neg bool, args []string){}
	for name, command := range commands {
		calls[name] = func(ts *testscript.TestScript, neg bool, args []string) {
			e.call(ts, neg, command, append([]string{name}, args...))
		}
	}
	deadline, _ := t.Deadline()
	testscript.RunT(inTurn{t}, testscript.Params{
		Deadline:           deadline,
		Dir:                dir,
		Cmds:               calls,
		Setup:              e.setup,
		UpdateScripts:      updating(),
		RequireUniqueNames: true,
	})
}

// inTurn is a test whose subtests don't run in parallel, since a process has one working directory.
type inTurn struct{ *testing.T }

func (inTurn) Parallel()     {}
func (inTurn) Verbose() bool { return testing.Verbose() }
func (t inTurn) Run(name string, f func(testscript.T)) {
	t.T.Run(name, func(t *testing.T) { f(inTurn{t}) })
}

// environment has the names of the variables that scripts have, or may set.
type environment map[string]bool

var (
	setsVariables = regexp.MustCompile(`(?m)^env .*=`)
	variable      = regexp.MustCompile(`(\w+)=`)
	givesInput    = regexp.MustCompile(`(?m)^stdin .*\n(?:! )?(\w+)`)
)

// scan looks for variables that the scripts of a folder set, since testscript shows only those whose names one knows. It is an
// error if a script has an input for a command that it calls, which testscript doesn't show either.
func (e environment) scan(dir string, commands map[string]Command) error {
	scripts, err := filepath.Glob(filepath.Join(dir, "*.txt*"))
	if err != nil {
		return err
	}
	for _, file := range scripts {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
		for _, line := range setsVariables.FindAll(text, -1) {
			for _, m := range variable.FindAllSubmatch(line, -1) {
				e[string(m[1])] = true
			}
		}
		for _, m := range givesInput.FindAllSubmatch(text, -1) {
			if commands[string(m[1])] != nil {
				return fmt.Errorf("%s: a command that has an input is a process: exec %s", file, m[1])
			}
		}
	}
	return nil
}

// setup notes the variables that a script starts with. The garbage collector is the test's, and not for
// a command that is called to direct.
func (e environment) setup(env *testscript.Env) error {
	env.Setenv("GOGC", "400")
	for _, v := range env.Vars {
		name, _, _ := strings.Cut(v, "=")
		e[name] = true
	}
	return nil
}

// call calls a command in the place of a script, which goes on if it fails exactly where that is expected (neg).
func (e environment) call(ts *testscript.TestScript, neg bool, command Command, args []string) {
	if strings.HasPrefix(args[len(args)-1], "&") {
		ts.Fatalf("a command that runs in the background is a process: exec %s", args[0])
	}
	var status int
	func() {
		defer e.lend(ts)()
		status = command(args, driver.Streams{In: strings.NewReader(""), Out: ts.Stdout(), Err: ts.Stderr()})
	}()
	switch {
	case status == 0 && neg:
		ts.Fatalf("unexpected command success")
	case status != 0 && !neg:
		ts.Fatalf("unexpected command failure: exit status %d", status)
	}
}

// lend gives the process the variables and the folder of a script, and returns what takes them back.
func (e environment) lend(ts *testscript.TestScript) (restore func()) {
	before := os.Environ()
	folder, err := os.Getwd()
	ts.Check(err)
	set := func(name, value string) {
		if err := os.Setenv(name, value); err != nil {
			ts.Fatalf("%s: %v", name, err)
		}
	}
	os.Clearenv()
	for name := range e {
		if v := ts.Getenv(name); v != "" {
			set(name, v)
		}
	}
	set("PWD", ts.MkAbs("."))
	ts.Check(os.Chdir(ts.MkAbs(".")))
	return func() {
		os.Clearenv()
		for _, v := range before {
			if name, value, _ := strings.Cut(v, "="); name != "" { // Windows has some without
				set(name, value)
			}
		}
		ts.Check(os.Chdir(folder))
	}
}
