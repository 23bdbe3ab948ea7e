package scripttest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"freehold/driver"
)

// report prints where and in which environment it is called, and fails if it is told to.
func report(args []string, s driver.Streams) int {
	text, err := os.ReadFile("in.txt")
	if err != nil {
		fmt.Fprintln(s.Err, err)
		return 2
	}
	fmt.Fprintf(s.Out, "%s: %q %q %q\n", text, os.Getenv("COLOR"), os.Getenv("HOME"), os.Getenv("SECRET"))
	if len(args) > 1 {
		return 1
	}
	return 0
}

// A command is called in the folder and the environment of the script, and the process has its own again afterwards.
func TestCall(t *testing.T) {
	t.Setenv("SECRET", "the process's")
	before, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := scripts(t, `
env NAME=x COLOR=red
report
cmp stdout want.txt
cd folder
report
stdout 'nested\n: "red"'
! report badly
! report in vain
rm in.txt
! report
stderr 'in.txt'

-- in.txt --
text
-- folder/in.txt --
nested
-- want.txt --
text
: "red" "/no-home" ""
`)
	Run(t, dir, map[string]Command{"report": report})
	if now, err := os.Getwd(); err != nil || now != before || os.Getenv("SECRET") != "the process's" {
		t.Errorf("afterwards: %q, %v, %q", now, err, os.Getenv("SECRET"))
	}
}

// An input of a command that is called would be lost.
func TestInputOfACall(t *testing.T) {
	dir := filepath.Join(scripts(t, "stdin in.txt\n! report\n-- in.txt --\n"), folder)
	err := environment{}.scan(dir, map[string]Command{"report": report})
	if err == nil || !strings.HasSuffix(err.Error(), "a.txtar: a command that has an input is a process: exec report") {
		t.Errorf("%v", err)
	}
	if err := (environment{}).scan(dir, nil); err != nil {
		t.Errorf("what isn't called: %v", err)
	}
}

// scripts returns the root of a tree with a script.
func scripts(t *testing.T, script string) string {
	t.Helper()
	root := t.TempDir()
	dir := filepath.Join(root, folder)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.txtar"), []byte(script), 0o666); err != nil {
		t.Fatal(err)
	}
	return root
}

// What is called can't go on in the background.
func TestCallInTheBackground(t *testing.T) {
	runs := &failing{inTurn: inTurn{t}}
	testscript.RunT(runs, testscript.Params{
		Dir: filepath.Join(scripts(t, "report &\n"), folder),
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"report": func(ts *testscript.TestScript, neg bool, args []string) {
			environment{}.call(ts, neg, report, append([]string{"report"}, args...))
		}},
	})
	if !strings.Contains(runs.log, "a command that runs in the background is a process: exec report") {
		t.Errorf("it says %q", runs.log)
	}
}

// failing is a test that is to fail, and keeps what it says.
type failing struct {
	inTurn
	log string
}

func (f *failing) Log(args ...any) { f.log += fmt.Sprint(args...) }
func (f *failing) FailNow()        { panic(f) }
func (f *failing) Run(_ string, run func(testscript.T)) {
	defer func() {
		if x := recover(); x != nil && x != f {
			panic(x)
		}
	}()
	run(f)
}
