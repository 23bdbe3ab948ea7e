package sparsetensor

import (
	"slices"
	"strconv"

	"freehold/ir"
	"freehold/ir/asm"
)

func parseAttr(p *asm.Parser, mnemonic string, _ ir.Type) (ir.Attribute, error) {
	switch mnemonic {
	case encodingMnemonic:
		return parseEncoding(p)
	case sliceMnemonic:
		return parseSlice(p)
	}
	return nil, nil
}

// encodingKeys are the keys of an encoding, and where its values go.
var encodingKeys = map[string]int{"map": mapParam, "posWidth": posWidthParam, "crdWidth": crdWidthParam,
	"explicitVal": explicitParam, "implicitVal": implicitParam}

// parseEncoding reads <{ map = ..., key = value }>.
func parseEncoding(p *asm.Parser) (ir.Attribute, error) {
	c, name := p.Context(), p.SymbolPos()
	for _, tok := range []string{"<", "{"} {
		if err := p.Expect(tok); err != nil {
			return nil, err
		}
	}
	var lvlToDim []*ir.AffineExpr
	none, zero := c.ArrayAttr(), c.I64Attr(0)
	params := []ir.Attribute{ir.Unit, none, zero, zero, ir.Unit, ir.Unit, none}
	for {
		key, ok := p.OptionalAnyKeyword()
		if !ok {
			break
		}
		param, ok := encodingKeys[key]
		_, earlier := earlierKeys[key]
		earlier = earlier && p.Reads(earlierUntil)
		if !ok && !earlier {
			return nil, p.Errorf(name, "unexpected key: %s", key)
		}
		if err := p.Expect("="); err != nil {
			return nil, err
		}
		if earlier {
			if err := parseEarlier(p, key, params); err != nil {
				return nil, err
			}
		} else if param == mapParam {
			m := levelMap{Parser: p}
			if err := m.parse(); err != nil {
				return nil, err
			}
			params[mapParam], params[levelsParam] = c.AffineMapAttr(m.dimToLvl()), c.ArrayAttr(m.levels...)
			params[slicesParam] = m.sliceList()
			lvlToDim = m.lvlToDim
		} else {
			v, err := p.Attr(nil)
			if err != nil {
				return nil, err
			}
			if msg := badValue(param, v); msg != "" {
				return nil, p.Errorf(name, "%s", msg)
			}
			if i, ok := v.(*ir.IntegerAttr); ok && (param == posWidthParam || param == crdWidthParam) {
				v = c.I64Attr(i.Value)
			}
			params[param] = v
		}
		if !p.Optional(",") {
			break
		}
	}
	for _, tok := range []string{"}", ">"} {
		if err := p.Expect(tok); err != nil {
			return nil, err
		}
	}
	e := Encoding{c.DialectAttrOf(c.Dialect(dialectName), encodingMnemonic, params...)}
	if msg := e.problem(c, lvlToDim); msg != "" {
		return nil, p.Errorf(name, "%s", msg)
	}
	return e.DialectAttr, nil
}

// badValue says what is wrong with a value of an encoding, or returns "".
func badValue(param int, v ir.Attribute) string {
	_, integer := v.(*ir.IntegerAttr)
	switch param {
	case posWidthParam:
		if !integer {
			return "expected an integral position bitwidth"
		}
	case crdWidthParam:
		if !integer {
			return "expected an integral index bitwidth"
		}
	default:
		_, float := v.(*ir.FloatAttr)
		d, dialect := v.(*ir.DialectAttr)
		if !integer && !float && !(dialect && d.Dialect.Name == "complex") {
			which := "explicitVal"
			if param == implicitParam {
				which = "implicitVal"
			}
			return "expected a numeric value for " + which
		}
	}
	return ""
}

// levelMap reads the map from dimensions to levels:
//
//	[symbols]? {levels}? (dim (= expr)? (: slice)?, ...) -> ((level =)? expr : format, ...)
type levelMap struct {
	*asm.Parser
	syms, dims, lvls []string
	slices           []ir.Attribute // per dimension, nil where there is none
	exprs            []*ir.AffineExpr
	lvlToDim         []*ir.AffineExpr // of the dimensions that have one
	levels           []ir.Attribute
}

