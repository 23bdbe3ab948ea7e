package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
)

// archive packs a binary and what goes with it: a zip file for Windows, else a compressed
// tar file.
func (r *release) archive(t target, binary string) error {
	files, err := r.files(t, binary)
	if err != nil {
		return err
	}
	pack, extension := r.tar, ".tar.gz"
	if t.os == "windows" {
		pack, extension = r.zip, ".zip"
	}
	f, err := os.Create(filepath.Join(r.dir, r.name(t, extension)))
	if err != nil {
		return err
	}
	err = pack(f, r.name(t, ""), files)
	return errors.Join(err, f.Close())
}

func (r *release) tar(w io.Writer, folder string, files []file) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	a := tar.NewWriter(z)
	for _, f := range files {
		text, err := os.ReadFile(f.path)
		if err != nil {
			return err
		}
		h := &tar.Header{Name: path.Join(folder, f.name), Mode: f.mode(), Size: int64(len(text)), ModTime: r.time, Format: tar.FormatUSTAR}
		if err := a.WriteHeader(h); err != nil {
			return err
		}
		if _, err := a.Write(text); err != nil {
			return err
		}
	}
	return errors.Join(a.Close(), z.Close())
}

func (r *release) zip(w io.Writer, folder string, files []file) error {
	a := zip.NewWriter(w)
	for _, f := range files {
		text, err := os.ReadFile(f.path)
		if err != nil {
			return err
		}
		h := &zip.FileHeader{Name: path.Join(folder, f.name), Method: zip.Deflate, Modified: r.time}
		h.SetMode(os.FileMode(f.mode()))
		entry, err := a.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := entry.Write(text); err != nil {
			return err
		}
	}
	return a.Close()
}

func (f file) mode() int64 {
	if f.executable {
		return 0o755
	}
	return 0o644
}
