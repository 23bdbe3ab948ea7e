package main

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// fileName is that of the file with accessors in the folder of a dialect.
const fileName = "operands.go"

// source is what a dialect's folder says by hand.
type source struct {
	folder, pkg string
	// operations are the names of the variables with the identities of operations, by the names of these.
	operations map[string]string
	// names are all that the package declares, and methods those of types that it declares.
	names   map[string]bool
	methods map[string]map[string]bool
	// named are the operands that methods of a type return, by their places.
	named map[string]map[int]bool
}

// repository returns the folder in which go.mod is.
func repository() (string, error) {
	dir, err := os.Getwd()
	for ; err == nil; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "dialect", "dialects.go")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("this is no folder of the repository")
		}
	}
	return "", err
}

// read reads the Go files of a folder, but for tests and what is generated.
func read(folder string) (*source, error) {
	s := &source{folder: folder, operations: map[string]string{}, names: map[string]bool{}, methods: map[string]map[string]bool{}, named: map[string]map[int]bool{}}
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		if filepath.Base(path) == fileName || strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		s.pkg = f.Name.Name
		for _, d := range f.Decls {
			s.declared(d)
		}
	}
	return s, nil
}

// declared notes what a declaration declares.
func (s *source) declared(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			s.names[d.Name.Name] = true
			return
		}
		if t, ok := d.Recv.List[0].Type.(*ast.Ident); ok {
			if s.methods[t.Name] == nil {
				s.methods[t.Name], s.named[t.Name] = map[string]bool{}, map[int]bool{}
			}
			s.methods[t.Name][d.Name.Name] = true
			if i := returned(d); i >= 0 {
				s.named[t.Name][i] = true
			}
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				s.names[spec.Name.Name] = true
			case *ast.ValueSpec:
				for i, name := range spec.Names {
					s.names[name.Name] = true
					if i < len(spec.Values) {
						if op := identity(spec.Values[i]); op != "" && name.IsExported() {
							s.operations[op] = name.Name
						}
					}
				}
			}
		}
	}
}

// identity returns the name of the operation of which an expression makes the identity; "" if it makes something else.
func identity(x ast.Expr) string {
	call, ok := x.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return ""
	}
	f, ok := call.Fun.(*ast.SelectorExpr)
	name, ok2 := call.Args[0].(*ast.BasicLit)
	if !ok || !ok2 || f.Sel.Name != "NewOpID" {
		return ""
	}
	text, _ := strconv.Unquote(name.Value)
	return text
}

// returned returns the place of the operand that a method returns; -1 if it does something else.
func returned(d *ast.FuncDecl) int {
	if len(d.Body.List) != 1 {
		return -1
	}
	r, ok := d.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 {
		return -1
	}
	if group, name, first := called(r.Results[0]); name == "At" && first == 0 {
		if _, name, i := called(group); name == "OperandGroup" {
			return i
		}
	} else if name == "Operand" || name == "OptionalOperand" {
		return first
	}
	return -1
}

// called returns what a method is called of, the name of that, and the number that is its only argument; "" if an expression is something else.
func called(x ast.Expr) (of ast.Expr, name string, argument int) {
	call, ok := x.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil, "", 0
	}
	f, ok := call.Fun.(*ast.SelectorExpr)
	place, ok2 := call.Args[0].(*ast.BasicLit)
	if !ok || !ok2 {
		return nil, "", 0
	}
	i, err := strconv.Atoi(place.Value)
	if err != nil {
		return nil, "", 0
	}
	return f.X, f.Sel.Name, i
}
