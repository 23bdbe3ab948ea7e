package main

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math/rand/v2"
	"slices"
	"strings"
)

// site is a place where a bug can be planted.
type site struct {
	source *source
	// kind is what the bug does.
	kind string
	// pos is where; what is the code that is changed, in one line.
	pos  token.Position
	what string
	// edits are the insertions, with %d for the number of the bug.
	edits []edit
}

// edit inserts a text before a place in a file and another one after a later place.
type edit struct {
	from, to     int
	open, closed string
}

// finder collects the sites of a file.
type finder struct {
	*source
	sites []site
	// results are those of the function being visited.
	results []*types.Signature
}

// find returns the sites of a file, in order.
func find(s *source) []site {
	f := &finder{source: s}
	for _, d := range s.file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			if g := d.(*ast.GenDecl); g.Tok == token.VAR {
				ast.Inspect(g, f.data)
			}
			continue
		}
		// Registration and options are no part of what passes decide.
		if fn.Body == nil || fn.Name.Name == "init" || fn.Name.Name == "Register" {
			continue
		}
		sig, _ := s.info.Defs[fn.Name].Type().(*types.Signature)
		f.function(fn.Name.Name, sig, fn.Body)
	}
	slices.SortStableFunc(f.sites, func(a, b site) int { return a.pos.Offset - b.pos.Offset })
	return f.sites
}

func (f *finder) add(kind string, n ast.Node, open, closed string) {
	f.addEdits(kind, n, f.around(n, open, closed))
}

func (f *finder) addEdits(kind string, n ast.Node, edits ...edit) {
	pos := f.fset.Position(n.Pos())
	what := strings.Join(strings.Fields(string(f.text[f.offset(n.Pos()):f.offset(n.End())])), " ")
	if len(what) > 90 {
		what = what[:87] + "..."
	}
	f.sites = append(f.sites, site{source: f.source, kind: kind, pos: pos, what: what, edits: edits})
}

func (f *finder) offset(p token.Pos) int { return f.fset.Position(p).Offset }

func (f *finder) around(n ast.Node, open, closed string) edit {
	return edit{f.offset(n.Pos()), f.offset(n.End()), open, closed}
}

// negate is an insertion that turns a condition round.
func (f *finder) negate(e ast.Expr) edit { return f.around(e, "((", ") != planted.Is(%d))") }

// function visits the body of a function.
func (f *finder) function(name string, sig *types.Signature, body *ast.BlockStmt) {
	f.results = append(f.results, sig)
	if sig.Results().Len() == 1 && isBool(sig.Results().At(0).Type()) && len(body.List) > 1 {
		for _, answer := range []string{"true", "false"} {
			at := f.offset(body.Lbrace) + 1
			e := edit{at, at, "if planted.Is(%d) { return " + answer + " }; ", ""}
			f.sites = append(f.sites, site{f.source, "return " + answer + " at once", f.fset.Position(body.Lbrace), name, []edit{e}})
		}
	}
	ast.Inspect(body, f.visit)
	f.results = f.results[:len(f.results)-1]
}

func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		sig, _ := f.info.Types[n].Type.(*types.Signature)
		f.function("func literal", sig, n.Body)
		return false
	case *ast.IfStmt:
		f.add("negated condition", n.Cond, "((", ") != planted.Is(%d))")
	case *ast.ForStmt:
		// Loops that don't end are found at once, and say nothing.
	case *ast.BinaryExpr:
		f.binary(n)
	case *ast.ReturnStmt:
		f.returns(n)
	case *ast.BlockStmt:
		f.statements(n.List)
	case *ast.CaseClause:
		f.statements(n.Body)
	case *ast.RangeStmt:
		f.rangeOver(n)
	case *ast.SliceExpr:
		if n.Low != nil && f.isInt(n.Low) {
			f.add("slice starts one later", n.Low, "(", ")+planted.One(%d)")
		}
	case *ast.CallExpr:
		f.call(n)
	}
	return f.data(n)
}

// data visits what may stand in literals, too: flags and answers.
func (f *finder) data(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.KeyValueExpr:
		f.answer(n.Value)
	case *ast.FuncLit:
		if len(f.results) == 0 { // in the initial value of a variable
			sig, _ := f.info.Types[n].Type.(*types.Signature)
			f.function("func literal", sig, n.Body)
			return false
		}
	}
	return true
}

// binary drops one side of && and ||, and moves limits by one.
func (f *finder) binary(n *ast.BinaryExpr) {
	switch n.Op {
	case token.LAND:
		f.add("dropped condition", n.X, "((", ") || planted.Is(%d))")
		f.add("dropped condition", n.Y, "((", ") || planted.Is(%d))")
	case token.LOR:
		f.add("dropped alternative", n.X, "((", ") && !planted.Is(%d))")
		f.add("dropped alternative", n.Y, "((", ") && !planted.Is(%d))")
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		if f.isInt(n.X) && f.isInt(n.Y) {
			f.add("off by one", n.Y, "((", ") + planted.One(%d))")
		}
	case token.ADD, token.SUB:
		// A constant may stand for a number of any type.
		if lit, ok := n.Y.(*ast.BasicLit); ok && lit.Value == "1" && f.isInt(n.X) && f.info.Types[n].Value == nil {
			f.add("off by one", lit, "(", " - planted.One(%d))")
		}
	}
}

