package scripts_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var clone = flag.Bool("clone", false, "install from a clone of the repository, not from where it is")

// TestInstall installs as pre-commit does: go install ./... in the repository, with a GOPATH of its own, in whose bin the hooks find
// the command.
func TestInstall(t *testing.T) {
	if testing.Short() {
		t.Skip("links all commands")
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	if *clone {
		to := filepath.Join(t.TempDir(), "clone")
		if out, err := exec.Command("git", "clone", "-q", root, to).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		root = to
	}
	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	path := t.TempDir()
	install := exec.Command("go", "install", "./...")
	install.Dir = root
	install.Env = append(os.Environ(), "GOPATH="+path, "GOBIN=", "GOMODCACHE="+strings.TrimSpace(string(cache)))
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	freehold := filepath.Join(path, "bin", "freehold")
	file := filepath.Join(t.TempDir(), "a.mlir")
	if err := os.WriteFile(file, []byte(safeProgram), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(freehold, "check", file).CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "safe: 1 function") {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := exec.Command(freehold, "--version").Output(); err != nil || !strings.HasPrefix(string(out), "freehold ") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestReadmeProgram runs the program that the README prints.
func TestReadmeProgram(t *testing.T) {
	text, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "```go\n")
	program, _, closed := strings.Cut(rest, "```")
	if !found || !closed {
		t.Fatal("the README has no program in Go")
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gofmt", "-l", file).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("it isn't formatted: %v, %s", err, out)
	}
	run := exec.Command("go", "run", file, "examples/mlp.mlir")
	run.Dir = "../../.."
	got, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, got)
	}
	want, err := exec.Command("freehold", "opt", "--canonicalize", "--cse", "../../../examples/mlp.mlir").Output()
	if err != nil || strings.TrimSpace(string(got)) != strings.TrimSpace(string(want)) { // opt writes a line more, as mlir-opt does
		t.Errorf("the program prints\n%s\nopt, %v,\n%s", got, err, want)
	}
}
