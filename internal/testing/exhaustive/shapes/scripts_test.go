package shapes_test

import (
	"flag"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"freehold/internal/testing/campaign"
	"freehold/ir/asm"
)

var (
	all  = flag.Bool("all", false, "try many more programs")
	from = flag.String("from", "", "a folder of programs to vary, instead of the scripts of the tree")
	one  = flag.String("pass", "", "the pass to try, instead of all")
	seed = flag.Uint64("seed", 1, "the seed of random programs")
)

// functions returns the functions of programs, each as a program of its own where that is possible.
func functions(t *testing.T, w *watch) []string {
	paths := []string{"../../../../dialect", "../../../../transform", "../../../../exec/interp", "../../../../exec/difftest"}
	if *from != "" {
		paths = []string{*from}
	}
	sources, err := campaign.Programs(paths...)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, src := range sources {
		m, err := w.parse(src)
		if err != nil || m.BodyBlock(0) == nil {
			continue
		}
		parts := 0
		for op := range m.BodyBlock(0).Ops() {
			part := string(asm.Print(op, asm.PrintOptions{})) + "\n"
			if !strings.Contains(part, "@") || len(part) > 4000 {
				continue
			}
			if _, err := w.parse(part); err == nil {
				out = append(out, part)
				parts++
			}
		}
		if parts == 0 && len(src) < 4000 {
			out = append(out, src)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// number matches a number of a program that may be a size, an offset, a position and the like, or a truth value.
var number = regexp.MustCompile(`(?:[^\w.%@#"$]|^|x)(-?\d+)(?:[^\w.]|x|$)|\b(true|false)\b`)

// vary changes numbers of a program: one that occurs at several places at all of them, or at one of them, or it makes a size unknown.
func vary(src string, rnd *rand.Rand) string {
	for range 1 + rnd.IntN(3) {
		hits := hitsOf(src)
		if len(hits) == 0 {
			return src
		}
		h := hits[rnd.IntN(len(hits))]
		old := src[h[0]:h[1]]
		text := strconv.Itoa([]int{0, 1, 2, 3, 4, 5, 6, 8, -1, -2, -1 + rnd.IntN(4)}[rnd.IntN(11)])
		if old == "true" || old == "false" {
			text = []string{"true", "false"}[rnd.IntN(2)]
		} else if rnd.IntN(6) == 0 && h[1] < len(src) && src[h[1]] == 'x' {
			text = "?"
		} else if rnd.IntN(3) == 0 { // two numbers change places
			o := hits[rnd.IntN(len(hits))]
			text = src[o[0]:o[1]]
			if o[0] < h[0] {
				h, o = o, h
			}
			if h[1] <= o[0] {
				src = src[:h[0]] + src[o[0]:o[1]] + src[h[1]:o[0]] + src[h[0]:h[1]] + src[o[1]:]
			}
			continue
		}
		if rnd.IntN(2) == 0 {
			src = src[:h[0]] + text + src[h[1]:]
			continue
		}
		for _, g := range slices.Backward(hits) {
			if src[g[0]:g[1]] == old && (text != "?" || src[g[1]] == 'x') {
				src = src[:g[0]] + text + src[g[1]:]
			}
		}
	}
	return src
}

func hitsOf(src string) (out [][2]int) {
	for at := 0; at < len(src); {
		m := number.FindStringSubmatchIndex(src[at:])
		if m == nil {
			break
		}
		k := 2
		if m[2] < 0 {
			k = 4
		}
		out = append(out, [2]int{at + m[k], at + m[k+1]})
		at += m[k+1]
	}
	return out
}

// elsewhere matches programs that aren't tried: folds of scalars are tried elsewhere, bufferization.clone is a copy in an execution and leaves
// open what becomes of either buffer when the other is written, and memory is freed by the names of buffers that are the base of others,
// which checked memory takes for parts.
var elsewhere = regexp.MustCompile(`complex|overflow<|contract|reassoc|arcp|afn|fastmath<fast|bufferization.clone|dealloc|"test\.`)

// The functions in the scripts of the tree, and what becomes of them when sizes, offsets, positions and masks are others, compute the
// same whatever pass they go through.
func TestScripts(t *testing.T) {
	w := newWatch()
	sources := functions(t, w)
	names := append([]string{"canonicalize"}, passes...)
	if *one != "" {
		names = strings.Split(*one, ",")
	}
	rounds := 1
	if *all {
		rounds = 40
	}
	valid, executed, changed, failed := 0, 0, 0, map[string]bool{}
	for k, src := range sources {
		if elsewhere.MatchString(src) || !*all && k%8 != 0 {
			continue
		}
		for round := range rounds {
			p := src
			if round > 0 {
				p = vary(src, rand.New(rand.NewPCG(*seed, uint64(k*1000+round))))
			}
			out, failures := w.check(p, nil, names...)
			if out.valid {
				valid++
			}
			if out.executed {
				executed++
			}
			changed += out.changed
			if len(failures) > 0 && !failed[src] {
				failed[src] = true
				report(t, failures[:1])
			}
		}
	}
	t.Logf("%d functions; %d programs, %d are executed, after %d changes", len(sources), valid, executed, changed)
	t.Logf("%d operations are reached, %d fold, and %d patterns apply", len(w.reached), len(w.folds), len(w.patterns))
}

// Compositions of views, slices, reshapes and vectors compute the same whatever pass they go through, for all kinds of sizes.
func TestCompositions(t *testing.T) {
	w := newWatch()
	names := append([]string{"canonicalize"}, passes...)
	if *one != "" {
		names = strings.Split(*one, ",")
	}
	programs := 300
	if *all {
		programs = 10_000
	}
	for _, kind := range []string{"vector", "tensor", "memref"} {
		valid, executed, changed, failed := 0, 0, 0, 0
		for k := range programs {
			rnd := rand.New(rand.NewPCG(*seed, uint64(k)))
			src, in := program(rnd, kind, 2+k%4)
			if *dump {
				_, err := w.parse(src)
				t.Logf("%v\n%s", err, src)
			}
			out, failures := w.check(src, in, names...)
			if out.valid {
				valid++
			}
			if out.executed {
				executed++
			}
			changed += out.changed
			if len(failures) > 0 && failed < 12 {
				failed++
				report(t, failures[:1])
			}
		}
		t.Logf("%s: %d programs of %d are valid, %d are executed, after %d changes", kind, valid, programs, executed, changed)
		if executed*8 < programs {
			t.Errorf("%s: too few programs are executed", kind)
		}
	}
}

var dump = flag.Bool("dump", false, "print the programs of compositions")
