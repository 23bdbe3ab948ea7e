package campaign

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/txtar"

	"freehold/driver"
	"freehold/ir/asm"
)

// longestProgram is the size in bytes of the largest programs that are made mutants of:
// what is wrong with larger ones is wrong with these, too.
const longestProgram = 1 << 16

// Programs returns the programs in files and folders, to make mutants of: .mlir files,
// also those in .txtar archives, parted where they are split. Those that can be read come
// twice: in the generic form, too.
func Programs(paths ...string) ([]string, error) {
	var programs []string
	seen := map[string]bool{}
	add := func(text []byte) {
		for part := range bytes.SplitSeq(text, []byte("// -----\n")) {
			if len(part) > longestProgram || len(bytes.TrimSpace(part)) == 0 || seen[string(part)] {
				continue
			}
			seen[string(part)] = true
			programs = append(programs, string(part))
			if g := generic(part); g != nil {
				programs = append(programs, string(g))
			}
		}
	}
	for _, root := range paths {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			ext := filepath.Ext(path)
			if ext != ".mlir" && ext != ".txtar" {
				return nil
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if ext == ".mlir" {
				add(text)
				return nil
			}
			for _, f := range txtar.Parse(text).Files {
				if filepath.Ext(f.Name) == ".mlir" {
					add(f.Data)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if len(programs) == 0 {
		return nil, fmt.Errorf("there are no programs in %v", slices.Clone(paths))
	}
	return programs, nil
}

// generic returns a program in the generic form, or nil if it can't be read.
func generic(text []byte) []byte {
	ctx := driver.Freehold().NewContext()
	ctx.AllowUnregistered = true
	m, err := parseIn(ctx, text)
	if err != nil {
		return nil
	}
	return asm.Print(m, asm.PrintOptions{Generic: true})
}
