// Package axe has the script by which tests look for what keeps people with disabilities from using a page: axe-core, which
// is fetched from the registry of npm when a test needs it, and is no part of freehold.
package axe

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// version is that of axe-core.
const version = "4.10.3"

// Check is a script that examines a page in which [Script] ran; its value, a promise, is what is wrong, a line for each rule, "" if nothing is. What is in frames
// isn't examined.
const Check = `axe.run(document, { iframes: false, runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }).then(r =>
	r.violations.map(v => v.id + ': ' + v.nodes.slice(0, 5).map(n => n.target + ' ' + n.any.concat(n.all, n.none).map(x => x.message).join('; ')).join(', ')).join('\n'))`

// Script returns the text of axe-core. It skips the test where there is no npm, and fails it where npm can't fetch the package.
func Script(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("there is no npm")
	}
	dir := t.TempDir()
	c := exec.Command("npm", "pack", "--silent", "axe-core@"+version)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("npm pack: %v\n%s", err, out)
	}
	text, err := unpack(filepath.Join(dir, "axe-core-"+version+".tgz"), "package/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// unpack returns a file of a compressed archive.
func unpack(archive, name string) (string, error) {
	f, err := os.Open(archive)
	if err != nil {
		return "", err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return "", err
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return "", fmt.Errorf("%s has no file %s", archive, name)
		}
		if err != nil {
			return "", err
		}
		if h.Name == name {
			text, err := io.ReadAll(r)
			return string(text), err
		}
	}
}
