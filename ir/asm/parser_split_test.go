package asm_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"freehold/ir"
	"freehold/ir/asm"
)

// bigSources are programs that are long enough for several threads, in all the
// ways in which parts of them depend on each other.
func bigSources() map[string]string {
	var flat, body, mixed strings.Builder
	for i := range 2500 {
		fmt.Fprintf(&flat, "builtin.module attributes {n = %d} {\n  %%a = t.named : i32\n  \"u\"(%%a) ({\n    %%b = t.named : i32\n    \"v\"(%%b, %%a) : (i32, i32) -> ()\n  }) : (i32) -> ()\n}\n", i)
	}
	body.WriteString("#loc = loc(\"early\":1:1)\nbuiltin.module {\n  %first:2 = \"pair\"() : () -> (i32, i32)\n")
	for i := range 2500 {
		fmt.Fprintf(&body, "  %%%d = t.named : i32 loc(#loc)\n  \"u\"(%%%d, %%first#1, %%%d) ({\n  ^bb0(%%in: i32 loc(#late)):\n    %%n = t.named : i32\n    \"v\"(%%in, %%n, %%%d) : (i32, i32, i32) -> ()\n  }) : (i32, i32, i32) -> () loc(#late)\n", i, i, i/2, max(i-1, 0))
	}
	body.WriteString("}\n#late = loc(\"late\":1:1)\n")
	for i := range 60 {
		fmt.Fprintf(&mixed, "#m%d = affine_map<(d0) -> (d0 + %d)>\n", i, i)
		fmt.Fprintf(&mixed, "\"graph\"() ({\n")
		for j := range 60 {
			fmt.Fprintf(&mixed, "  // A comment, \"\n  %%v%d = t.named :\n    i32\n  \"u\"(%%v%d, %%late) {m = #m%d, d = distinct[%d]<>} : (i32, i64) -> ()\n", j, j, i, i*j%97)
		}
		fmt.Fprintf(&mixed, "  %%late = t.named : i64\n  \"br\"()[^a] : () -> ()\n^a:\n  \"r\"() : () -> ()\n}) : () -> ()\n")
	}
	return map[string]string{"flat": flat.String(), "body": body.String(), "mixed": mixed.String()}
}

// parsed returns all that can be seen of a parsed source: the program with the
// order of uses, or the errors.
func parsed(src string, o asm.ParseOptions) []byte {
	ctx := ir.NewContext(formatDialects...)
	ctx.AllowUnregistered = true
	d, err := asm.ParseDocument(ctx, []byte(src), "f", o)
	if err != nil {
		var b strings.Builder
		var ds ir.Diagnostics
		errors.As(err, &ds)
		for _, e := range ds {
			fmt.Fprintln(&b, e)
			for _, n := range e.Notes {
				fmt.Fprintln(&b, "note:", n)
			}
		}
		return []byte(b.String())
	}
	return asm.PrintDocument(d, asm.PrintOptions{Generic: true, DebugInfo: true, ValueUsers: true, AssumeVerified: true})
}

func TestParseInParallel(t *testing.T) {
	for name, src := range bigSources() {
		want := parsed(src, asm.ParseOptions{Threads: 1})
		if bytes.HasPrefix(want, []byte("f:")) {
			t.Fatalf("%s: %s", name, want)
		}
		if got := parsed(src, asm.ParseOptions{Threads: 4}); !bytes.Equal(got, want) {
			t.Errorf("%s: %s", name, firstDifference(got, want))
		}
	}
}

// Whatever is wrong with a source, several threads find the same errors as one, or
// the same other program.
func TestParseErrorsInParallel(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	snippets := []string{"%first", "%0 = t.named : i32\n", "\n", "}", "{", "\"", "//", "^bb0:\n", "#loc", "!", "%n", "i64", "loc(#late)", "%late = t.named : i32\n", "#1", "\n  \"z\"(%9) : (i64) -> ()\n", "\n  \"z\"(%b) : (i32) -> ()\n"}
	failed := 0
	for name, src := range bigSources() {
		for range 15 {
			at := r.Intn(len(src))
			if r.Intn(2) == 0 {
				at = strings.LastIndexByte(src[:at], '\n') + 1
			}
			bad := src[:at] + snippets[r.Intn(len(snippets))] + src[min(len(src), at+r.Intn(3)):]
			for _, all := range []bool{false, true} {
				want := parsed(bad, asm.ParseOptions{Threads: 1, Recover: all})
				if bytes.HasPrefix(want, []byte("f:")) {
					failed++
				}
				if got := parsed(bad, asm.ParseOptions{Threads: 4, Recover: all}); !bytes.Equal(got, want) {
					t.Errorf("%s at %d: %s", name, at, firstDifference(got, want))
				}
			}
		}
	}
	if failed == 0 {
		t.Error("no source was wrong")
	}
}

func BenchmarkParseThreads(b *testing.B) {
	for name, src := range bigSources() {
		for _, threads := range []int{1, 0} {
			b.Run(fmt.Sprintf("%s/threads=%d", name, threads), func(b *testing.B) {
				b.SetBytes(int64(len(src)))
				for b.Loop() {
					ctx := ir.NewContext(formatDialects...)
					ctx.AllowUnregistered = true
					if _, err := asm.Parse(ctx, []byte(src), "f", asm.ParseOptions{Threads: threads}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
