// Plant measures how many bugs the campaigns of random programs find. It builds a
// freehold whose passes have many bugs, each behind a switch, and runs the campaign
// with one after the other switched on:
//
//	go run ./internal/testing/mutation -bugs 200 -peer mlir-opt-19 -report planted.json
//
// A bug is caught if the campaign fails, doesn't end, or crashes; if, with -peer, an
// mlir-opt makes something else of a program, or doesn't refuse it for the same reason,
// where it did without the bug; or if a program becomes worse than without the bug. A
// change that makes no difference isn't a bug and doesn't count: all that the campaign
// prints is the same as without it, and so is the output of all script tests.
//
// Of the campaign, only the runs are tried that come to the place of the bug, and only
// what they print otherwise than without it is checked.
//
// With -known, it puts back faults that freehold once had (faults.go), and prints which campaign or test finds each:
//
//	go run ./internal/testing/mutation -known
//
// Run it from the root of the repository. See docs/trust.md.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
)

func main() {
	var o options
	flag.IntVar(&o.bugs, "bugs", 200, "how many bugs to try")
	flag.Uint64Var(&o.seed, "seed", 1, "chooses the bugs")
	flag.IntVar(&o.programs, "programs", 40, "how many random programs of each generator to try on each")
	flag.StringVar(&o.generators, "generators", "", "the only `kinds` of random programs to try, with commas between them; all if it is empty")
	flag.IntVar(&o.first, "first-program", 1, "the number of the first program")
	flag.IntVar(&o.jobs, "jobs", 1, "how many bugs to try at the same time")
	flag.StringVar(&o.peer, "peer", "", "an mlir-opt, such as mlir-opt-19, that must make the same of programs")
	flag.StringVar(&o.folder, "work", "", "the folder for what is built (default a temporary one)")
	flag.StringVar(&o.again, "again", "", "go on where this report ends, after trying again what survived in it")
	in := flag.String("in", "", "plant bugs in what judges programs instead: check, certificate, or exec")
	flag.BoolVar(&o.places, "places", false, "with -in, try no bugs, but list the places that no trial comes to")
	known := flag.Bool("known", false, "instead of bugs that are made up, put known faults back")
	only := flag.String("only", "", "with -known, the `names` of the only faults to put back, with commas between them")
	flag.BoolVar(&o.campaign, "campaign", false, "with -known, try only the campaign of random programs, and no other tests")
	flag.BoolVar(&o.tests, "tests", false, "with -known, try only the other tests")
	report := flag.String("report", "", "write the results to this JSON file")
	task := flag.String("probe", "", "for the copies of this program that have the bugs: do what the file says")
	flag.Parse()
	if *task != "" {
		if err := probeFile(*task); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if *known {
		if err := o.known(os.Stdout, *only); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	for i := range judges {
		if judges[i].name == *in {
			o.judge = &judges[i]
		}
	}
	if *in != "" && o.judge == nil {
		fmt.Fprintf(os.Stderr, "nothing judges programs by the name %s\n", *in)
		os.Exit(1)
	}
	o.done = func(results []result) error {
		if *report == "" {
			return nil
		}
		return save(*report, results)
	}
	results, err := o.run()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	summarize(os.Stdout, results)
}

func save(path string, results []result) error {
	data, err := json.MarshalIndent(results, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o666)
}
