package site

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

//go:embed programs
var first embed.FS

// Program is something to open in the playground: a program, or a chapter of the tutorial.
type Program struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Group string `json:"group"`
	// Source is the program; of large ones, File is where it is, compressed.
	Source string `json:"source,omitempty"`
	File   string `json:"file,omitempty"`
	// Preset is the pipeline and Tab the answer to begin with; empty for the usual ones.
	Preset string `json:"preset,omitempty"`
	Tab    string `json:"tab,omitempty"`
	// Chapter is the text of a chapter, in HTML.
	Chapter string `json:"chapter,omitempty"`
}

// beginnings are the programs to begin with, in this order.
var beginnings = [...]Program{
	{Name: "first.mlir", Title: "A tensor becomes a buffer"},
	{Name: "copy.mlir", Title: "Why does it copy?", Tab: "explain"},
	{Name: "leak.mlir", Title: "Find a leak", Tab: "check", Preset: "no passes"},
	{Name: "loop.mlir", Title: "A tensor goes around a loop", Tab: "run"},
}

// layers is how many layers the large model has: about a megabyte of text.
const layers = 80

// programs returns the files with all that can be opened.
func programs(root string) (map[string][]byte, error) {
	var list []Program
	for _, p := range beginnings {
		src, err := first.ReadFile("programs/" + p.Name)
		if err != nil {
			return nil, err
		}
		p.Group, p.Source = "Start here", string(src)
		list = append(list, p)
	}
	chapters, err := filepath.Glob(filepath.Join(root, "docs", "tutorial", "*.md"))
	if err != nil {
		return nil, err
	}
	for _, path := range chapters {
		p, err := chapter(path)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	examples, err := filepath.Glob(filepath.Join(root, "examples", "*.mlir"))
	if err != nil {
		return nil, err
	}
	for _, path := range examples {
		src, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		list = append(list, Program{Name: filepath.Base(path), Title: titleOf(string(src)), Group: "Examples", Source: string(src)})
	}
	c := exec.Command("go", "run", "./examples/transformer", "-layers", fmt.Sprint(layers))
	c.Dir = root
	model, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("examples/transformer: %w", err)
	}
	small, err := compressed(model)
	if err != nil {
		return nil, err
	}
	list = append(list, Program{
		Name: "transformer.mlir", Title: fmt.Sprintf("A transformer of %d layers (%.1f MB)", layers, float64(len(model))/1e6), Group: "Large", File: "transformer.bin", Tab: "explain",
	})
	index, err := json.Marshal(list)
	return map[string][]byte{"programs.json": index, "transformer.bin": small}, err
}

// titleOf returns the first sentence of the comment at the start of a program.
func titleOf(src string) string {
	line, _, _ := strings.Cut(strings.TrimPrefix(src, "// "), "\n")
	for _, end := range []string{": ", ". ", ", "} {
		line, _, _ = strings.Cut(line, end)
	}
	return strings.TrimSuffix(line, ".")
}

// picture is a picture in a chapter, in a paragraph of its own: what it shows is on the page already, and larger.
var picture = regexp.MustCompile(`(?m)^!\[.*\]\(.*\)\n`)

// chapter reads a chapter of the tutorial.
func chapter(path string) (Program, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Program{}, err
	}
	text = picture.ReplaceAll(text, nil)
	// Comments in the documents tell the names of files.
	md := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	var b bytes.Buffer
	if err := md.Convert(text, &b); err != nil {
		return Program{}, fmt.Errorf("%s: %w", path, err)
	}
	title, _, _ := strings.Cut(strings.TrimPrefix(string(text), "# "), "\n")
	return Program{Name: filepath.Base(path), Title: title, Group: "Tutorial", Chapter: b.String()}, nil
}
