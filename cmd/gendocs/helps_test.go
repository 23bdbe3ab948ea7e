package main

import (
	"bytes"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"freehold/driver"
)

// upstreamHelps holds hashes of the sentences with which mlir-opt describes its passes and options,
// one a line. The sentences aren't in the tree, since they aren't ours.
const upstreamHelps = "testdata/upstream-helps.txt"

// mlirOpt makes the file anew: go test ./cmd/gendocs -run OwnHelps -mlir-opt mlir-opt-19
// hashes all that --help of that program says.
var mlirOpt = flag.String("mlir-opt", "", "an mlir-opt whose helps are hashed into "+upstreamHelps)

// TestOwnHelps keeps what the passes and the flags say of themselves our own: in no help, and in no
// sentence of a description, are the words those of a sentence of mlir-opt's help. Statistics are left out:
// --mlir-pass-statistics prints them, as mlir-opt does.
func TestOwnHelps(t *testing.T) {
	if *mlirOpt != "" {
		help, err := exec.Command(*mlirOpt, "--help").Output()
		if err != nil {
			t.Fatal(err)
		}
		var hashes []string
		for _, h := range helps(help) {
			if bag := words(h.text); len(bag) >= fewest {
				hashes = append(hashes, hash(bag))
			}
		}
		slices.Sort(hashes)
		if err := os.WriteFile(upstreamHelps, []byte(strings.Join(slices.Compact(hashes), "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	upstream := strings.Fields(string(mustRead(t, upstreamHelps)))
	if len(upstream) < 500 {
		t.Fatalf("%s has %d hashes", upstreamHelps, len(upstream))
	}

	var text bytes.Buffer
	tool := driver.Freehold()
	if status := driver.Main(tool, []string{"--help"}, driver.Streams{Out: &text, Err: &text}); status != 0 {
		t.Fatalf("--help: status %d", status)
	}
	ours := helps(text.Bytes())
	for _, p := range tool.Registry().Passes() {
		for _, s := range strings.SplitAfter(p.Description, ". ") {
			ours = append(ours, help{p.Name, s})
		}
	}
	if len(ours) < 500 {
		t.Fatalf("only %d helps were found", len(ours))
	}
	for _, h := range ours {
		if bag := words(h.text); len(bag) >= fewest && slices.Contains(upstream, hash(bag)) {
			t.Errorf("%s: %q is how mlir-opt says it: write what happens, and when one wants it", h.of, h.text)
		}
	}
}

// TestWords shows what counts as the same sentence.
func TestWords(t *testing.T) {
	a, b := words("Whether to remove the unused operation of a function."), words("remove unused operations of functions")
	if hash(a) != hash(b) || len(a) != 4 {
		t.Errorf("%q isn't %q", a, b)
	}
	if hash(a) == hash(words("Remove unused functions")) {
		t.Error("sentences of different words are the same")
	}
}

// help is what a flag, option or pass says of itself.
type help struct{ of, text string }

var (
	helpRow  = regexp.MustCompile(`^ *(\S.*?)? +- +(\S.*)$`)
	helpMore = regexp.MustCompile(`^ {40,}(\S.*)$`)
	word     = regexp.MustCompile(`[a-z0-9_.]*[a-z0-9]`)
)

// helps reads what --help prints, joining what was broken into lines.
func helps(text []byte) []help {
	var out []help
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		if m := helpRow.FindStringSubmatch(line); m != nil {
			out = append(out, help{m[1], m[2]})
		} else if m := helpMore.FindStringSubmatch(line); m != nil && len(out) > 0 {
			out[len(out)-1].text += " " + m[1]
		}
	}
	return out
}

// fewest is how many words a sentence must have to be anybody's own.
const fewest = 3

// words returns the words that make a sentence what it is, in order of the alphabet: without those
// that any sentence has, and without the s of plurals and verbs.
func words(sentence string) []string {
	var out []string
	for _, w := range word.FindAllString(strings.ToLower(sentence), -1) {
		switch w {
		case "a", "an", "the", "of", "to", "in", "for", "if", "whether":
		default:
			out = append(out, strings.TrimSuffix(w, "s"))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func hash(words []string) string {
	h := fnv.New64a()
	h.Write([]byte(strings.Join(words, " ")))
	return fmt.Sprintf("%016x", h.Sum64())
}