func (m *levelMap) parse() error {
	if err := m.List(asm.OptionalSquare, func() error { return m.bind(&m.syms) }); err != nil {
		return err
	}
	if err := m.List(asm.OptionalBraces, func() error { return m.bind(&m.lvls) }); err != nil {
		return err
	}
	if err := m.List(asm.Paren, m.dimension); err != nil {
		return err
	}
	if err := m.Expect("->"); err != nil {
		return err
	}
	pos := m.Pos()
	if err := m.List(asm.Paren, m.level); err != nil {
		return err
	}
	if len(m.lvls) > 0 && len(m.lvls) != len(m.levels) {
		return m.Errorf(pos, "Level-rank mismatch between forward-declarations and specifiers. Declared %d level-variables; but got %d level-specifiers.", len(m.lvls), len(m.levels))
	}
	return nil
}

// bind reads the name of a new variable.
func (m *levelMap) bind(list *[]string) error {
	pos := m.Pos()
	name, ok := m.OptionalAnyKeyword()
	if !ok {
		return m.Errorf(pos, "expected bare identifier")
	}
	for _, known := range [][]string{m.syms, m.dims, m.lvls} {
		if slices.Contains(known, name) {
			return m.Errorf(pos, "redefinition of identifier '%s'", name)
		}
	}
	*list = append(*list, name)
	return nil
}

// scope is the values of the named variables.
func (m *levelMap) scope(names []string) map[string]*ir.AffineExpr {
	c := m.Context()
	s := map[string]*ir.AffineExpr{}
	for i, n := range m.syms {
		s[n] = c.AffineSymbol(i)
	}
	for i, n := range names {
		s[n] = c.AffineDim(i)
	}
	return s
}

func (m *levelMap) dimension() error {
	if err := m.bind(&m.dims); err != nil {
		return err
	}
	if m.Optional("=") {
		// The inverse follows from the map, so that the expression is only compared.
		e, err := m.AffineExprOf(m.scope(m.lvls))
		if err != nil {
			return err
		}
		m.lvlToDim = append(m.lvlToDim, e)
	}
	var slice ir.Attribute
	if m.Optional(":") {
		pos := m.Pos()
		a, err := m.Attr(nil)
		if err != nil {
			return err
		}
		if d, ok := a.(*ir.DialectAttr); !ok || d.Dialect.Name != dialectName || d.Mnemonic != sliceMnemonic {
			return m.Errorf(pos, "expected SparseTensorDimSliceAttr")
		}
		slice = a
	}
	m.slices = append(m.slices, slice)
	return nil
}

func (m *levelMap) level() error {
	if len(m.lvls) > 0 {
		pos := m.Pos()
		name, ok := m.OptionalAnyKeyword()
		if !ok {
			return m.Errorf(pos, "expected bare identifier")
		}
		i := slices.Index(m.lvls, name)
		if i < 0 {
			return m.Errorf(pos, "use of undeclared identifier '%s'", name)
		}
		if want := len(m.levels); i != want {
			return m.Errorf(pos, "Level-variable ordering mismatch. The variable '%s' was forward-declared as the %s level; but is bound by the %s specification.",
				name, ordinal(i), ordinal(want))
		}
		if err := m.Expect("="); err != nil {
			return err
		}
	}
	e, err := m.AffineExprOf(m.scope(m.dims))
	if err != nil {
		return err
	}
	if err := m.Expect(":"); err != nil {
		return err
	}
	l, err := parseLevel(m.Parser)
	if err != nil {
		return err
	}
	m.exprs = append(m.exprs, e)
	m.levels = append(m.levels, m.Context().StringAttr(string(l)))
	return nil
}

// ordinal spells n as in "1st".
func ordinal(n int) string {
	suffix := "th"
	if tens := n % 100; tens < 11 || tens > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}

func (m *levelMap) dimToLvl() *ir.AffineMap {
	return m.Context().AffineMap(len(m.dims), len(m.syms), m.exprs...)
}

// sliceList returns the slices of all dimensions if one of them has a slice.
func (m *levelMap) sliceList() *ir.ArrayAttr {
	c := m.Context()
	if !slices.ContainsFunc(m.slices, func(a ir.Attribute) bool { return a != nil }) {
		return c.ArrayAttr()
	}
	list := slices.Clone(m.slices)
	for i, a := range list {
		if a == nil {
			list[i] = c.DialectAttrOf(c.Dialect(dialectName), sliceMnemonic, c.DenseI64Array(0, ir.Dynamic, 1))
		}
	}
	return c.ArrayAttr(list...)
}

