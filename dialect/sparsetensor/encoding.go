package sparsetensor

import (
	"strings"

	"freehold/ir"
)

const (
	encodingMnemonic  = "encoding"
	sliceMnemonic     = "slice"
	specifierMnemonic = "storage_specifier"
)

// Positions of the parameters of an encoding. An absent map or value is a unit
// attribute.
const (
	mapParam = iota
	levelsParam
	posWidthParam
	crdWidthParam
	explicitParam
	implicitParam
	slicesParam
	numParams
)

// Encoding is the attribute #sparse_tensor.encoding, which says how a tensor is
// stored: levels that dimensions are mapped to.
type Encoding struct{ *ir.DialectAttr }

// EncodingOf returns the attribute as an encoding.
func EncodingOf(a any) (Encoding, bool) {
	d, ok := a.(*ir.DialectAttr)
	if !ok || d.Dialect.Name != dialectName || d.Mnemonic != encodingMnemonic {
		return Encoding{}, false
	}
	return Encoding{d}, true
}

// TensorEncoding returns the encoding of a tensor type, and false for a dense
// tensor.
func TensorEncoding(t ir.Type) (Encoding, bool) {
	r, ok := t.(*ir.RankedTensorType)
	if !ok {
		return Encoding{}, false
	}
	return EncodingOf(r.Encoding)
}

// DimToLvl returns the map from dimensions to levels, or nil for the identity.
func (e Encoding) DimToLvl() *ir.AffineMap {
	m, ok := e.Params[mapParam].(*ir.AffineMapAttr)
	if !ok {
		return nil
	}
	return m.Map
}

// Levels returns the formats of the levels.
func (e Encoding) Levels() []Level {
	elems := e.Params[levelsParam].(*ir.ArrayAttr).Elems
	out := make([]Level, len(elems))
	for i, a := range elems {
		out[i] = Level(a.(*ir.StringAttr).Value)
	}
	return out
}

// LvlRank returns the number of levels.
func (e Encoding) LvlRank() int { return len(e.Params[levelsParam].(*ir.ArrayAttr).Elems) }

// DimRank returns the number of dimensions.
func (e Encoding) DimRank() int {
	if m := e.DimToLvl(); m != nil {
		return m.Dims
	}
	return e.LvlRank()
}

func (e Encoding) width(param int) int64 { return e.Params[param].(*ir.IntegerAttr).Value }

// storage returns the type of stored numbers of a width, where 0 stands for index.
func (e Encoding) storage(c *ir.Context, param int) ir.Type {
	if w := e.width(param); w != 0 {
		return c.Integer(int(w))
	}
	return ir.Index
}

// Slices returns the slices of the dimensions; it is empty where the tensor is no
// slice of another one.
func (e Encoding) Slices() []ir.Attribute { return e.Params[slicesParam].(*ir.ArrayAttr).Elems }

// cooStart returns the first level of coordinates that are stored together, as an array of
// structures, or the number of levels: a compressed one that singletons follow.
func (e Encoding) cooStart() int {
	levels := e.Levels()
	for i, l := range levels[:max(len(levels)-1, 0)] {
		if next := levels[i+1]; (l.is(compressed) || l.is(looseCompressed)) && next.is(singleton) && !next.has(soa) {
			return i
		}
	}
	return len(levels)
}

// fields returns the element types of what is stored besides values: positions and
// coordinates of each level that has them; coordinates that are stored together are one.
func (e Encoding) fields(c *ir.Context) []ir.Type {
	var out []ir.Type
	coo := e.cooStart()
	for i, l := range e.Levels() {
		if l.is(compressed) || l.is(looseCompressed) {
			out = append(out, e.storage(c, posWidthParam))
		}
		if i <= coo && !l.is(dense) && !l.is(batch) {
			out = append(out, e.storage(c, crdWidthParam))
		}
	}
	return out
}

// forSpecifier returns the encoding with nothing but what storage specifiers
// depend on.
func (e Encoding) forSpecifier(c *ir.Context) Encoding {
	var levels []ir.Attribute
	for _, l := range e.Levels() {
		levels = append(levels, c.StringAttr(string(l.without(nonunique, nonordered))))
	}
	zero := c.I64Attr(0)
	params := make([]ir.Attribute, numParams)
	params[mapParam], params[levelsParam] = ir.Unit, c.ArrayAttr(levels...)
	params[posWidthParam], params[crdWidthParam] = zero, zero
	params[explicitParam], params[implicitParam] = ir.Unit, ir.Unit
	params[slicesParam] = e.Params[slicesParam]
	return Encoding{c.DialectAttrOf(c.Dialect(dialectName), encodingMnemonic, params...)}
}

// Level is the format of a level as it is spelled: its name, sizes in brackets for
// structured ones, and properties in parentheses.
type Level string

// The names of formats and properties.
const (
	dense           = "dense"
	batch           = "batch"
	compressed      = "compressed"
	structured      = "structured"
	looseCompressed = "loose_compressed"
	singleton       = "singleton"

	nonunique  = "nonunique"
	nonordered = "nonordered"
	soa        = "soa"
)

// properties lists the properties in the order in which they are spelled.
var properties = [...]string{nonunique, nonordered, soa}

func (l Level) is(format string) bool { return l.format() == format }

func (l Level) format() string {
	if i := strings.IndexAny(string(l), "[("); i >= 0 {
		return string(l[:i])
	}
	return string(l)
}

func (l Level) has(property string) bool {
	_, list, _ := strings.Cut(string(l), "(")
	return strings.Contains(list, property)
}

// without returns the level without some of its properties.
func (l Level) without(drop ...string) Level {
	name, _, _ := strings.Cut(string(l), "(")
	var keep []string
	for _, p := range properties {
		dropped := false
		for _, d := range drop {
			dropped = dropped || d == p
		}
		if l.has(p) && !dropped {
			keep = append(keep, p)
		}
	}
	return spellLevel(name, keep)
}

func spellLevel(name string, props []string) Level {
	if len(props) > 0 {
		name += "(" + strings.Join(props, ", ") + ")"
	}
	return Level(name)
}
