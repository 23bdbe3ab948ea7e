package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// made makes all files but the bill of materials for a binary that is none.
func made(t *testing.T, dir string) *release {
	t.Helper()
	work := t.TempDir()
	r := &release{dir: dir, version: "1.2.3", time: time.Unix(1_700_000_000, 0).UTC(), extra: filepath.Join(work, "extra")}
	for name, text := range map[string]string{
		"extra/LICENSE": "free", "extra/CHANGELOG.md": "new", "extra/man/freehold.1": ".TH", "extra/completions/bash": "complete",
		"extra/completions/zsh": "complete", "extra/completions/fish": "complete", "bin/freehold": "binary", "bin/freehold.exe": "binary",
	} {
		path := filepath.Join(work, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	linux, windows := target{"linux", "amd64"}, target{"windows", "arm64"}
	binary := filepath.Join(work, "bin", "freehold")
	err := errors.Join(r.archive(linux, binary), r.packageDebian(linux, binary), r.image(linux, binary), r.archive(windows, binary+".exe"), r.sum())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestReproducible(t *testing.T) {
	one, two := made(t, t.TempDir()), made(t, t.TempDir())
	entries, err := os.ReadDir(one.dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
		a, errA := os.ReadFile(filepath.Join(one.dir, e.Name()))
		b, errB := os.ReadFile(filepath.Join(two.dir, e.Name()))
		if err := errors.Join(errA, errB); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a, b) {
			t.Errorf("%s differs", e.Name())
		}
	}
	want := []string{"SHA256SUMS", "freehold_1.2.3_linux_amd64.deb", "freehold_1.2.3_linux_amd64.image.tar", "freehold_1.2.3_linux_amd64.tar.gz", "freehold_1.2.3_windows_arm64.zip"}
	if !slices.Equal(names, want) {
		t.Errorf("%q, not %q", names, want)
	}
}

func TestArchives(t *testing.T) {
	r := made(t, t.TempDir())
	f, err := os.Open(filepath.Join(r.dir, "freehold_1.2.3_linux_amd64.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for a := tar.NewReader(z); ; {
		h, err := a.Next()
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		files = append(files, h.FileInfo().Mode().String()+" "+h.Name)
	}
	for _, want := range []string{"-rwxr-xr-x freehold_1.2.3_linux_amd64/freehold", "-rw-r--r-- freehold_1.2.3_linux_amd64/man/freehold.1"} {
		if !slices.Contains(files, want) {
			t.Errorf("%q is not in %q", want, files)
		}
	}
	w, err := zip.OpenReader(filepath.Join(r.dir, "freehold_1.2.3_windows_arm64.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if !slices.ContainsFunc(w.File, func(f *zip.File) bool { return f.Name == "freehold_1.2.3_windows_arm64/freehold.exe" }) {
		t.Error("no freehold.exe")
	}
}

// What the template for GitLab takes from an archive is there.
func TestTexts(t *testing.T) {
	r := &release{source: "..", extra: t.TempDir()}
	if err := r.texts(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"LICENSE", "ci/memory-table", "ci/gitlab-comment"} {
		if text, err := os.ReadFile(filepath.Join(r.extra, name)); err != nil || len(text) == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDebian(t *testing.T) {
	if _, err := exec.LookPath("dpkg-deb"); err != nil {
		t.Skip(err)
	}
	r := made(t, t.TempDir())
	out, err := exec.Command("dpkg-deb", "--contents", filepath.Join(r.dir, "freehold_1.2.3_linux_amd64.deb")).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"./usr/bin/freehold", "./usr/share/man/man1/freehold.1.gz", "./usr/share/bash-completion/completions/freehold", "./usr/share/doc/freehold/copyright"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%s is not in\n%s", want, out)
		}
	}
}

// Flags in Go's file of the environment don't change what is built.
func TestFlagsOfEnvironment(t *testing.T) {
	file := filepath.Join(t.TempDir(), "env")
	if err := os.WriteFile(file, []byte("GOFLAGS=-buildvcs=false -tags=other\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOENV", file)
	t.Setenv("GOFLAGS", "")
	if out, err := exec.Command("go", "env", "GOFLAGS").Output(); err != nil || !strings.Contains(string(out), "-buildvcs=false") {
		t.Fatalf("the file doesn't count: %s, %v", out, err)
	}
	r := &release{source: ".."}
	out, err := r.goCommand(target{"linux", "amd64"}, "env", "GOFLAGS").Output()
	if got := strings.TrimSpace(string(out)); err != nil || got != goFlags {
		t.Errorf("the flags are %q, %v", got, err)
	}
}