// parseLevel reads the format of a level.
func parseLevel(p *asm.Parser) (Level, error) {
	pos := p.Pos()
	name, ok := p.OptionalAnyKeyword()
	if !ok {
		return "", p.Errorf(pos, "expected valid level format (e.g. dense, compressed or singleton)")
	}
	if today, ok := earlierFormats[name]; ok && p.Reads(formatsUntil) {
		return Level(today), nil
	}
	spelled := name
	if name == structured {
		n, m, err := parseStructured(p, pos)
		if err != nil {
			return "", err
		}
		spelled += "[" + strconv.FormatInt(n, 10) + ", " + strconv.FormatInt(m, 10) + "]"
	}
	has := map[string]bool{}
	err := p.List(asm.OptionalParen, func() error {
		pos := p.Pos()
		prop, ok := p.OptionalAnyKeyword()
		if !ok {
			return p.Errorf(pos, "expected valid level property (e.g. nonordered, nonunique or high)")
		}
		if prop == "high" && name == compressed && p.Reads(earlierUntil) {
			name, spelled = looseCompressed, looseCompressed
			return nil
		}
		if !slices.Contains(properties[:], prop) {
			return p.Errorf(pos, "unknown level property: %s", prop)
		}
		has[prop] = true
		return nil
	})
	if err != nil {
		return "", err
	}
	switch name {
	case dense, batch, structured:
		if has[nonunique] || has[nonordered] {
			return "", p.Errorf(pos, "invalid level type: level format doesn't support the properties")
		}
	case compressed, looseCompressed, singleton:
	default:
		return "", p.Errorf(pos, "unknown level format: %s", name)
	}
	var props []string
	for _, prop := range properties {
		if has[prop] {
			props = append(props, prop)
		}
	}
	return spellLevel(spelled, props), nil
}

// parseStructured reads the sizes [n, m] of a structured level.
func parseStructured(p *asm.Parser, pos asm.Pos) (n, m int64, err error) {
	var sizes []int64
	err = p.List(asm.OptionalSquare, func() error {
		pos := p.Pos()
		v, ok, err := p.OptionalInteger()
		if err != nil {
			return err
		}
		if !ok {
			return p.Errorf(pos, "expected valid integer for structured size")
		}
		if v < 0 {
			return p.Errorf(pos, "expected structured size to be >= 0")
		}
		sizes = append(sizes, v)
		return nil
	})
	if err != nil {
		return 0, 0, err
	}
	if len(sizes) != 2 {
		return 0, 0, p.Errorf(pos, "expected exactly 2 structured sizes")
	}
	if sizes[0] > sizes[1] {
		return 0, 0, p.Errorf(pos, "expected n <= m in n_out_of_m")
	}
	return sizes[0], sizes[1], nil
}

// parseSlice reads (offset, size, stride); ? is a value that is not known.
func parseSlice(p *asm.Parser) (ir.Attribute, error) {
	if err := p.Expect("("); err != nil {
		return nil, err
	}
	values := make([]int64, 3)
	for i := range values {
		if i > 0 {
			if err := p.Expect(","); err != nil {
				return nil, err
			}
		}
		v, ok, err := p.OptionalInteger()
		if err != nil {
			return nil, err
		}
		if !ok {
			if err := p.Expect("?"); err != nil {
				return nil, err
			}
			v = ir.Dynamic
		} else if v < 0 {
			return nil, p.Errorf(p.Pos(), "expect positive value or ? for slice offset/size/stride")
		}
		values[i] = v
	}
	c := p.Context()
	return c.DialectAttrOf(c.Dialect(dialectName), sliceMnemonic, c.DenseI64Array(values...)), p.Expect(")")
}

func parseType(p *asm.Parser, mnemonic string) (ir.Type, error) {
	switch mnemonic {
	case spaceMnemonic, iteratorMnemonic:
		return parseLevelRange(p, mnemonic)
	case specifierMnemonic:
	default:
		return nil, nil
	}
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	pos := p.Pos()
	a, ok, err := p.OptionalAttr(nil)
	if err != nil {
		return nil, err
	}
	e, ok2 := EncodingOf(a)
	if !ok || !ok2 {
		return nil, p.Errorf(pos, "expected '<'")
	}
	c := p.Context()
	return c.DialectTypeOf(c.Dialect(dialectName), specifierMnemonic, e.forSpecifier(c).DialectAttr), p.Expect(">")
}
