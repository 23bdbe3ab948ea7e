package check_test

import (
	"hash/crc32"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"freehold/internal/testing/campaign"
	"freehold/ir"
	"freehold/proof/certificate"
	"freehold/proof/check"
	"freehold/proof/verify"
)

// certify returns the text of a program's certificate, which it verifies; why says why there is
// none, and is empty for programs that are not safe.
func certify(t testing.TB, m *ir.Op) (text, why string) {
	r, c, err := check.Certify(m, options(m))
	switch {
	case !r.Safe():
		return "", ""
	case err != nil:
		return "", err.Error()
	}
	text = c.String()
	read, err := certificate.Parse(text)
	if err == nil {
		err = verify.Program(m, read, 1)
	}
	if err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	return text, ""
}

// shares counts programs that have a certificate, and the reasons of others.
type shares struct {
	safe, certified int
	why             map[string]int
}

func (s *shares) add(text, why string) {
	if text == "" && why == "" {
		return
	}
	s.safe++
	if text != "" {
		s.certified++
		return
	}
	if s.why == nil {
		s.why = map[string]int{}
	}
	s.why[why[strings.Index(why, "not certified"):]]++
}

// atLeast fails if fewer of a hundred programs that are safe have a certificate.
func (s *shares) atLeast(t *testing.T, percent int) {
	t.Logf("%d of %d certified", s.certified, s.safe)
	for _, why := range slices.Sorted(maps.Keys(s.why)) {
		t.Logf("%6d %s", s.why[why], why)
	}
	if s.certified == 0 || 100*s.certified < percent*s.safe {
		t.Errorf("%d of %d programs that are safe have a certificate", s.certified, s.safe)
	}
}

// What the passes make has a certificate if it is proved.
func TestDeallocatedProgramsAreCertified(t *testing.T) {
	var s shares
	// About one in a thousand isn't certified.
	checksOf(t, 10**programs, func(rt *rapid.T) {
		src, _ := generated(rt, t)
		s.add(certify(t, load(src)))
	})
	s.atLeast(t, 98)
}

// Programs that free what they like have a certificate if they are proved. One in ten is, so that many are needed.
func TestFreesAreCertified(t *testing.T) {
	var s shares
	for seed := range seeds(24 * *programs) {
		r := rand.New(rand.NewPCG(seed, 7))
		s.add(certify(t, load([]byte(someFrees(r)))))
	}
	s.atLeast(t, 99)
}

// certifiedAfter are pipelines after which programs are certified.
var certifiedAfter = []string{
	"",
	"one-shot-bufferize{bufferize-function-boundaries},ownership-based-buffer-deallocation",
	"one-shot-bufferize{bufferize-function-boundaries},complete-buffer-deallocation-pipeline",
}

// The programs of a corpus that are safe after a pipeline have a certificate, which is verified
// faster than the proof was found.
func TestCertificatesOfCorpus(t *testing.T) {
	if *corpus == "" {
		t.Skip("needs -corpus")
	}
	var s shares
	var proved, found, verified time.Duration
	for _, dir := range filepath.SplitList(*corpus) {
		filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".mlir" {
				return nil
			}
			src, err := os.ReadFile(path)
			for _, p := range certifiedAfter {
				m := load(src)
				if m != nil && p != "" {
					m = transformed(t, m, p)
				}
				if err != nil || m == nil {
					continue
				}
				start := time.Now()
				check.Module(m, check.Options{Threads: 1})
				took := time.Since(start)
				start = time.Now()
				check.Certify(m, check.Options{Threads: 1})
				wrote := time.Since(start)
				text, why := certify(t, m)
				if s.add(text, why); why != "" {
					t.Logf("%s after %q: %s", path, p, why)
				}
				if text == "" {
					continue
				}
				start = time.Now()
				c, _ := certificate.Parse(text)
				verify.Program(m, c, 1)
				proved, found, verified = proved+took, found+wrote, verified+time.Since(start)
			}
			return nil
		})
	}
	t.Logf("proved in %v, certificates found in %v, verified in %v", proved, found, verified)
	if s.safe > 1000 && verified > found {
		t.Error("to verify certificates takes longer than to find them")
	}
	s.atLeast(t, 99)
}

// The programs of script tests, after pipelines, have a certificate if they are proved.
func TestProgramsOfScriptsAreCertified(t *testing.T) {
	sources, err := campaign.Programs("../../transform", "../../dialect/bufferization", "../../dialect/scf", "../../dialect/memref", "../../dialect/linalg")
	if err != nil {
		t.Fatal(err)
	}
	var s shares
	for _, src := range sources {
		p := certifiedAfter[crc32.ChecksumIEEE([]byte(src))%uint32(len(certifiedAfter))] // the same whatever programs there are
		m := load([]byte(src))
		if m != nil && p != "" {
			m = transformed(t, m, p)
		}
		if m != nil {
			s.add(certify(t, m))
		}
	}
	s.atLeast(t, 99)
}
