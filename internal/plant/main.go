// Plant measures how many bugs the campaigns of random programs find. It builds a
// freehold whose passes have many bugs, each behind a switch, and runs the campaign
// with one after the other switched on:
//
//	go run ./internal/plant -bugs 200 -programs 300 -report planted.json
//
// A bug is caught if `freehold fuzz` fails, or doesn't end; or, with -peer, if an
// mlir-opt no longer leaves as many operations of each kind with effects, so that a pass
// is found that copies without need. A change that makes no
// difference isn't a bug and doesn't count: all that the campaign prints is the same
// as without it, and so is the output of all script tests.
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
	flag.IntVar(&o.programs, "programs", 300, "how many random programs to try on each")
	flag.IntVar(&o.first, "first-program", 1, "the number of the first program")
	flag.IntVar(&o.jobs, "jobs", 1, "how many bugs to try at the same time")
	flag.StringVar(&o.peer, "peer", "", "an mlir-opt, such as mlir-opt-19, that must leave as many operations with effects")
	flag.IntVar(&o.peerPrograms, "peer-programs", 120, "how many programs to compare with the peer")
	flag.StringVar(&o.folder, "work", "", "the folder for what is built (default a temporary one)")
	flag.StringVar(&o.again, "again", "", "go on where this report ends, after trying again what survived in it")
	report := flag.String("report", "", "write the results to this JSON file")
	flag.Parse()
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
