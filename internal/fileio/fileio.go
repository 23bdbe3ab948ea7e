// Package fileio reads the inputs of commands and writes their outputs: a file is
// written whole or not at all.
package fileio

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"freehold/internal/foreign"
)

// Check finds out early whether a file can be written at path.
func Check(path string) error {
	if path == "-" {
		return nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("cannot open output file '%s': Is a directory", path)
	}
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return fmt.Errorf("cannot open output file '%s': %s", path, Reason(err))
	}
	return nil
}

// Write writes data to the file at path, or to stdout if it is "-". A file
// has the old contents until all of the new ones are on disk.
func Write(path string, data []byte, stdout io.Writer) error {
	return Stream(path, writing(data), stdout)
}

// Stream is Write for data that write writes bit by bit. What write itself says is wrong is returned as it is.
func Stream(path string, write func(w io.Writer) error, stdout io.Writer) error {
	if path == "-" {
		return buffered(stdout, write)
	}
	var own error
	err := streamFile(path, func(w io.Writer) error {
		own = write(w)
		return own
	})
	var ofFile *fs.PathError
	if err == nil || own != nil && !errors.As(own, &ofFile) {
		return own
	}
	return fmt.Errorf("cannot open output file '%s': %s", path, Reason(err))
}

// buffered calls write with a buffer in front of f.
func buffered(f io.Writer, write func(w io.Writer) error) error {
	w := bufio.NewWriterSize(f, 1<<16)
	err := write(w)
	if err == nil {
		err = w.Flush()
	}
	return err
}

// Replace gives the file at path new contents, once all of them are on disk.
func Replace(path string, data []byte) error {
	return streamFile(path, writing(data))
}

// writing returns a function that writes data.
func writing(data []byte) func(w io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}

// streamFile is Replace for data that write writes bit by bit.
func streamFile(path string, write func(w io.Writer) error) error {
	mode := fs.FileMode(0)
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			err = buffered(f, write)
			return errors.Join(err, f.Close())
		}
		mode = info.Mode().Perm()
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
	}
	f, err := createBeside(path)
	if err != nil {
		return err
	}
	written := false
	defer func() {
		if !written {
			os.Remove(f.Name())
		}
	}()
	err = buffered(f, write)
	if err == nil && mode != 0 {
		err = f.Chmod(mode)
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	written = err == nil
	return err
}

// createBeside creates a new file in the folder of path, with the permissions that
// the user's mask gives to new files (os.CreateTemp makes private ones).
func createBeside(path string) (*os.File, error) {
	for i := 0; ; i++ {
		name := fmt.Sprintf("%s.tmp-%d-%d", path, os.Getpid(), i)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil || !errors.Is(err, fs.ErrExist) || i > 100 {
			return f, err
		}
	}
}

// Read reads the file at path, or standard input if it is "-", and returns
// the name that locations have. If expect isn't nil, it is told the size, in bytes, before there
// is memory for the contents, where the size is known then, and else afterwards.
func Read(path string, stdin io.Reader, expect func(size int)) (src []byte, name string, err error) {
	if expect == nil {
		expect = func(int) {}
	}
	if path == "-" {
		src, err = io.ReadAll(stdin)
		expect(len(src))
		return src, "<stdin>", err
	}
	src, err = readFile(path, expect)
	if err != nil {
		err = fmt.Errorf("cannot open input file '%s': %s", path, Reason(err))
		if f := foreign.Folder(path); f != nil {
			err = fmt.Errorf("%w, %s", err, f)
		}
		return nil, "", err
	}
	return src, path, nil
}

func readFile(path string, expect func(size int)) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var src bytes.Buffer
	info, err := f.Stat()
	known := err == nil && info.Mode().IsRegular()
	if known {
		expect(int(info.Size()))
		src.Grow(int(info.Size()) + bytes.MinRead) // with room for the read that finds the end
	}
	if _, err = src.ReadFrom(f); !known {
		expect(src.Len())
	}
	return src.Bytes(), err
}

// Reason returns the operating system's words for an error, capitalised.
func Reason(err error) string {
	s := err.Error()
	var errno syscall.Errno
	if errors.As(err, &errno) {
		s = errno.Error()
	}
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
