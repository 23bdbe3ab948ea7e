package emitc_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"freehold/driver"
	"freehold/transform/emit/emitc"
)

// Functions with the names of all that the headers of C's library have in them compile beside these headers.
func TestNamesOfTheLibrary(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("there is no C compiler")
	}
	var headers strings.Builder
	for _, h := range []string{"complex", "math", "stddef", "stdint", "stdio", "stdlib", "string"} {
		fmt.Fprintf(&headers, "#include <%s.h>\n", h)
	}
	run := func(input string, args ...string) string {
		cmd := exec.Command(cc, append(args, "-x", "c", "-")...)
		cmd.Stdin = strings.NewReader(input)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("cc %s: %v\n%.2000s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	declared := regexp.MustCompile(`(?m)^#.*$`).ReplaceAllString(run(headers.String(), "-E"), "")
	names := regexp.MustCompile(`\b[A-Za-z][A-Za-z0-9_]*\b`).FindAllString(declared, -1)
	for _, m := range regexp.MustCompile(`(?m)^#define ([A-Za-z][A-Za-z0-9_]*)`).FindAllStringSubmatch(run(headers.String(), "-E", "-dM"), -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	names = slices.Compact(names)
	var program strings.Builder
	for _, n := range names {
		fmt.Fprintf(&program, "func.func @%s(%%x: memref<2xi8>, %%y: i64, %%z: i1) -> i1 { return %%z : i1 }\n", n)
	}
	p, err := driver.Freehold().NewSession().Parse([]byte(program.String()), "names.mlir")
	if err != nil {
		t.Fatal(err)
	}
	unit, err := emitc.Prepare(p.Module, emitc.Options{Name: "names"})
	if err != nil {
		t.Fatal(err)
	}
	var header, source bytes.Buffer
	if err := unit.WriteHeader(&header); err != nil {
		t.Fatal(err)
	}
	if err := unit.WriteSource(&source); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "names.h"), header.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	text := headers.String() + source.String()
	for _, std := range []string{"-std=c99", "-std=gnu11"} {
		run(text, std, "-Wall", "-Werror", "-fsyntax-only", "-I", dir)
	}
}
