package transform_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"freehold/driver"
	"freehold/ir"
	"freehold/transform/lower/tosa"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestReference compares the scripts of the dialect and of its passes with the reference:
// what a command of `freehold opt` is expected to print is what mlir-opt-19 prints. A script
// that begins with "# Freehold's own", or is about another version, is left out.
func TestTosaReference(t *testing.T) {
	const reference = "mlir-opt-19"
	if _, err := exec.LookPath(reference); err != nil {
		t.Skip("there is no " + reference)
	}
	commands := 0
	for _, pattern := range []string{"lower/tosa/testdata/script/*.txtar", "../dialect/tosa/testdata/script/*.txtar"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.HasPrefix(archive.Comment, []byte("# Freehold's own")) || bytes.Contains(archive.Comment, []byte("--mlir-version=")) {
				continue
			}
			contents := map[string][]byte{}
			for _, f := range archive.Files {
				contents[f.Name] = f.Data
			}
			lines := strings.Split(string(archive.Comment), "\n")
			for i, line := range lines {
				args, ok := strings.CutPrefix(line, "freehold opt ")
				if !ok {
					continue
				}
				want := ""
				if i+1 < len(lines) {
					if file, ok := strings.CutPrefix(lines[i+1], "cmp stdout "); ok {
						want = file
					}
				}
				commands++
				t.Run(filepath.Base(file)+"/"+args, func(t *testing.T) {
					compare(t, reference, words(args), contents, want)
				})
			}
		}
	}
	if commands == 0 {
		t.Fatal("no script has a command")
	}
}

// TestModels lowers the example models: nothing of tosa is left.
func TestTosaModels(t *testing.T) {
	files, err := filepath.Glob("../examples/tosa/*.mlir")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no models", err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		session := driver.Freehold().NewSession()
		program, err := session.Parse(src, file)
		if err != nil {
			t.Fatal(err)
		}
		lowered := ir.CloneDetached(program.Document.Module)
		if changed, err := tosa.Lower(lowered, nil); !changed || err != nil || tosa.IsNeeded(lowered) {
			t.Errorf("%s: changed %v, error %v", file, changed, err)
		}
		if err := ir.Verify(lowered); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// words splits a command as the scripts do: at spaces outside of single quotes.
func words(s string) (out []string) {
	for i, part := range strings.Split(s, "'") {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}

// compare runs the reference with the arguments, the last of which is a file of the script, and
// compares its output with another one.
func compare(t *testing.T, reference string, args []string, files map[string][]byte, want string) {
	last := len(args) - 1
	cmd := exec.Command(reference, append(args[:last:last], "-")...)
	cmd.Stdin = bytes.NewReader(files[args[last]])
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, stderr.Bytes())
	}
	if want == "" {
		return
	}
	got := bytes.TrimRight(stdout.Bytes(), "\n")
	if expected := bytes.TrimRight(files[want], "\n"); !bytes.Equal(got, expected) {
		t.Errorf("the reference prints\n%s\nand the script expects\n%s", got, expected)
	}
}
