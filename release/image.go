package main

import (
	"archive/tar"
	"bytes"
	"io"
	"os"
	"path/filepath"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// image makes an image that has the binary and nothing else, as `docker load` reads it.
func (r *release) image(t target, binary string) error {
	text, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	var content bytes.Buffer
	w := tar.NewWriter(&content)
	if err := w.WriteHeader(&tar.Header{Name: "freehold", Mode: 0o755, Size: int64(len(text)), ModTime: r.time, Format: tar.FormatUSTAR}); err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content.Bytes())), nil })
	if err != nil {
		return err
	}
	img, err := mutate.AppendLayers(empty.Image, layer)
	if err != nil {
		return err
	}
	config, err := img.ConfigFile()
	if err != nil {
		return err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture = t.os, t.arch
	config.Created = v1.Time{Time: r.time}
	config.Config.Entrypoint = []string{"/freehold"}
	config.Config.WorkingDir = "/work"
	config.Config.Labels = map[string]string{
		"org.opencontainers.image.title": "freehold", "org.opencontainers.image.version": r.version,
		"org.opencontainers.image.licenses": "Apache-2.0",
	}
	if img, err = mutate.ConfigFile(img, config); err != nil {
		return err
	}
	tag, err := name.NewTag("freehold:" + r.version)
	if err != nil {
		return err
	}
	return tarball.WriteToFile(filepath.Join(r.dir, r.name(t, ".image.tar")), tag, img)
}
