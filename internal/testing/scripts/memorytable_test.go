package scripts_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMemoryTable makes the table of a change that makes one program unsafe, needs
// less memory in another, and adds one that can't be read.
func TestMemoryTable(t *testing.T) {
	for _, tool := range []string{"python3", "git"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	script, err := filepath.Abs("../../../.ci/memory-table")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run := func(command ...string) (string, error) {
		c := exec.Command(command[0], command[1:]...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a")
		out, err := c.CombinedOutput()
		return string(out), err
	}
	commit := func(files map[string]string) {
		t.Helper()
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		for _, command := range []string{"git add -A", "git commit -q -m change"} {
			if out, err := run(strings.Fields(command)...); err != nil {
				t.Fatalf("%s: %v\n%s", command, err, out)
			}
		}
	}
	const (
		buffers = "func.func @f() {\n  %a = memref.alloc() : memref<1024xf32>\n  memref.dealloc %a : memref<1024xf32>\n  return\n}\n"
		tensors = "func.func @g(%x: tensor<256xf32>, %i: index, %f: f32) -> (tensor<256xf32>, f32) {\n" +
			"  %y = tensor.insert %f into %x[%i] : tensor<256xf32>\n" +
			"  %e = tensor.extract %x[%i] : tensor<256xf32>\n" +
			"  return %y, %e : tensor<256xf32>, f32\n}\n"
	)
	if out, err := run("git", "init", "-q"); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	commit(map[string]string{"a.mlir": buffers, "b.mlir": buffers, "c.mlir": tensors, "same.mlir": buffers})
	commit(map[string]string{
		"a.mlir": strings.ReplaceAll(buffers, "  memref.dealloc %a : memref<1024xf32>\n", ""),
		"b.mlir": strings.ReplaceAll(buffers, "1024", "16"),
		"c.mlir": "// A comment.\n" + tensors,
		"d.mlir": "func.func @h(",
		"e.mlir": "func.func @f(%n: index) {\n  %a = memref.alloc(%n) : memref<?xf32>\n  %b = memref.alloc() : memref<8xf32>\n" +
			"  memref.dealloc %b : memref<8xf32>\n  memref.dealloc %a : memref<?xf32>\n  return\n}\n",
		"f.mlir": "func.func private @f(memref<4xf32>)\n",
	})
	table := func(arguments ...string) (string, bool) {
		out, err := run(append([]string{"python3", script, "--base", "HEAD~1"}, arguments...)...)
		if _, failed := err.(*exec.ExitError); err != nil && !failed {
			t.Fatal(err)
		}
		return out, err == nil
	}
	out, ok := table()
	for _, row := range []string{
		"| `a.mlir` | safe → **unsafe** | 4.0 KiB | 1 | 0 |\n",
		"| `b.mlir` | safe | 4.0 KiB → **64 B** | 1 | 0 |\n",
		"| `c.mlir` | safe | 1.0 KiB | 1 | 1 |\n",
		"| `d.mlir` | unreadable | – | – | – |\n",
		"| `e.mlir` | safe | 4\\*n + 32 B | 2 | 0 |\n",
		"| `f.mlir` | nothing to prove | – | – | – |\n",
		"a.mlir:2:8: error: leak",
		"d.mlir:1:13: error:",
		"tensor.insert would overwrite %x",
	} {
		if !strings.Contains(out, row) {
			t.Errorf("%q is not in\n%s", row, out)
		}
	}
	if ok || strings.Contains(out, "same.mlir") {
		t.Errorf("no failure, or a file that is the same:\n%s", out)
	}
	if out, ok := table("--files", "b.*", "c.mlir"); !ok || strings.Contains(out, "a.mlir") {
		t.Errorf("only what is safe:\n%s", out)
	}
	if out, ok := table("--files", "c.mlir", "--max-peak", "1023"); ok || !strings.Contains(out, "needs too much") {
		t.Errorf("a peak of 1024 bytes, with a limit:\n%s", out)
	}
	// A size that isn't known may be above any limit.
	if out, ok := table("--files", "e.mlir", "--max-peak", "1000000"); ok || !strings.Contains(out, "| safe, **may need too much**: sizes aren't known |") {
		t.Errorf("a peak that isn't known, with a limit:\n%s", out)
	}
	if out, ok := table("--files", "e.mlir", "--max-peak", "31"); ok || !strings.Contains(out, "needs too much") {
		t.Errorf("a peak of at least 32 bytes, with a limit:\n%s", out)
	}
	if out, ok := table("--files", "e.mlir"); !ok {
		t.Errorf("a peak that isn't known, without a limit:\n%s", out)
	}
	// Known, it is like any other.
	if out, ok := table("--files", "e.mlir", "--size", "n=8", "--max-peak", "64"); !ok || !strings.Contains(out, "| safe | 64 B | 2 |") {
		t.Errorf("a peak of 64 bytes for n=8:\n%s", out)
	}
	if out, ok := table("--files", "e.mlir", "b.mlir", "--size", "n=9", "--max-peak", "64"); ok || !strings.Contains(out, "needs too much") {
		t.Errorf("a peak of 68 bytes for n=9:\n%s", out)
	}
	if out, ok := table("--files", "e.mlir", "--size", "m=9"); !ok || !strings.Contains(out, "None of these programs has an unknown size called `m`.") {
		t.Errorf("a size that isn't there:\n%s", out)
	}
	if out, ok := table("--size", "n"); ok || !strings.Contains(out, "a name and a number") {
		t.Errorf("a size without a number:\n%s", out)
	}
	// What changed in a program that was there before is drawn.
	pictures := t.TempDir()
	if out, _ := table("--pictures", pictures, "--picture-url", "https://example.org/p"); !strings.Contains(out, "![b.mlir, before and after](https://example.org/p/b.svg)") || strings.Contains(out, "e.svg") || strings.Contains(out, "c.svg") {
		t.Errorf("pictures:\n%s", out)
	}
	if text, err := os.ReadFile(filepath.Join(pictures, "b.svg")); err != nil || !strings.Contains(string(text), "before.mlir") || !strings.Contains(string(text), "64 B") {
		t.Errorf("%s, %v", text, err)
	}
	if out, ok := table("--fail-on", "never"); !ok {
		t.Errorf("nothing may fail:\n%s", out)
	}
	if out, ok := table("--files", "same.mlir"); !ok || out != "No `.mlir` file changed.\n" {
		t.Errorf("no file changed: %s", out)
	}
	if out, ok := table("--files", "none.mlir", "no/*.mlir"); ok || out != "No `.mlir` file is called `none.mlir` or `no/*.mlir`.\n" {
		t.Errorf("no such file: %s", out)
	}
}
