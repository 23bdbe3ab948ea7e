package cli

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"freehold/driver"
	"freehold/internal/testing/models"
)

var slow = flag.Bool("slow", false, "look for the least memory of the networks, too, for which that takes long")

// searchedLong are those networks.
var searchedLong = []string{"conv-gru", "image-decoder", "hrnet", "nasnet", "unet-256", "bert-512", "resnet50"}

// figures are what compile says about a program that it has compiled.
type figures struct {
	Allocations, Copies int
	Peak, LowerBound    struct{ Bytes int }
}

// compiled compiles a program with flags, and returns the figures.
func compiled(t *testing.T, source string, flags ...string) figures {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "in.mlir")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	args := append([]string{"freehold", "compile", "--json", file, "-o", os.DevNull}, flags...)
	if status := Main(driver.Freehold(), args, driver.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}); status != 0 {
		t.Fatalf("status %d: %s", status, errs.String())
	}
	var answer struct{ After figures }
	if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	return answer.After
}

// TestOrder compiles irregular networks in the order in which they are written, and in that which is chosen: this never needs more, computes the same,
// and needs at most three quarters on average. The limit may only fall.
func TestOrder(t *testing.T) {
	const limit = 0.745
	product, n := 1.0, 0
	for _, m := range models.Irregular() {
		t.Run(m.Name, func(t *testing.T) {
			written := compiled(t, m.Source(), "--no-check", "--keep-order")
			ordered := compiled(t, m.Source(), "--run", "--no-check")
			if ordered.Peak.Bytes > written.Peak.Bytes {
				t.Errorf("peak %d, as written %d", ordered.Peak.Bytes, written.Peak.Bytes)
			}
			product *= float64(ordered.Peak.Bytes) / float64(written.Peak.Bytes)
			n++
		})
	}
	if mean := math.Pow(product, 1/float64(n)); mean > limit {
		t.Errorf("the geometric mean of the peaks is %.3f of those of programs as written; at most %.3f", mean, limit)
	}
}

// TestWirings compiles networks whose peak depends on which copies are elided by having the target early. The ceilings may only fall.
func TestWirings(t *testing.T) {
	most := map[string]int{"shufflenet": 41216, "bifpn": 126720, "fractal": 135296}
	for _, m := range models.Wirings() {
		if limit, ok := most[m.Name]; ok {
			t.Run(m.Name, func(t *testing.T) {
				t.Parallel()
				if a := compiled(t, m.Source(), "--no-check"); a.Peak.Bytes > limit {
					t.Errorf("peak %d, at most %d", a.Peak.Bytes, limit)
				}
			})
		}
	}
}

// TestTiles compiles networks with as little memory as there is without extra work: they compute the same, and need no more than the ceilings, which may
// only fall. Those of [searchedLong] are compiled with -slow.
func TestTiles(t *testing.T) {
	inTiles(t, slices.Concat(models.All(), models.Irregular(), models.Wirings()), map[string]int{
		"mobilenet": 11072, "resnet-nhwc": 5632, "unet-concat": 36160, "unet-nested": 14080, "experts-all": 1128, "densenet": 32128, "wavenet": 14272,
		"attention": 12288, "bytewise": 1824, "widths-3": 680, "randwire-3": 14048, "inception": 15200, "unet-deep": 38652, "cells-6": 11456,
		"cells-1": 10724, "hrnet": 12880, "widths-2": 368, "widths-6": 5544, "shufflenet": 24704, "bifpn": 73440, "nasnet": 177920,
		"image-decoder": 79104, "conv-gru": 38848, "multipath": 13632, "conformer": 24576, "widths-0": 240, "widths-5": 960, "resnet-nchw": 4864,
		"training-residual": 63872, "training-deep": 19300, "training-branches": 56192, "training-wide": 33440, "cells-5": 10656,
	}, "--run", "--extra-work", "0")
}

// TestLargeTiles does so with networks that are too large to be executed, also with some extra work.
func TestLargeTiles(t *testing.T) {
	inTiles(t, models.Large(), map[string]int{
		"mobilenetv2": 569856, "mobilenetv2-int8": 134016, "resnet50": 1806336, "unet-256": 16320528, "bert-512": 3540996, "vww-int8": 13984,
	}, "--no-check", "--extra-work", "0")
	inTiles(t, models.Large(), map[string]int{"unet-256": 8079360}, "--no-check", "--extra-work", "5%")
}

