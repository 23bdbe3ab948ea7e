package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// knownTrials are the tests, besides the campaign of random programs and their twins, that should find known faults: all numbers of small
// types, compositions of shapes by execution, and executions by two interpreters. None of them has the program by which a fault was found.
var knownTrials = []trial{
	{pkg: "internal/testing/exhaustive", tests: "."},
	{pkg: "internal/testing/campaign", tests: "PlantedBugs"},
	{pkg: "internal/testing/exhaustive/shapes", tests: "Compositions", args: []string{"-rapid.seed=1"}},
	{pkg: "internal/testing/naive", tests: naiveCampaigns},
	{pkg: "proof/check", tests: "FreesAnywhere|ReservedAnywhere|LimitsAnywhere|Judged|ChangedProgramsAnywhere", args: []string{"-rapid.seed=1", "-programs", "100"}},
}

// verdict is what came of a known fault.
type verdict struct {
	fault  *fault
	number int
	// by is what found it, seed the program, programs how many were tried; empty if nothing did.
	by, message string
	seed        uint64
	programs    int
	// reached tells that a campaign comes to the place.
	reached bool
}

// patched returns the text of a file with changes of faults, by their numbers.
func patched(name string, text []byte, list []fault) ([]byte, error) {
	s := string(text)
	for n, f := range list {
		for _, c := range f.changes {
			if c.file != name {
				continue
			}
			if k := strings.Count(s, c.old); k != 1 {
				return nil, fmt.Errorf("%s: of the fault %s, %q occurs %d times", name, f.name, c.old, k)
			}
			with := strings.ReplaceAll(strings.ReplaceAll(c.new, "FAULT", "planted.Is(NUMBER)"), "NUMBER", strconv.Itoa(n))
			s = strings.Replace(s, c.old, with, 1)
		}
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, s, parser.PackageClauseOnly)
	if err != nil {
		return nil, err
	}
	at := int(file.Name.End()) - 1
	return format.Source([]byte(s[:at] + "\nimport \"freehold/internal/testing/mutation/planted\"\n" + s[at:]))
}

