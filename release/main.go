// Release builds what a release of freehold consists of: static binaries, archives of them
// with completions and manual pages, Debian packages, images from scratch, a software bill
// of materials, and checksums.
//
//	go run . [flags] FOLDER
//
// FOLDER is made anew. All times in it are that of the commit, or SOURCE_DATE_EPOCH, so that the same commit gives
// the same bytes. It is a module of its own so that freehold doesn't depend on what only
// releases need.
package main

import (
	"cmp"
	"debug/buildinfo"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func main() {
	r := release{}
	flag.StringVar(&r.source, "source", "..", "the checkout of freehold")
	flag.StringVar(&r.version, "version", "", "the version, such as 1.2.3; by default that of the tag, or 0.0.0 with the commit")
	flag.StringVar(&r.pgo, "pgo", "auto", "go build's flag; off builds faster, and slower binaries")
	targets := flag.String("targets", "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64", "what to build for")
	flag.Parse()
	r.dir = flag.Arg(0)
	err := errors.New("a FOLDER is needed, and nothing else")
	if flag.NArg() == 1 {
		err = r.make(strings.Split(*targets, ","))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release is a release in the making.
type release struct {
	source, dir  string // absolute once make has begun
	version, pgo string
	time         time.Time
	extra        string // a folder of what accompanies binaries
}

// target is what a binary is built for.
type target struct{ os, arch string }

func (t target) String() string { return t.os + "_" + t.arch }

// binary is the name of freehold there.
func (t target) binary() string {
	if t.os == "windows" {
		return "freehold.exe"
	}
	return "freehold"
}

func (r *release) make(targets []string) error {
	if err := r.begin(); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	r.extra = filepath.Join(work, "extra")
	if err := r.accompany(); err != nil {
		return err
	}
	for i, name := range targets {
		system, arch, ok := strings.Cut(name, "/")
		if !ok {
			return fmt.Errorf("%q is no target such as linux/amd64", name)
		}
		t := target{system, arch}
		binary := filepath.Join(work, t.String(), t.binary())
		if err := r.build(t, binary); err != nil {
			return err
		}
		if i == 0 {
			if err := r.listMaterials(binary); err != nil {
				return err
			}
		}
		if err := r.archive(t, binary); err != nil {
			return err
		}
		if t.os != "linux" {
			continue
		}
		if err := r.packageDebian(t, binary); err != nil {
			return err
		}
		if err := r.image(t, binary); err != nil {
			return err
		}
	}
	return r.sum()
}

// begin finds out what is built, and makes the folder anew.
func (r *release) begin() error {
	for _, path := range []*string{&r.source, &r.dir} {
		abs, err := filepath.Abs(*path)
		if err != nil {
			return err
		}
		*path = abs
	}
	seconds := os.Getenv("SOURCE_DATE_EPOCH")
	if seconds == "" {
		var err error
		if seconds, err = r.git("log", "-1", "--format=%ct"); err != nil {
			return err
		}
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return fmt.Errorf("the time of the release: %w", err)
	}
	r.time = time.Unix(n, 0).UTC()
	if r.version == "" {
		tag, _ := r.git("describe", "--tags", "--exact-match", "--match", "v[0-9]*")
		if tag == "" {
			commit, err := r.git("rev-parse", "--short=12", "HEAD")
			if err != nil {
				return err
			}
			tag = "0.0.0-" + r.time.Format("20060102") + "-" + commit
		}
		r.version = strings.TrimPrefix(tag, "v")
	}
	if err := os.RemoveAll(r.dir); err != nil {
		return err
	}
	return os.MkdirAll(r.dir, 0o755)
}

func (r *release) git(args ...string) (string, error) {
	c := exec.Command("git", args...)
	c.Dir = r.source
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return strings.TrimSpace(string(out)), nil
}

// goFlags are the flags of all go commands: the only ones, whatever is in the environment or in Go's own file of it (go env -w),
// which counts where the variable is empty. Without -buildvcs a binary wouldn't know its version.
const goFlags = "-buildvcs=auto"

// goCommand is a go command in the source, for a target.
func (r *release) goCommand(t target, args ...string) *exec.Cmd {
	c := exec.Command("go", args...)
	c.Dir = r.source
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS="+goFlags, "GOOS="+t.os, "GOARCH="+t.arch,
		"SOURCE_DATE_EPOCH="+strconv.FormatInt(r.time.Unix(), 10))
	c.Stderr = os.Stderr
	return c
}

// build builds a static binary.
func (r *release) build(t target, path string) error {
	c := r.goCommand(t, "build", "-trimpath", "-ldflags=-s -w -buildid=", "-pgo="+cmp.Or(r.pgo, "auto"), "-o", path, "./cmd/freehold")
	if err := c.Run(); err != nil {
		return fmt.Errorf("building for %s: %w", t, err)
	}
	return r.stamped(t, path)
}

// stamped checks that a binary of a commit knows it.
func (r *release) stamped(t target, path string) error {
	commit, err := r.git("rev-parse", "HEAD")
	if err != nil {
		return nil // what is built is no checkout
	}
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return err
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && s.Value == commit {
			return nil
		}
	}
	return fmt.Errorf("the binary for %s doesn't know that it is of commit %s: it would call itself a development version", t, commit)
}
