package cli

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"freehold/compile"
	"freehold/transform/memory/rematerialize"
)

// memoryLimit are the flags of compile about how much memory a program may need.
type memoryLimit struct{ most, work string }

// least is the limit that asks for as little as possible.
const least = "least"

func (o *memoryLimit) declare(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.most, "max-memory", "", "need at most this `size`, such as 256KiB, beside arguments and constants, or as little as possible (least): compute in tiles, and twice, what it takes")
	f.StringVar(&o.work, "extra-work", "25%", "with --max-memory, the `share` of the program's operations on numbers that may be executed again")
	needs(f, "extra-work", "max-memory")
	c.MarkFlagsMutuallyExclusive("pass-pipeline", "max-memory")
}

// set puts what the flags say into options.
func (o *memoryLimit) set(to *compile.Options) (err error) {
	if to.ExtraWork, err = rematerialize.ParseShare(o.work); err != nil {
		return fmt.Errorf("--extra-work: %v", err)
	}
	switch {
	case o.most == "":
		return nil
	case to.Deallocation != "" && to.Deallocation != compile.Ownership:
		return fmt.Errorf("--max-memory needs --deallocation ownership")
	case o.most == least:
		to.MaxMemory = compile.LeastMemory
		return nil
	}
	to.MaxMemory, err = parseSize(o.most)
	if err != nil {
		return fmt.Errorf("--max-memory: %v", err)
	}
	return nil
}

// parseSize reads a size in bytes, such as 4096, 256KiB or 1.5MB.
func parseSize(text string) (int64, error) {
	number, factor := strings.TrimSuffix(text, "B"), 1.0
	for i, letter := range "KMGT" {
		if n, ok := strings.CutSuffix(number, string(letter)+"i"); ok {
			number, factor = n, math.Pow(1024, float64(i+1))
			break
		}
		if n, ok := strings.CutSuffix(strings.Replace(number, "k", "K", 1), string(letter)); ok {
			number, factor = n, math.Pow(1000, float64(i+1))
			break
		}
	}
	x, err := strconv.ParseFloat(number, 64)
	if err != nil || !(x > 0) || x*factor < 1 || x*factor > 1<<62 {
		return 0, fmt.Errorf("%q is no size above zero, such as 65536, 256KiB or 1.5MB", text)
	}
	return int64(x * factor), nil
}

// byteLimit is a flag of a size in bytes that may be 0, or of none, a number below.
type byteLimit int64

func (l *byteLimit) String() string {
	if *l < 0 {
		return "none"
	}
	return strconv.FormatInt(int64(*l), 10)
}

func (l *byteLimit) Set(text string) error {
	if text == "0" {
		*l = 0
		return nil
	}
	size, err := parseSize(text)
	*l = byteLimit(size)
	return err
}

func (*byteLimit) Type() string { return "size" }

// printAttempts says what came of the ways to need less memory.
func printAttempts(w io.Writer, attempts []compile.Attempt) {
	names := map[compile.Way]string{compile.ByOrder: "by order", compile.ByTiles: "in tiles", compile.ByWork: "with work"}
	best := map[compile.Way]*compile.Attempt{}
	for i := range attempts {
		a := &attempts[i]
		if b := best[a.Way]; b == nil || a.Chosen || !b.Chosen && !a.Peak.AtLeast(b.Peak) {
			best[a.Way] = a
		}
	}
	for _, way := range []compile.Way{compile.ByOrder, compile.ByTiles, compile.ByWork} {
		a := best[way]
		if a == nil {
			continue
		}
		note := ""
		if a.ExtraWork > 0 {
			note = fmt.Sprintf("  %.2g%% extra work", 100*a.ExtraWork)
		}
		if a.Chosen {
			note += "  chosen"
		}
		peak := a.Peak.String()
		if a.Refused {
			peak = "refused"
		}
		changeRow(w, names[way], "", peak, note)
	}
}