// patchAll returns the sources with all faults, by their files.
func patchAll(list []fault) (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, f := range list {
		for _, c := range f.changes {
			if out[c.file] != nil {
				continue
			}
			text, err := os.ReadFile(c.file)
			if err != nil {
				return nil, err
			}
			if out[c.file], err = patched(c.file, text, list); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// buildKnown builds this program with the faults, and returns the overlay that has them.
func (o *options) buildKnown(list []fault) (overlay string, err error) {
	files, err := patchAll(list)
	if err != nil {
		return "", err
	}
	if overlay, err = writeFiles(o.folder, files); err != nil {
		return "", err
	}
	args := []string{"build", "-overlay", overlay, "-o", filepath.Join(o.folder, "probe"), "./internal/testing/mutation"}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return overlay, nil
}

// chosen returns the numbers of the faults that a list names, of all if it is empty.
func chosen(only string) (numbers []int, err error) {
	if only == "" {
		for n := range faults {
			numbers = append(numbers, n)
		}
		return numbers, nil
	}
	for name := range strings.SplitSeq(only, ",") {
		n := slices.IndexFunc(faults, func(f fault) bool { return f.name == name })
		if n < 0 {
			return nil, fmt.Errorf("there is no known fault %s", name)
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}

// known puts known faults back, one after the other; only names some, or all if it is empty.
func (o *options) known(w io.Writer, only string) error {
	numbers, err := chosen(only)
	if err != nil {
		return err
	}
	remove, err := o.makeFolder()
	if err != nil {
		return err
	}
	defer remove()
	overlay, err := o.buildKnown(faults)
	if err != nil {
		return err
	}
	a := &answer{}
	if !o.tests {
		if a, err = o.recorded(); err != nil {
			return err
		}
	}
	for _, f := range a.Known {
		fmt.Fprintf(os.Stderr, "%s %d, %s fails without a fault, and doesn't count: %s: %s\n", f.Generator, f.Seed, f.Pipeline, f.Kind, f.Message)
	}
	var tried []*verdict
	var left []int
	for _, n := range numbers {
		v, err := o.inCampaign(n, a)
		if err != nil {
			return err
		}
		if tried = append(tried, v); v.by == "" {
			left = append(left, len(tried)-1)
		}
		v.log()
	}
	if len(left) > 0 && !o.campaign {
		if err := o.inTests(overlay, tried, left); err != nil {
			return err
		}
	}
	found := 0
	for _, v := range tried {
		if v.by != "" {
			found++
		}
		v.write(w)
	}
	_, err = fmt.Fprintf(w, "%d of %d known faults are found\n", found, len(tried))
	return err
}

// recorded returns the campaign without a fault. It is kept in the folder, for the next time that the same is built.
func (o *options) recorded() (*answer, error) {
	binary, err := os.ReadFile(filepath.Join(o.folder, "probe"))
	if err != nil {
		return nil, err
	}
	path := filepath.Join(o.folder, fmt.Sprintf("recorded-%x-%d-%d-%s.json", sha256.Sum256(binary), o.first, o.programs, o.generators))
	a := &answer{}
	data, err := os.ReadFile(path)
	if err == nil {
		return a, json.Unmarshal(data, a)
	}
	a, ended, err := o.probe(-1, 0, &task{Twins: true})
	switch {
	case err != nil:
		return nil, err
	case a == nil:
		return nil, fmt.Errorf("the campaign ends without a fault: %s", ended)
	}
	if data, err = json.Marshal(a); err != nil {
		return nil, err
	}
	return a, os.WriteFile(path, data, 0o666)
}

// inCampaign tries the campaign with fault n.
func (o *options) inCampaign(n int, without *answer) (*verdict, error) {
	f := &faults[n]
	v := &verdict{fault: f, number: n}
	runs, expected := reaching(without.Runs, n)
	if f.early {
		runs, expected = without.Runs, 0
		for _, r := range runs {
			expected += r.Time
		}
	}
	if len(runs) == 0 {
		return v, nil
	}
	v.reached = true
	a, ended, err := o.probe(n, 2*expected+20*time.Second, &task{Runs: runs, Known: without.Known, Twins: true, Judges: f.judges})
	switch {
	case err != nil:
		return v, err
	case a == nil:
		v.by = "campaign: " + ended
	case a.Failure != nil:
		x := a.Failure
		v.by = fmt.Sprintf("campaign: %s of `%s`", x.Kind, x.Generator)
		v.seed, v.programs, v.message = x.Seed, a.Programs, x.Pipeline+": "+firstLine(x.Message)
	}
	return v, nil
}

// inTests tries the tests with the faults that are left.
func (o *options) inTests(overlay string, tried []*verdict, left []int) error {
	for _, t := range knownTrials { // whatever was built before had other faults
		if err := os.RemoveAll(o.binary(t.pkg)); err != nil {
			return err
		}
	}
	if err := o.buildTrials(overlay, &judge{trials: knownTrials}); err != nil {
		return err
	}
	tests, err := o.measure(knownTrials)
	if err != nil {
		return err
	}
	for _, i := range left {
		v := tried[i]
		for _, t := range tests {
			if !v.fault.early && !t.reached[v.number] {
				continue
			}
			v.reached = true
			if out, _, err := o.attempt(t.trial, v.number, "", patience(t)); err != nil {
				v.by, v.message = "test: "+t.pkg+" "+strings.Trim(t.name, "^$"), said(out)
				break
			}
		}
		v.log()
	}
	return nil
}

// said returns the first line of what a test prints when it fails that isn't about the test itself.
func said(out []byte) string {
	for line := range strings.Lines(string(out)) {
		if l := strings.TrimSpace(line); l != "" && !strings.HasPrefix(l, "=== ") && !strings.HasPrefix(l, "---") {
			return l
		}
	}
	return ""
}

// write writes a row of a table.
func (v *verdict) write(w io.Writer) {
	by, seed, programs := v.by, "", ""
	if v.programs > 0 {
		seed, programs = strconv.FormatUint(v.seed, 10), strconv.Itoa(v.programs)
	}
	switch {
	case by == "" && v.fault.unseen != "":
		by = "not found: " + v.fault.unseen
	case by == "" && v.reached:
		by = "not found"
	case by == "":
		by = "not found: nothing comes to the place"
	}
	fmt.Fprintf(w, "| `%s` | %s | %s | %s | %s |\n", v.fault.name, v.fault.what, by, seed, programs)
}

// log tells at once what came of the fault.
func (v *verdict) log() {
	fmt.Fprintf(os.Stderr, "%s: %s %d %d %s\n", v.fault.name, v.by, v.seed, v.programs, v.message)
}
