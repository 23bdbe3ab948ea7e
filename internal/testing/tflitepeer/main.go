// Tflitepeer compares what freehold computes for models of TensorFlow Lite with the reference kernels of LiteRT, its successor:
//
//	go run ./internal/testing/tflitepeer -n 200 -seed 1
//
// It makes random models of one operator each, executes them on random arguments with both, several times where the operator
// keeps a state, and compares the results bit by bit. LiteRT is the package @litertjs/core of npm, which is installed in a temporary
// folder (or in -dir, where it stays); node runs it. -networks makes small networks instead, and -models compares those in files.
//
// For each operator it prints how many models agree, how many differ, and how many one of the two refuses. Functions such as exp are
// those of the C library, whose last bits aren't the same everywhere: in single precision the largest distance in units of the last
// place is printed, and -ulps says how far is too far.
//
// It is no part of the tests. Run it from the root of the repository.
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

func main() {
	var o options
	n := flag.Int("n", 100, "how many models of each operator to try")
	seed := flag.Uint64("seed", 1, "chooses the models")
	only := flag.String("ops", "", "the only operators to try, with commas between them; all if it is empty")
	dir := flag.String("dir", "", "the folder in which LiteRT.js is installed (default a temporary one)")
	mode := flag.String("kernels", "reference", "the kernels of LiteRT: reference (and builtin, where there is none), builtin or xnnpack; or tfjs, TensorFlow.js's library, for operators that LiteRT.js hasn't, such as those with a state")
	models := flag.Bool("models", false, "compare the models in the files that are named instead of random ones")
	nets := flag.Bool("networks", false, "try random networks instead of single operators")
	flag.Uint64Var(&o.ulps, "ulps", 4, "how many units of the last place numbers in single precision may differ by")
	flag.StringVar(&o.keep, "keep", "", "the folder for models that differ")
	flag.BoolVar(&o.compiled, "compiled", false, "execute the compiled program instead of the one that is read")
	flag.BoolVar(&o.verbose, "v", false, "print what differs, and why models are refused")
	flag.Parse()
	if err := run(&o, *n, *seed, *only, *dir, *mode, *models, *nets); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// options are how models are compared.
type options struct {
	ulps uint64
	keep string
	// compiled has the program compiled before it is executed.
	compiled bool
	verbose  bool
}

func run(o *options, n int, seed uint64, only, dir, mode string, models, nets bool) error {
	p, err := newPeer(dir, mode)
	if err != nil {
		return err
	}
	defer p.close()
	var failed bool
	switch {
	case models:
		failed, err = compareFiles(o, p, seed, flag.Args())
	case nets:
		failed, err = compareNetworks(o, p, n, seed)
	default:
		failed, err = compareRandom(o, p, n, seed, only, mode)
	}
	if err == nil && failed {
		err = fmt.Errorf("freehold and LiteRT don't agree")
	}
	return err
}

// compareRandom tries random models of each operator.
func compareRandom(o *options, p *peer, n int, seed uint64, only, mode string) (failed bool, err error) {
	operators := operators
	if mode == tfjs {
		operators = older
	}
	var names []string
	for name := range operators {
		if only == "" || slices.Contains(strings.Split(only, ","), name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var sum tally
	for _, name := range names {
		var t tally
		for i := range n {
			g := newGenerator(seed, name, i)
			c := operators[name](g)
			c.code(name)
			if err := t.add(o, p, trial{fmt.Sprintf("%s-%d-%d", name, seed, i), c.String(), c.file(), c.executions(g), c.within, mode == tfjs}); err != nil {
				return failed, err
			}
		}
		fmt.Printf("%-28s %s\n", name, t)
		sum.join(t)
	}
	fmt.Printf("%-28s %s\n", "all", sum)
	return sum.differ > 0, nil
}

// compareNetworks tries random networks of each kind.
func compareNetworks(o *options, p *peer, n int, seed uint64) (failed bool, err error) {
	for _, name := range slices.Sorted(maps.Keys(networks)) {
		var t tally
		for i := range n {
			g := newGenerator(seed, name, i)
			w := networks[name](g)
			file := w.file()
			executions, err := g.argumentsOf(file)
			if err != nil {
				return failed, err
			}
			if err := t.add(o, p, trial{name: fmt.Sprintf("%s-%d-%d", name, seed, i), about: w.String(), file: file, executions: executions, deep: true}); err != nil {
				return failed, err
			}
		}
		fmt.Printf("%-28s %s\n", name, t)
		failed = failed || t.differ > 0
	}
	return failed, nil
}

// compareFiles compares the models in files on random arguments.
func compareFiles(o *options, p *peer, seed uint64, files []string) (failed bool, err error) {
	for _, path := range files {
		file, err := os.ReadFile(path)
		if err != nil {
			return failed, err
		}
		executions, err := newGenerator(seed, path, 0).argumentsOf(file)
		if err != nil {
			return failed, fmt.Errorf("%s: %v", path, err)
		}
		var t tally
		if err := t.add(o, p, trial{name: path, file: file, executions: executions}); err != nil {
			return failed, err
		}
		fmt.Printf("%s: %s\n", path, t)
		failed = failed || t.differ > 0
	}
	return failed, nil
}
