package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// shells have completions; the value is where Debian keeps them.
var shells = map[string]string{
	"bash": "/usr/share/bash-completion/completions/freehold",
	"zsh":  "/usr/share/zsh/vendor-completions/_freehold",
	"fish": "/usr/share/fish/vendor_completions.d/freehold.fish",
}

// accompany makes what goes with every binary: manual pages, completions, and texts.
func (r *release) accompany() error {
	man := filepath.Join(r.extra, "man")
	host := target{runtime.GOOS, runtime.GOARCH}
	if err := r.goCommand(host, "run", "-pgo=off", "./cmd/gendocs", man).Run(); err != nil {
		return fmt.Errorf("manual pages: %w", err)
	}
	tool := filepath.Join(r.extra, "tool")
	if err := r.goCommand(host, "build", "-pgo=off", "-o", tool, "./cmd/freehold").Run(); err != nil {
		return fmt.Errorf("a freehold for this machine: %w", err)
	}
	defer os.Remove(tool)
	completions := filepath.Join(r.extra, "completions")
	if err := os.MkdirAll(completions, 0o755); err != nil {
		return err
	}
	for shell := range shells {
		text, err := exec.Command(tool, "completion", shell).Output()
		if err != nil {
			return fmt.Errorf("completion of %s: %w", shell, err)
		}
		if err := os.WriteFile(filepath.Join(completions, shell), text, 0o644); err != nil {
			return err
		}
	}
	return r.texts()
}

// texts copies texts of the source, and what compares changes in CI, which is no hidden folder there.
func (r *release) texts() error {
	for _, name := range []string{"README.md", "LICENSE", "CHANGELOG.md", ".ci/memory-table", ".ci/gitlab-comment"} {
		text, err := os.ReadFile(filepath.Join(r.source, name))
		if err != nil {
			return err
		}
		to := filepath.Join(r.extra, strings.TrimPrefix(name, "."))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// file is a file of an archive or a package.
type file struct {
	name       string // in the archive, with slashes
	path       string
	executable bool
}

// files returns the binary and what goes with it, sorted by name.
func (r *release) files(t target, binary string) ([]file, error) {
	files := []file{{name: t.binary(), path: binary, executable: true}}
	err := filepath.WalkDir(r.extra, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(r.extra, path)
		files = append(files, file{name: filepath.ToSlash(name), path: path})
		return err
	})
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return files, err
}

// name is the name of a file of the release.
func (r *release) name(t target, extension string) string {
	return fmt.Sprintf("freehold_%s_%s%s", r.version, t, extension)
}
