package naive_test

import (
	"flag"
	"math/rand/v2"
	"regexp"
	"testing"

	"freehold/internal/testing/campaign"
	"freehold/internal/testing/irgen"
)

var mutants = flag.Int("mutants", 100, "how many mutants of the programs of scripts are compared")

// apart matches numbers that may be sizes which take long, and addresses, which are others each time.
var apart = regexp.MustCompile(`[0-9]{4}|pointer_as_index`)

// The programs of the script tests, and mutants of them, do the same.
func TestProgramsOfScripts(t *testing.T) {
	sources, err := campaign.Programs("../../../dialect", "../../../exec/interp", "../../../exec/difftest", "../../../transform")
	if err != nil {
		t.Fatal(err)
	}
	g, executed := irgen.Mutants(sources), 0
	for k := range len(sources) + *mutants {
		src := ""
		if k < len(sources) {
			src = sources[k]
		} else {
			src = g.Generate(rand.New(rand.NewPCG(uint64(k-len(sources)), 61)).IntN, 1)
		}
		m, err := load(src)
		if err != nil || m.BodyBlock(0) == nil || apart.MatchString(src) {
			continue
		}
		for op := range m.BodyBlock(0).Ops() {
			if op.Name() == "func.func" && op.BodyBlock(0) != nil {
				executed += compareFunction(t, src, m, op)
			}
		}
		if t.Failed() {
			return
		}
	}
	if t.Logf("%d executions are compared", executed); executed < 1000 {
		t.Error("only these are compared")
	}
}