// inTiles compiles those of some networks that have ceilings.
func inTiles(t *testing.T, networks []models.Model, most map[string]int, flags ...string) {
	tried := 0
	for _, m := range networks {
		limit, ok := most[m.Name]
		if !ok {
			continue
		}
		tried++
		if !*slow && slices.Contains(searchedLong, m.Name) {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			if a := compiled(t, m.Source(), append([]string{"--max-memory", "least"}, flags...)...); a.Peak.Bytes > limit {
				t.Errorf("peak %d, at most %d", a.Peak.Bytes, limit)
			}
		})
	}
	if tried != len(most) {
		t.Errorf("%d of %d networks are there", tried, len(most))
	}
}

// ceilings are what a network may need at most.
type ceilings struct {
	peak, copies int
	apart        int // buffers that are in no arena
}

// check looks at the figures of a network.
func (most ceilings) check(t *testing.T, a figures) {
	t.Helper()
	if a.Peak.Bytes > most.peak || a.Copies > most.copies || a.Allocations > most.apart {
		t.Errorf("peak %d, copies %d, allocations %d; at most %v", a.Peak.Bytes, a.Copies, a.Allocations, most)
	}
	if a.Peak.Bytes > a.LowerBound.Bytes+a.LowerBound.Bytes/100 {
		t.Errorf("peak %d, lower bound %d", a.Peak.Bytes, a.LowerBound.Bytes)
	}
}

// TestNetworks compiles networks, executes them before and after, and looks at what memory they need. The ceilings may
// only fall.
func TestNetworks(t *testing.T) {
	most := map[string]ceilings{
		"resnet-nhwc":     {25520, 1, 3},
		"resnet-nchw":     {25520, 1, 3},
		"mobilenet":       {74496, 1, 4},
		"unet-slices":     {80064, 2, 9},
		"unet-concat":     {80064, 2, 9},
		"wavenet":         {41984, 5, 19},
		"attention":       {24576, 0, 2},
		"decoder":         {13056, 8, 8},
		"decoder-strided": {13056, 8, 8},
		"gru":             {6144, 1, 4},
		"lstm-while":      {5120, 0, 2},
		"training":        {11560, 0, 10},
		"experts":         {896, 1, 7},
		"quantized":       {2048, 0, 2},
		"bytewise":        {3344, 3, 11},
		"gpt2":            {17408, 8, 8},
		"flash":           {6336, 1, 6},
		"encoder":         {14336, 0, 2},
		"squeeze":         {16768, 1, 4},
		"power":           {132, 1, 3},
		"stacked":         {8960, 5, 7},
		"mamba":           {2560, 0, 3},
		"switched":        {704, 1, 2},
		"beams":           {408, 2, 3},
		"layers":          {18432, 0, 5},
		"bidirectional":   {13312, 2, 2},
		"generation":      {4992, 2, 2},
		"diffusion":       {14848, 3, 9},
		"pyramid":         {47616, 8, 6},
		"suppression":     {1176, 1, 5},
		"shuffled":        {10240, 4, 10},
		"growing":         {14592, 3, 3},
		"whole":           {3136, 0, 2},
		"upsampled":       {45312, 4, 13},
		"translation":     {8832, 0, 3},
		"spoken":          {13824, 0, 2},
		"windows":         {24576, 8, 6},
		"graph":           {4096, 3, 2},
		"routed":          {912, 2, 2},
		"listened":        {4192, 6, 8},
		"normalized":      {5280, 1, 8},
	}
	// Of networks that write to arguments, if they may: caches, states and weights.
	overwriting := map[string]ceilings{
		"decoder":         {8448, 6, 6},
		"decoder-strided": {8448, 6, 6},
		"gpt2":            {16640, 4, 6},
		"power":           {192, 0, 3},
		"stacked":         {8448, 5, 3},
		"switched":        {512, 1, 2},
		"generation":      {896, 0, 2},
		"diffusion":       {14848, 2, 9},
		"listened":        {4192, 4, 8},
		"normalized":      {5184, 1, 7},
		"beams":           {408, 2, 4},
	}
	for _, m := range models.All() {
		t.Run(m.Name, func(t *testing.T) {
			limit, ok := most[m.Name]
			if !ok {
				t.Fatal("the network has no ceilings")
			}
			limit.check(t, compiled(t, m.Source(), "--run"))
			if limit, ok := overwriting[m.Name]; ok {
				limit.check(t, compiled(t, m.Source(), "--run", "--arguments", "overwrite"))
			}
		})
	}
}
