package explain_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"freehold/compile"
	"freehold/driver"
	"freehold/ir/asm"
	"freehold/tool/explain"
	"freehold/transform/lower/stablehlo"
)

var (
	explained = flag.String("explained", "", "folders of programs, separated by colons, all of whose copies are to be confirmed")
	confirmed = flag.Float64("confirmed", 99.4, "the share of causes, in percent, that must be confirmed")
)

// What explain names as the cause of a copy is what makes it necessary: without the read, with
// a buffer that may be written, with the option or the pass, the copy is gone.
func TestExplainedCausesAreConfirmed(t *testing.T) {
	var c causes
	for _, f := range programsIn(t, "../../examples") {
		c.confirm(t, f, 0)
	}
	shared := "../../../shared"
	switch {
	case *explained != "":
		for _, dir := range filepath.SplitList(*explained) {
			for _, f := range programsIn(t, dir) {
				c.confirm(t, f, 30)
			}
		}
	case !testing.Short():
		for n, f := range slices.Concat(programsIn(t, shared+"/models"), programsIn(t, shared+"/corpus/core")) {
			if n%11 == 0 {
				c.confirm(t, f, 4)
			}
		}
	}
	c.report(t, *confirmed)
}

// programsIn returns the programs in a folder; none if there is no such folder.
func programsIn(t *testing.T, dir string) []string {
	var files []string
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) == ".mlir" {
			files = append(files, path)
		}
		return nil
	})
	return files
}

// causes counts what is confirmed.
type causes struct {
	confirmed, all map[explain.Cause]int
	advice, helped int
	failed         []string
}

// confirm puts the items of a program to the test, or, if most is positive, so many of them.
func (c *causes) confirm(t *testing.T, file string, most int) {
	if c.all == nil {
		c.confirmed, c.all = map[explain.Cause]int{}, map[explain.Cause]int{}
	}
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	src = inTermsOfLinalg(src, file)
	// Of what a kept argument is copied for, another reason is often left, such as that it is returned.
	for n, pipeline := range []string{compile.Options{Arena: compile.NoArena, Arguments: compile.OverwriteArguments, KeepOrder: true}.Pipeline(), strings.TrimSuffix(compile.Bufferization(), ")") + ",cse,canonicalize)"} {
		x := newTrial(file, src, pipeline)
		if x == nil {
			continue
		}
		items := slices.DeleteFunc(slices.Clone(x.items), func(i *explain.Item) bool { return !i.Remains() || n == 0 && i.Copies == 0 })
		step := 1
		if most > 0 && len(items) > most {
			step = len(items) / most
		}
		for k := 0; k < len(items); k += step {
			i := items[k]
			c.all[i.Cause]++
			what := fmt.Sprintf("%s:%s: %s (%d)", file, place(i), i.Title, n)
			if x.confirmed(i) {
				c.confirmed[i.Cause]++
			} else {
				c.failed = append(c.failed, string(i.Cause)+": "+what)
			}
			for _, a := range i.Advice {
				if a.Kind != "option" && a.Kind != "pass" {
					continue
				}
				c.advice++
				if x.helps(i, a) {
					c.helped++
				} else {
					c.failed = append(c.failed, a.Kind+" "+a.Name+" doesn't help: "+what)
				}
			}
		}
	}
}

// inTermsOfLinalg is a program in StableHLO as it is lowered, in whose terms causes are named and changed; others are as they are.
func inTermsOfLinalg(src []byte, file string) []byte {
	p, err := driver.Freehold().NewSession().Parse(src, file)
	if err != nil || !stablehlo.IsNeeded(p.Module) || p.Run("builtin.module(stablehlo-to-linalg)") != nil {
		return src
	}
	text, err := p.Text(asm.PrintOptions{})
	if err != nil {
		return src
	}
	return text
}

func (c *causes) report(t *testing.T, floor float64) {
	confirmed, all := 0, 0
	for cause, n := range c.all {
		t.Logf("%5d of %5d confirmed: %s", c.confirmed[cause], n, cause)
		confirmed, all = confirmed+c.confirmed[cause], all+n
	}
	t.Logf("%5d of %5d confirmed; %d of %d options and passes help", confirmed, all, c.helped, c.advice)
	if all == 0 {
		t.Fatal("nothing was explained")
	}
	if share := 100 * float64(confirmed+c.helped) / float64(all+c.advice); share < floor {
		slices.Sort(c.failed)
		t.Errorf("%.1f%% confirmed, less than %.1f%%:\n%s", share, floor, strings.Join(c.failed, "\n"))
	}
}
