package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
)

// packageDebian makes a Debian package.
func (r *release) packageDebian(t target, binary string) error {
	contents, err := r.debianContents(t, binary)
	if err != nil {
		return err
	}
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: "freehold", Arch: t.arch, Platform: t.os, Version: r.version, Section: "devel", Priority: "optional",
		Maintainer: "The freehold authors <freehold@localhost>", License: "Apache-2.0",
		Description: "Memory of tensor programs\nBufferization, deallocation, planning and proofs of memory for programs in MLIR's\ntextual format.",
		MTime:       r.time,
		Overridables: nfpm.Overridables{
			Contents: contents,
			Deb:      nfpm.Deb{Compression: "gzip"},
		},
	})
	if err := nfpm.PrepareForPackager(info, "deb"); err != nil {
		return err
	}
	packager, err := nfpm.Get("deb")
	if err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(r.dir, r.name(t, ".deb")))
	if err != nil {
		return err
	}
	return errors.Join(packager.Package(info, f), f.Close())
}

// debianContents says where the files go. Debian wants manual pages and changes compressed.
func (r *release) debianContents(t target, binary string) (files.Contents, error) {
	all, err := r.files(t, binary)
	if err != nil {
		return nil, err
	}
	var contents files.Contents
	for _, f := range all {
		source, where := f.path, ""
		folder, name := path.Split(f.name)
		switch {
		case f.executable:
			where = "/usr/bin/freehold"
		case folder == "completions/":
			where = shells[name]
		case folder == "man/":
			where = "/usr/share/man/man1/" + name + ".gz"
		case name == "LICENSE":
			where = "/usr/share/doc/freehold/copyright"
		case name == "CHANGELOG.md":
			where = "/usr/share/doc/freehold/changelog.gz"
		default:
			where = "/usr/share/doc/freehold/" + name
		}
		if strings.HasSuffix(where, ".gz") {
			if source, err = compressed(f.path, filepath.Dir(binary)); err != nil {
				return nil, err
			}
		}
		contents = append(contents, &files.Content{
			Source: source, Destination: where,
			FileInfo: &files.ContentFileInfo{Mode: os.FileMode(f.mode()), MTime: r.time, Owner: "root", Group: "root"},
		})
	}
	return contents, nil
}

// compressed compresses a file into a folder and returns the path there.
func compressed(file, dir string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := z.Write(text); err != nil {
		return "", err
	}
	if err := z.Close(); err != nil {
		return "", err
	}
	target := filepath.Join(dir, filepath.Base(file)+".gz")
	return target, os.WriteFile(target, out.Bytes(), 0o644)
}
