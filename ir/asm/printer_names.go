package asm

import (
	"sort"
	"strconv"

	"freehold/ir"
)

// valueNames holds the names of the values and blocks of an operation.
type valueNames struct {
	// ids maps the first result of a group and block arguments to a number, or, with
	// named set, to an index into texts.
	ids   map[*ir.Value]uint32
	texts []string
	// groups lists the first results of the groups of operations with several.
	groups map[*ir.Op][]int
	blocks map[*ir.Block]blockName
	// opIDs numbers operations without results, if users of values are printed.
	opIDs map[*ir.Op]uint32
}

const named = 1 << 31

type blockName struct {
	order int
	label string // "" for bb<order>
}

// append writes %name, and #n for a result of a group of several if number is set.
func (n *valueNames) append(b []byte, v *ir.Value, number bool) []byte {
	if v == nil {
		return append(b, "<<NULL VALUE>>"...)
	}
	member := -1
	head := v
	if op := v.DefiningOp(); op != nil && op.NumResults() > 1 {
		head, member = n.group(op, v.Index())
	}
	id, ok := n.ids[head]
	if !ok {
		return append(b, "<<UNKNOWN SSA VALUE>>"...)
	}
	b = append(b, '%')
	if id&named != 0 {
		b = append(b, n.texts[id&^named]...)
	} else {
		b = strconv.AppendUint(b, uint64(id), 10)
	}
	if number && member >= 0 {
		b = append(b, '#')
		b = strconv.AppendInt(b, int64(member), 10)
	}
	return b
}

// group returns the first result of the group in which result i is, and i's number
// in it, or -1 if it is alone.
func (n *valueNames) group(op *ir.Op, i int) (*ir.Value, int) {
	starts := n.groups[op]
	if starts == nil {
		return op.Result(0), i
	}
	k := sort.SearchInts(starts, i+1) - 1
	end := op.NumResults()
	if k+1 < len(starts) {
		end = starts[k+1]
	}
	if end-starts[k] == 1 {
		return op.Result(starts[k]), -1
	}
	return op.Result(starts[k]), i - starts[k]
}

// shadow gives the argument the name of another value.
func (n *valueNames) shadow(arg, v *ir.Value) {
	text := string(n.append(nil, v, true)[1:])
	n.ids[arg] = named | uint32(len(n.texts))
	n.texts = append(n.texts, text)
}

// numberValues names the values in the regions of op, and its results. Regions
// see the names of the regions around them; a region's values are all named
// before those of nested regions.
func numberValues(op *ir.Op, o *PrintOptions) *valueNames {
	n := &valueNames{ids: map[*ir.Value]uint32{}, blocks: map[*ir.Block]blockName{}}
	if o.ValueUsers {
		n.opIDs = map[*ir.Op]uint32{}
	}
	z := &numberer{names: n, opts: o, unique: o.UniqueSSAIDs || o.Generic, used: map[string]bool{}}
	// The regions' values are numbered as if the operation itself had none.
	z.op(op)
	z.counters = counters{}
	z.regions(op.Regions())
	return n
}

// counters are the next free numbers.
type counters struct{ value, arg, conflict uint32 }

type numberer struct {
	counters
	names *valueNames
	opts  *PrintOptions
	// unique is set if no number is used twice.
	unique bool
	used   map[string]bool
	scope  []string // names used in the open regions, outermost first
}

func (z *numberer) region(r *ir.Region) {
	mark := len(z.scope)
	op := r.Op()
	if !z.opts.Generic && op != nil {
		if f := formatOf(op.OpName()); f.blockArgNames != nil {
			f.blockArgNames(op, r, z.suggest)
		}
	}
	order := 0
	for b := r.Entry(); b != nil; b = b.Next() {
		x := z.names.blocks[b]
		x.order = order
		z.names.blocks[b] = x
		order++
		z.block(b)
	}
	var inner []*ir.Region
	for b := r.Entry(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; op = op.Next() {
			inner = append(inner, op.Regions()...)
		}
	}
	z.regions(inner)
	for _, s := range z.scope[mark:] {
		delete(z.used, s)
	}
	z.scope = z.scope[:mark]
}

// regions names the values of regions beside each other. They use the same
// numbers, unless unique ones are wanted; then the last region comes first.
func (z *numberer) regions(rs []*ir.Region) {
	start := z.counters
	for i := len(rs) - 1; i >= 0; i-- {
		if !z.unique {
			z.counters = start
		}
		z.region(rs[i])
	}
}

func (z *numberer) block(b *ir.Block) {
	entry := b.IsEntry()
	for _, a := range b.Args() {
		if _, ok := z.names.ids[a]; ok {
			continue
		}
		if !entry {
			z.number(a)
			continue
		}
		name := "arg" + strconv.FormatUint(uint64(z.arg), 10)
		z.arg++
		z.suggest(a, name)
	}
	for op := b.First(); op != nil; op = op.Next() {
		z.op(op)
	}
}

func (z *numberer) number(v *ir.Value) {
	z.names.ids[v] = z.value
	z.value++
}

func (z *numberer) op(op *ir.Op) {
	n := op.NumResults()
	if !z.opts.Generic {
		f := formatOf(op.OpName())
		if f.blockNames != nil {
			f.blockNames(op, func(b *ir.Block, label string) {
				z.names.blocks[b] = blockName{label: z.fresh(label)}
			})
		}
		if n > 0 && f.resultNames != nil {
			var starts []int
			f.resultNames(op, func(v *ir.Value, suggestion string) {
				z.suggest(v, suggestion)
				if v.Index() > 0 {
					starts = append(starts, v.Index())
				}
			})
			if starts != nil {
				starts = append(starts, 0)
				sort.Ints(starts)
				if z.names.groups == nil {
					z.names.groups = map[*ir.Op][]int{}
				}
				z.names.groups[op] = starts
			}
		}
	}
	if n == 0 {
		if z.opts.ValueUsers {
			z.names.opIDs[op] = z.value
			z.value++
		}
		return
	}
	if _, ok := z.names.ids[op.Result(0)]; !ok {
		z.number(op.Result(0))
	}
}

// suggest names a value; without a suggestion it gets a number.
func (z *numberer) suggest(v *ir.Value, name string) {
	if name == "" {
		z.number(v)
		return
	}
	z.names.ids[v] = named | uint32(len(z.names.texts))
	z.names.texts = append(z.names.texts, z.fresh(name))
}

// fresh makes a valid name of a suggestion that no open region uses, by appending
// _<number> if need be.
func (z *numberer) fresh(name string) string {
	name = validName(name)
	if z.used[name] {
		for {
			probe := name + "_" + strconv.FormatUint(uint64(z.conflict), 10)
			z.conflict++
			if !z.used[probe] {
				name = probe
				break
			}
		}
	}
	z.used[name] = true
	z.scope = append(z.scope, name)
	return name
}

// validName replaces what can't stand in the name of a value or block.
func validName(s string) string {
	ok := s != ""
	for i := 0; i < len(s) && ok; i++ {
		ok = nameChar(s[i])
	}
	// A name that starts with a digit must be a number altogether.
	if ok && (s[0] < '0' || s[0] > '9') {
		return s
	}
	var b []byte
	if s != "" && s[0] >= '0' && s[0] <= '9' {
		b = append(b, '_')
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case nameChar(c):
			b = append(b, c)
		case c == ' ':
			b = append(b, '_')
		default:
			b = append(b, strconv.FormatUint(uint64(c), 16)...)
		}
	}
	return string(b)
}

func nameChar(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '$' || c == '.'
}
