package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"go/format"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// insertion is one end of an edit.
type insertion struct {
	at   int
	text string
	// rank orders insertions at the same place: what ends there before what starts
	// there; of what ends the inner one first, of what starts the outer one.
	rank [3]int
}

// plant returns the text of a file with bugs, by their numbers. The import goes
// after the place imports.
func plant(text []byte, imports int, bugs map[int]site) ([]byte, error) {
	list := []insertion{{at: imports, text: "\nimport \"freehold/internal/testing/mutation/planted\"\n"}}
	for n, s := range bugs {
		for _, e := range s.edits {
			number, size := strconv.Itoa(n), e.to-e.from
			list = append(list, insertion{e.from, strings.ReplaceAll(e.open, "%d", number), [3]int{1, -size, n}})
			if e.closed != "" {
				list = append(list, insertion{e.to, strings.ReplaceAll(e.closed, "%d", number), [3]int{0, size, -n}})
			}
		}
	}
	slices.SortFunc(list, func(a, b insertion) int {
		return cmp.Or(a.at-b.at, slices.Compare(a.rank[:], b.rank[:]))
	})
	var out bytes.Buffer
	last := 0
	for _, i := range list {
		out.Write(text[last:i.at])
		out.WriteString(i.text)
		last = i.at
	}
	out.Write(text[last:])
	return format.Source(out.Bytes())
}

// build builds this program, to be the probe, and the test that runs scripts, with the bugs.
func build(folder string, bugs []site) error {
	overlay, err := writeOverlay(folder, bugs, true)
	if err != nil {
		return err
	}
	for _, args := range [][]string{
		{"build", "-overlay", overlay, "-o", filepath.Join(folder, "probe"), "./internal/testing/mutation"},
		{"test", "-vet=off", "-c", "-overlay", overlay, "-o", filepath.Join(folder, "scripts"), "./internal/testing/scripts"},
	} {
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			return fmt.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	return nil
}

// writeOverlay writes the sources with the bugs, and returns the path of what tells go to build
// these; with scripts, bugs are switched on in scripts as well.
func writeOverlay(folder string, bugs []site, scripts bool) (string, error) {
	byFile := map[*source]map[int]site{}
	for n, s := range bugs {
		if byFile[s.source] == nil {
			byFile[s.source] = map[int]site{}
		}
		byFile[s.source][n] = s
	}
	files := map[string][]byte{}
	put := func(path string, text []byte) error {
		files[path] = text
		return nil
	}
	for s, list := range byFile {
		text, err := plant(s.text, s.fset.Position(s.file.Name.End()).Offset, list)
		if err != nil {
			return "", fmt.Errorf("%s: %v", s.name, err)
		}
		if err := put(s.path, text); err != nil {
			return "", err
		}
	}
	if scripts {
		if err := passVariable(put); err != nil {
			return "", err
		}
	}
	return writeFiles(folder, files)
}

// writeFiles writes the texts that stand for files, and returns the path of what tells go so.
func writeFiles(folder string, files map[string][]byte) (string, error) {
	replace := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path, err := filepath.Abs(name)
		if err != nil {
			return "", err
		}
		to := filepath.Join(folder, fmt.Sprintf("%d.go", len(replace)))
		replace[path] = to
		if err := os.WriteFile(to, files[name], 0o666); err != nil {
			return "", err
		}
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(folder, "overlay.json")
	return overlay, os.WriteFile(overlay, data, 0o666)
}

// passVariable lets the processes that scripts start, which have an environment of their own, know which bug
// is switched on.
func passVariable(put func(string, []byte) error) error {
	path, err := filepath.Abs("driver/scripttest/script.go")
	if err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	const setup = "(env *testscript.Env) error {\n"
	if !bytes.Contains(text, []byte(setup)) {
		return fmt.Errorf("%s has no function %s", path, setup)
	}
	text = bytes.Replace(text, []byte(setup), []byte(setup+`	for _, v := range []string{planted.Variable, planted.Reached} {
		env.Setenv(v, os.Getenv(v))
	}
`), 1)
	text = bytes.Replace(text, []byte("import ("), []byte("import (\n\t\"freehold/internal/testing/mutation/planted\""), 1)
	return put(path, text)
}
