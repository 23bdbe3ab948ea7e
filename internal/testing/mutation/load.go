package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// victims matches the files that bugs are planted in: the passes, and what the
// dialects contribute to them. What only writes down for people what a pass decided is in
// the files that exempt matches.
var victims = regexp.MustCompile(`^freehold/(transform/(bufferize/oneshot|deallocate/ownership|lower/core|generic/(memref|linalg|licm|cse|inline|canonicalize))/[a-z]+|dialect/[a-z]+/(bufferize|dealloc|subset)|ir/analysis/(origin|lastuse|liveness))\.go$`)

var exempt = regexp.MustCompile(`^freehold/transform/bufferize/oneshot/annotate\.go$`)

// source is a file that bugs are planted in.
type source struct {
	// name is the path below the root of the repository.
	name string
	path string
	text []byte
	file *ast.File
	fset *token.FileSet
	info *types.Info
}

// packageJSON is what `go list` tells about a package.
type packageJSON struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
}

// load parses and type-checks the packages that have victims.
func load(victims, exempt *regexp.Regexp) ([]*source, error) {
	cmd := exec.Command("go", "list", "-deps", "-export", "-json=ImportPath,Dir,Export,GoFiles", "./cmd/freehold")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	exports := map[string]string{}
	var packages []packageJSON
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p packageJSON
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		exports[p.ImportPath] = p.Export
		packages = append(packages, p)
	}
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	var all []*source
	for _, p := range packages {
		found, err := check(p, victims, exempt, fset, imports)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// check type-checks a package if it has victims, and returns them.
func check(p packageJSON, victims, exempt *regexp.Regexp, fset *token.FileSet, imports types.Importer) ([]*source, error) {
	var files []*ast.File
	var found []*source
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	for _, name := range p.GoFiles {
		if path := p.ImportPath + "/" + name; !victims.MatchString(path) || exempt != nil && exempt.MatchString(path) {
			continue
		}
		found = append(found, &source{
			name: strings.TrimPrefix(p.ImportPath, "freehold/") + "/" + name,
			path: filepath.Join(p.Dir, name), fset: fset, info: info,
		})
	}
	if len(found) == 0 {
		return nil, nil
	}
	for _, name := range p.GoFiles {
		path := filepath.Join(p.Dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
		for _, s := range found {
			if s.path == path {
				s.text, s.file = text, file
			}
		}
	}
	_, err := (&types.Config{Importer: imports}).Check(p.ImportPath, fset, files, info)
	return found, err
}