func isBool(t types.Type) bool { return types.Identical(t, types.Typ[types.Bool]) }

// isInt tells whether an expression, which isn't constant, or a constant has the type
// int.
func (f *finder) isInt(e ast.Expr) bool {
	t := f.info.Types[e].Type
	return t != nil && (types.Identical(t, types.Typ[types.Int]) || types.Identical(t, types.Typ[types.UntypedInt]))
}

// answer replaces a constant that has a name: true by false, and a member of an
// enumeration by another one.
func (f *finder) answer(e ast.Expr) {
	qualifier := ""
	switch e := e.(type) {
	case *ast.Ident:
	case *ast.SelectorExpr:
		id, ok := e.X.(*ast.Ident)
		if !ok {
			return
		}
		qualifier = id.Name + "."
	default:
		return
	}
	tv := f.info.Types[e]
	if tv.Value == nil {
		return
	}
	if tv.Value.Kind() == constant.Bool {
		f.addEdits("wrong answer", e, f.negate(e))
		return
	}
	named, ok := tv.Type.(*types.Named)
	if !ok {
		return
	}
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if ok && types.Identical(c.Type(), named) && !constant.Compare(c.Val(), token.EQL, tv.Value) && (c.Exported() || qualifier == "") {
			f.add("wrong answer", e, "planted.Either(%d, ", ", "+qualifier+name+")")
			return
		}
	}
}

// returns turns boolean results round, and empties lists.
func (f *finder) returns(n *ast.ReturnStmt) {
	sig := f.results[len(f.results)-1]
	if len(n.Results) != sig.Results().Len() {
		return
	}
	for i, e := range n.Results {
		t := sig.Results().At(i).Type()
		switch u := t.Underlying().(type) {
		case *types.Basic:
			if isBool(t) {
				f.addEdits("wrong result", e, f.negate(e))
			} else if u.Info()&types.IsInteger != 0 {
				f.answer(e)
			}
		case *types.Slice:
			if tv := f.info.Types[e]; !tv.IsNil() {
				f.add("empty result", e, "planted.None(%d, ", ")")
			}
		}
	}
}

// statements drops statements that stand for themselves.
func (f *finder) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt:
			call, ok := s.X.(*ast.CallExpr)
			if id, named := call.Fun.(*ast.Ident); ok && named && id.Name == "panic" {
				continue
			}
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				continue
			}
		case *ast.BranchStmt:
			if s.Tok != token.CONTINUE {
				continue
			}
		default:
			continue
		}
		f.add("dropped statement", s, "if !planted.Is(%d) { ", " }")
	}
}

// rangeOver leaves out the last element.
func (f *finder) rangeOver(n *ast.RangeStmt) {
	if _, ok := f.info.Types[n.X].Type.Underlying().(*types.Slice); ok {
		f.add("last element left out", n.X, "planted.Rest(%d, ", ")")
	}
}

// call swaps neighbouring arguments of the same type, and gives wrong answers as
// arguments.
func (f *finder) call(n *ast.CallExpr) {
	if f.info.Types[n.Fun].IsType() {
		return
	}
	for i, a := range n.Args {
		f.answer(a)
		id, ok := a.(*ast.Ident)
		if !ok || i == 0 {
			continue
		}
		before, ok := n.Args[i-1].(*ast.Ident)
		if !ok || f.info.Types[a].IsNil() || f.info.Types[n.Args[i-1]].IsNil() || f.info.Types[a].Value != nil {
			continue
		}
		s, t := f.info.Types[n.Args[i-1]].Type, f.info.Types[a].Type
		if s == nil || t == nil || !types.Identical(s, t) {
			continue
		}
		f.addEdits("swapped arguments", n, f.around(before, "planted.Either(%d, ", ", "+id.Name+")"),
			f.around(id, "planted.Either(%d, ", ", "+before.Name+")"))
	}
}

// choose puts the sites into the order in which they are tried: kinds take turns, so
// that frequent ones don't crowd out others.
func choose(sites []site, seed uint64) []site {
	rnd := rand.New(rand.NewPCG(seed, 0x706c616e74))
	rnd.Shuffle(len(sites), func(i, j int) { sites[i], sites[j] = sites[j], sites[i] })
	type ranked struct {
		turn int
		site site
	}
	turns := map[string]int{}
	list := make([]ranked, len(sites))
	for i, s := range sites {
		list[i] = ranked{turns[s.kind], s}
		turns[s.kind]++
	}
	slices.SortStableFunc(list, func(a, b ranked) int { return a.turn - b.turn })
	for i, r := range list {
		sites[i] = r.site
	}
	return sites
}
