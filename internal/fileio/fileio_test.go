package fileio

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file keeps its permissions, and is written where a link leads.
func TestWriteThroughLink(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.WriteFile(file, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("file", link); err != nil {
		t.Skip(err)
	}
	if err := Write(link, []byte("new"), nil); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	info, err2 := os.Lstat(link)
	if err != nil || string(text) != "new" || err2 != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("%q %v %v", text, err, info)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}

// What fails on the way leaves the old contents, and nothing else.
func TestWriteFails(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	err := Stream(file, func(w io.Writer) error {
		io.WriteString(w, strings.Repeat("new", 1<<17))
		return errors.New("no more")
	}, nil)
	if err == nil || err.Error() != "no more" {
		t.Error(err)
	}
	files, _ := os.ReadDir(dir)
	if text, err := os.ReadFile(file); err != nil || string(text) != "old" || len(files) != 1 {
		t.Errorf("%q %v, %v in the folder", text, err, files)
	}
}

func TestStandardStreams(t *testing.T) {
	var out bytes.Buffer
	if err := Write("-", []byte("text"), &out); err != nil || out.String() != "text" {
		t.Errorf("%q %v", out.String(), err)
	}
	size := -1
	src, name, err := Read("-", strings.NewReader("input"), func(n int) { size = n })
	if string(src) != "input" || name != "<stdin>" || err != nil || size != len("input") {
		t.Errorf("%q of %d, %s, %v", src, size, name, err)
	}
}

// The size is told before the contents are read.
func TestReadExpects(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("input"), 0o666); err != nil {
		t.Fatal(err)
	}
	size := -1
	src, name, err := Read(file, nil, func(n int) { size = n })
	if string(src) != "input" || name != file || err != nil || size != len("input") {
		t.Errorf("%q of %d, %s, %v", src, size, name, err)
	}
}

// Messages name the file and say what the operating system does.
func TestMessages(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "no", "file")
	if err := Check(dir); err == nil || err.Error() != "cannot open output file '"+dir+"': Is a directory" {
		t.Error(err)
	}
	if err := Check(missing); err == nil || err.Error() != "cannot open output file '"+missing+"': No such file or directory" {
		t.Error(err)
	}
	if _, _, err := Read(missing, nil, nil); err == nil || err.Error() != "cannot open input file '"+missing+"': No such file or directory" {
		t.Error(err)
	}
	if err := Check("-"); err != nil {
		t.Error(err)
	}
}
