package scripts_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPreCommit lets pre-commit itself install the hooks from a clone, and run them on a safe program and on one that leaks.
func TestPreCommit(t *testing.T) {
	if !*clone {
		t.Skip("takes a minute: -clone")
	}
	if _, err := exec.LookPath("pre-commit"); err != nil {
		t.Skip(err)
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	hooks, project := filepath.Join(dir, "hooks"), filepath.Join(dir, "project")
	if err := os.Mkdir(project, 0o777); err != nil {
		t.Fatal(err)
	}
	run := func(name string, args ...string) (string, error) {
		c := exec.Command(name, args...)
		c.Dir, c.Env = project, append(os.Environ(), "PRE_COMMIT_HOME="+filepath.Join(dir, "home"))
		out, err := c.CombinedOutput()
		return string(out), err
	}
	must := func(name string, args ...string) string {
		out, err := run(name, args...)
		if err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, out)
		}
		return out
	}
	must("git", "clone", "-q", root, hooks)
	rev := strings.TrimSpace(must("git", "-C", hooks, "rev-parse", "HEAD"))
	// What pre-commit lets go install keeps is read-only, which keeps the folder from being removed.
	t.Cleanup(func() { must("chmod", "-R", "u+w", dir) })
	for name, text := range map[string]string{
		".pre-commit-config.yaml": fmt.Sprintf("repos:\n  - repo: %s\n    rev: %s\n    hooks:\n      - id: freehold-check\n      - id: freehold-verify\n", hooks, rev),
		"safe.mlir":               safeProgram,
	} {
		if err := os.WriteFile(filepath.Join(project, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	must("git", "init", "-q")
	must("git", "add", "-A")
	if out := must("pre-commit", "run", "--all-files"); strings.Count(out, "Passed\n") != 2 {
		t.Errorf("a safe program: %s", out)
	}
	if err := os.WriteFile(filepath.Join(project, "a leak.mlir"), []byte(leak), 0o666); err != nil {
		t.Fatal(err)
	}
	must("git", "add", "-A")
	out, err := run("pre-commit", "run", "--all-files")
	if err == nil || !strings.Contains(out, "a leak.mlir:2:8: error: leak") || strings.Count(out, "Passed\n") != 1 {
		t.Errorf("a leak: %v\n%s", err, out)
	}
}
