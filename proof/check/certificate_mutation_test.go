package check_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"freehold/ir"
	"freehold/proof/certificate"
	"freehold/proof/check"
	"freehold/proof/verify"
)

var numberText = regexp.MustCompile(`\d+`)

// changed returns a certificate with some lines changed at random: dropped, doubled, exchanged,
// or with other numbers, words, or negations.
func changed(text string, r *rand.Rand) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) < 4 {
		return text
	}
	for range 1 + r.IntN(3) {
		i, j := 2+r.IntN(len(lines)-2), 2+r.IntN(len(lines)-2)
		switch r.IntN(7) {
		case 0:
			if len(lines) > 4 {
				lines = slices.Delete(lines, i, i+1)
			}
		case 1:
			lines = slices.Insert(lines, i, lines[j])
		case 2:
			lines[i], lines[j] = lines[j], lines[i]
		case 3:
			n := r.IntN(3) - 1
			lines[i] = numberText.ReplaceAllStringFunc(lines[i], func(s string) string {
				if r.IntN(2) == 0 {
					return fmt.Sprint(max(0, len(s)+n))
				}
				return s
			})
		case 4:
			from, to := strings.Fields(lines[j]), strings.Fields(lines[i])
			to[r.IntN(len(to))] = from[r.IntN(len(from))]
			lines[i] = strings.Join(to, " ")
		case 5:
			if k := strings.LastIndex(lines[i], " "); k > 0 && strings.Contains(lines[i], " is ") {
				lines[i] = lines[i][:k+1] + "!" + lines[i][k+1:]
			}
		case 6:
			own := []string{"owns 0", "followed", "part 0", "same 0 1", "holds false", "gives 0 if 1", "always 0 true", "loop 5", "lives new2 is true", "lives arg0 free",
				"carries 0 to own:0 entry:0", "carries 0 free", "carries 1 is false", "unroll 5", "follow 4", "gathers 0.0^1", "gathers 0.0^2", fmt.Sprint("gathers ", r.IntN(12)), fmt.Sprintf("gathers %d apart", r.IntN(12)),
				fmt.Sprintf("gathers %d apart %d:0", r.IntN(12), r.IntN(12)), fmt.Sprintf("gathers %d %d:0", r.IntN(12), r.IntN(12))}
			lines = slices.Insert(lines, i, own[r.IntN(len(own))])
		}
	}
	return strings.Join(lines, "\n")
}

// accepted tells whether a certificate is one for the program, given all lemmas that there are.
func accepted(m *ir.Op, text string) bool {
	c, err := certificate.Parse(text)
	if err != nil {
		return false
	}
	c.Program = verify.Digest(m)
	return verify.Complete(m, c, 1, check.Lemmas) == nil
}

// neverCertified tries certificates for a program that is wrong: that of a right one, and others
// that are like it.
func neverCertified(t testing.TB, m *ir.Op, text string, r *rand.Rand, why fmt.Stringer) (tried int) {
	for i := range 12 {
		if i > 0 {
			text = changed(text, r)
		}
		if accepted(m, text) {
			t.Fatalf("a wrong program has a certificate: %v\n%s\n%s", why, text, textOf(m))
		}
	}
	return 12
}

func textOf(m *ir.Op) string { return text(m) }

type stringer string

func (s stringer) String() string { return string(s) }

// A program in which a free was changed isn't certified if an execution shows that it is wrong:
// not by the certificate of what it was, and not by one that is like it.
func TestChangedProgramsAreNotCertified(t *testing.T) {
	wrong := 0
	checks(t, func(rt *rapid.T) {
		src, _ := generated(rt, t)
		proof, _ := certify(t, load(src))
		m := load(src)
		frees := freesIn(m)
		if proof == "" || len(frees) == 0 {
			return
		}
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		var quiet bool
		var planted *ir.Op
		what := mutate(frees[r.IntN(len(frees))], bug(r.IntN(int(bugs))), r, &quiet, &planted)
		if what == "" || ir.Verify(m) != nil {
			return
		}
		if _, err := certificate.Parse(proof); err != nil {
			rt.Fatal(err)
		}
		if c, _ := certificate.Parse(proof); verify.Program(m, c, 1) == nil && text(m) != string(src) {
			rt.Fatalf("the certificate of another program is accepted")
		}
		for _, fn := range functions(m) {
			for seed := range uint64(4) {
				if refuted(m, fn, seed) != nil {
					wrong++
					neverCertified(t, m, proof, r, stringer(what))
					return
				}
			}
		}
	})
	if t.Logf("%d wrong programs", wrong); wrong == 0 {
		t.Error("no program was broken")
	}
}

// Programs that free what they like, and go wrong somewhere, have no certificate: not that of a
// program with one free more or less, and not one that follows all calls.
func TestWrongFreesAreNotCertified(t *testing.T) {
	wrong, siblings := 0, 0
	for seed := range seeds(4 * *programs) {
		r := rand.New(rand.NewPCG(seed, 7))
		src := someFrees(r)
		m := load([]byte(src))
		if found, _ := wrongSomewhere(t, m); found != nil {
			wrong++
			proof := "freehold certificate 1\nprogram x\n"
			for op := range m.RegionAt(0).Entry().Ops() {
				if name, ok := ir.SymbolName(op); ok && op.NumRegions() == 1 && !op.RegionAt(0).Empty() {
					proof += "function @" + name + "\n"
					if ir.IsPrivate(op) {
						proof += "followed\n"
					}
					if op.RegionAt(0).NumBlocks() > 1 {
						proof += "blocks 0.0 0 1 2\n"
					}
					for i := range 20 * int(seed%2) {
						proof += fmt.Sprintf("gathers %d", i)
						if seed%4 == 3 { // with what was made before, if there is such a value
							proof += fmt.Sprintf(" %d:0", r.IntN(i+1))
						}
						proof += "\n"
					}
				}
			}
			neverCertified(t, m, proof, r, found.Kind)
			continue
		}
		proof, _ := certify(t, m)
		frees := freesIn(m)
		if proof == "" || len(frees) == 0 {
			continue
		}
		var quiet bool
		var planted *ir.Op
		what := mutate(frees[r.IntN(len(frees))], bug(r.IntN(int(bugs))), r, &quiet, &planted)
		if what == "" || ir.Verify(m) != nil {
			continue
		}
		if found, _ := wrongSomewhere(t, m); found != nil {
			siblings++
			neverCertified(t, m, proof, r, stringer(what))
		}
	}
	if t.Logf("%d wrong programs, and %d that are like right ones", wrong, siblings); wrong == 0 || siblings == 0 {
		t.Error("no program is wrong")
	}
}

// Lines of a certificate are there because they are needed: without one, or with another number,
// few certificates are still proofs.
func TestCertificatesSayNoMoreThanNeeded(t *testing.T) {
	dropped, refused := 0, 0
	checks(t, func(rt *rapid.T) {
		src, _ := generated(rt, t)
		proof, _ := certify(t, load(src))
		lines := strings.Split(proof, "\n")
		if len(lines) < 5 {
			return
		}
		i := 2 + rapid.IntRange(0, len(lines)-4).Draw(rt, "line")
		c, err := certificate.Parse(strings.Join(slices.Delete(lines, i, i+1), "\n"))
		dropped++
		if err != nil || verify.Program(load(src), c, 1) != nil {
			refused++
		}
	})
	if t.Logf("%d of %d refused without a line", refused, dropped); 10*refused < 6*dropped {
		t.Errorf("only %d of %d refused without a line", refused, dropped)
	}
}
