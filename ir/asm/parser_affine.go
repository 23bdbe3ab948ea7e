package asm

import (
	"fmt"
	"math"

	"freehold/ir"
)

// affineParser reads affine expressions over identifiers, or over operands.
type affineParser struct {
	*Parser
	ids map[string]*ir.AffineExpr
	// ssa allows operands in place of identifiers; dims and syms are those read.
	ssa        bool
	dims, syms []Unresolved
}

// AffineMap consumes "(dims)[symbols] -> (exprs)"; without affine_map<>.
func (p *Parser) AffineMap() (*ir.AffineMap, error) {
	pos := p.Pos()
	m, set, err := p.affineMapOrSet()
	if err == nil && set != nil {
		err = p.fail(pos, "expected AffineMap, but got IntegerSet")
	}
	return m, err
}

// IntegerSet consumes "(dims)[symbols] : (constraints)"; without affine_set<>.
func (p *Parser) IntegerSet() (*ir.IntegerSet, error) {
	pos := p.Pos()
	m, set, err := p.affineMapOrSet()
	if err == nil && m != nil {
		err = p.fail(pos, "expected IntegerSet, but got AffineMap")
	}
	return set, err
}

func (p *Parser) affineMapOrSet() (*ir.AffineMap, *ir.IntegerSet, error) {
	a := affineParser{Parser: p, ids: map[string]*ir.AffineExpr{}}
	dims, err := a.identifiers(Paren, " in dimensional identifier list", p.ctx.AffineDim)
	if err != nil {
		return nil, nil, err
	}
	syms, err := a.identifiers(OptionalSquare, " in symbol list", p.ctx.AffineSymbol)
	if err != nil {
		return nil, nil, err
	}
	if p.accept(tArrow) {
		var exprs []*ir.AffineExpr
		err := p.list(Paren, " in affine map range", func() error {
			e, err := a.sum()
			exprs = append(exprs, e)
			return err
		})
		if err != nil {
			return nil, nil, err
		}
		return p.ctx.AffineMap(dims, syms, exprs...), nil, nil
	}
	if err := p.expect(tColon, "expected '->' or ':'"); err != nil {
		return nil, nil, err
	}
	var exprs []*ir.AffineExpr
	var eqs []bool
	err = p.list(Paren, " in integer set constraint list", func() error {
		e, eq, err := a.constraint()
		exprs, eqs = append(exprs, e), append(eqs, eq)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	if len(exprs) == 0 {
		exprs, eqs = append(exprs, p.ctx.AffineConstant(0)), append(eqs, true)
	}
	return nil, p.ctx.IntegerSet(dims, syms, exprs, eqs), nil
}

// identifiers reads a list of new identifiers and returns their number.
func (a *affineParser) identifiers(d Delimiter, context string, expr func(int) *ir.AffineExpr) (int, error) {
	n := 0
	err := a.list(d, context, func() error {
		if a.tok.kind != tWord {
			return a.failToken("expected bare identifier")
		}
		name := a.text()
		if a.ids[name] != nil {
			return a.failHere("redefinition of identifier '" + name + "'")
		}
		a.advance()
		a.ids[name] = expr(n)
		n++
		return nil
	})
	return n, err
}

// constraint reads "e == f", "e >= f" or "e <= f" and returns the expression that
// is zero, or not negative.
func (a *affineParser) constraint() (e *ir.AffineExpr, eq bool, err error) {
	l, err := a.sum()
	if err != nil {
		return nil, false, err
	}
	op := a.tok.kind
	if op == tEqual || op == tGreater || op == tLess {
		a.advance()
		if a.accept(tEqual) {
			r, err := a.sum()
			if err != nil {
				return nil, false, err
			}
			if op == tLess {
				l, r = r, l
			}
			return a.ctx.AffineAdd(l, a.ctx.AffineMul(r, a.ctx.AffineConstant(-1))), op == tEqual, nil
		}
	}
	return nil, false, a.failHere("expected '== affine-expr' or '>= affine-expr' at end of affine constraint")
}

// sum reads operands joined by + and -.
func (a *affineParser) sum() (*ir.AffineExpr, error) {
	if err := a.enter(); err != nil {
		return nil, err
	}
	defer a.leave()
	l, err := a.product(nil)
	for err == nil && (a.tok.kind == tPlus || a.tok.kind == tMinus) {
		minus := a.tok.kind == tMinus
		a.advance()
		if minus && a.leastNumber() {
			l = a.ctx.AffineAdd(l, a.ctx.AffineConstant(math.MinInt64))
			continue
		}
		var r *ir.AffineExpr
		if r, err = a.product(l); err == nil {
			if minus {
				r = a.ctx.AffineMul(r, a.ctx.AffineConstant(-1))
			}
			l = a.ctx.AffineAdd(l, r)
		}
	}
	return l, err
}

// leastNumber consumes the number that is there behind a minus only.
func (a *affineParser) leastNumber() bool {
	if a.tok.kind != tInt || a.text() != "9223372036854775808" {
		return false
	}
	a.advance()
	return true
}

// productKind returns the operation that the next token stands for in a product.
func (a *affineParser) productKind() (ir.AffineKind, string, bool) {
	switch a.tok.kind {
	case tStar:
		return ir.AffineMul, "", true
	case tWord:
		switch a.text() {
		case "floordiv":
			return ir.AffineFloorDiv, "floordiv", true
		case "ceildiv":
			return ir.AffineCeilDiv, "ceildiv", true
		case "mod":
			return ir.AffineMod, "mod", true
		}
	}
	return 0, "", false
}

// product reads operands joined by *, floordiv, ceildiv and mod. left is what
// stands left of it, for messages.
func (a *affineParser) product(left *ir.AffineExpr) (*ir.AffineExpr, error) {
	l, err := a.term(left)
	for err == nil {
		kind, word, ok := a.productKind()
		if !ok {
			break
		}
		pos := a.Pos()
		a.advance()
		r, err := a.term(l)
		if err != nil {
			return nil, err
		}
		switch {
		case kind == ir.AffineMul && !l.SymbolicOrConstant() && !r.SymbolicOrConstant():
			return nil, a.fail(pos, "non-affine expression: at least one of the multiply operands has to be either a constant or symbolic")
		case kind != ir.AffineMul && !r.SymbolicOrConstant():
			return nil, a.fail(pos, "non-affine expression: right operand of "+word+" has to be either a constant or symbolic")
		}
		l = a.ctx.AffineBinary(kind, l, r)
	}
	return l, err
}

// term reads an operand of an expression.
func (a *affineParser) term(left *ir.AffineExpr) (*ir.AffineExpr, error) {
	switch a.tok.kind {
	case tWord:
		if a.isWord("symbol") {
			return a.symbolTerm()
		}
		e := a.ids[a.text()] // which may be the word for an operator
		if e == nil {
			return nil, a.failToken("use of undeclared identifier")
		}
		a.advance()
		return e, nil
	case tPercent:
		return a.ssaTerm(false)
	case tInt:
		v, ok := parseUint(a.text())
		if !ok || v > 1<<63-1 {
			return nil, a.failHere("constant too large for index")
		}
		a.advance()
		return a.ctx.AffineConstant(int64(v)), nil
	case tLParen:
		a.advance()
		if a.tok.kind == tRParen {
			return nil, a.failHere("no expression inside parentheses")
		}
		e, err := a.sum()
		if err != nil {
			return nil, err
		}
		return e, a.expect(tRParen, "expected ')'")
	case tMinus:
		if err := a.enter(); err != nil {
			return nil, err
		}
		defer a.leave()
		a.advance()
		if a.leastNumber() {
			return a.ctx.AffineConstant(math.MinInt64), nil
		}
		e, err := a.term(left)
		if err != nil {
			return nil, err
		}
		return a.ctx.AffineMul(e, a.ctx.AffineConstant(-1)), nil
	case tPlus, tStar:
		return nil, a.missing(left)
	}
	if left != nil {
		return nil, a.failHere("missing right operand of binary operator")
	}
	return nil, a.failHere("expected affine expression")
}

func (a *affineParser) missing(left *ir.AffineExpr) error {
	if left != nil {
		return a.failHere("missing right operand of binary operator")
	}
	return a.failHere("missing left operand of binary operator")
}

// symbolTerm reads symbol(%s).
func (a *affineParser) symbolTerm() (*ir.AffineExpr, error) {
	a.advance()
	if err := a.expect(tLParen, "expected '(' at start of SSA symbol"); err != nil {
		return nil, err
	}
	e, err := a.ssaTerm(true)
	if err != nil {
		return nil, err
	}
	return e, a.expect(tRParen, "expected ')' at end of SSA symbol")
}

// ssaTerm reads an operand, which is a dimension or a symbol; the same operand is
// the same dimension or symbol. One that is both is two operands of the map: MLIR takes the second one for the first, and can't read what it prints.
func (a *affineParser) ssaTerm(symbol bool) (*ir.AffineExpr, error) {
	if !a.ssa {
		return nil, a.failToken("unexpected ssa identifier")
	}
	if a.tok.kind != tPercent {
		return nil, a.failToken("expected ssa identifier")
	}
	u, err := a.operand(true)
	if err != nil {
		return nil, err
	}
	name := u.Name
	if u.Number != 0 {
		name = fmt.Sprintf("%s#%d", name, u.Number)
	}
	if symbol {
		name = "symbol " + name
	}
	if e := a.ids[name]; e != nil {
		return e, nil
	}
	var e *ir.AffineExpr
	if symbol {
		e = a.ctx.AffineSymbol(len(a.syms))
		a.syms = append(a.syms, u)
	} else {
		e = a.ctx.AffineDim(len(a.dims))
		a.dims = append(a.dims, u)
	}
	a.ids[name] = e
	return e, nil
}

// AffineMapOfSSAIds consumes a list of affine expressions in delimiters whose
// dimensions are operands and whose symbols are written symbol(%s), such as
// [%i + 1, %j], and returns the map with its dimension and symbol operands.
func (p *Parser) AffineMapOfSSAIds(d Delimiter) (m *ir.AffineMap, dims, syms []Unresolved, err error) {
	a := affineParser{Parser: p, ids: map[string]*ir.AffineExpr{}, ssa: true}
	var exprs []*ir.AffineExpr
	err = p.list(d, " in affine map", func() error {
		e, err := a.sum()
		exprs = append(exprs, e)
		return err
	})
	if err != nil {
		return nil, nil, nil, err
	}
	return p.ctx.AffineMap(len(a.dims), len(a.syms), exprs...), a.dims, a.syms, nil
}

// AffineExprOf consumes one affine expression over the named values.
func (p *Parser) AffineExprOf(names map[string]*ir.AffineExpr) (*ir.AffineExpr, error) {
	a := affineParser{Parser: p, ids: names}
	return a.sum()
}

// AffineExprOfSSAIds consumes one affine expression like [Parser.AffineMapOfSSAIds].
func (p *Parser) AffineExprOfSSAIds() (e *ir.AffineExpr, dims, syms []Unresolved, err error) {
	a := affineParser{Parser: p, ids: map[string]*ir.AffineExpr{}, ssa: true}
	e, err = a.sum()
	return e, a.dims, a.syms, err
}
