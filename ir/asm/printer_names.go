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
	// outer holds the names around an isolated operation.
	outer *valueNames
	// start is where the numbers in the regions of isolated operations start, for
	// each region that holds such operations.
	start map[*ir.Region]isolatedStart
}

// isolatedStart is what is known where an isolated operation's regions start: the
// next free numbers, and the names in use.
type isolatedStart struct {
	counters
	used []string
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
		if n.outer != nil {
			return n.outer.append(b, v, number)
		}
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

// shadow gives the argument the name of another value until the operation that is
// being printed ends. Names are shared by jobs, so that they are not changed.
func (p *Printer) shadow(arg, v *ir.Value) {
	n := *p.names
	n.ids = map[*ir.Value]uint32{arg: named}
	n.texts = []string{string(p.names.append(nil, v, true)[1:])}
	n.outer = p.names
	p.names = &n
}

// numberValues names the values in the regions of op, and its results. Regions
// see the names of the regions around them; a region's values are all named
// before those of nested regions.
//
// The regions of isolated operations are named when these are printed (see
// numberIsolated), so that few names are kept at a time, unless names must be
// unique or users are printed, or whole is set.
func numberValues(op *ir.Op, o *PrintOptions, whole bool) *valueNames {
	z := newNumberer(&valueNames{}, o)
	z.lazy = !z.unique && !o.ValueUsers && !whole
	z.op(op)
	if !z.unique {
		// The regions' values are numbered as if the operation itself had none.
		z.counters = counters{}
	}
	z.regions(op.Regions())
	return z.names
}

func newNumberer(n *valueNames, o *PrintOptions) *numberer {
	if n.ids == nil {
		n.ids, n.blocks = map[*ir.Value]uint32{}, map[*ir.Block]blockName{}
	}
	if o.ValueUsers {
		n.opIDs = map[*ir.Op]uint32{}
	}
	z := &numberer{names: n, opts: o, unique: o.UniqueSSAIDs || o.Generic}
	z.nameResult = func(v *ir.Value, suggestion string) {
		z.suggest(v, suggestion)
		if v.Index() > 0 {
			z.starts = append(z.starts, v.Index())
		}
	}
	z.nameBlock = func(b *ir.Block, label string) { z.names.blocks[b] = blockName{label: z.fresh(label)} }
	z.nameValue = z.suggest
	return z
}

// numberIsolated names the values in the regions of an isolated operation, whose
// names were left out so far; it returns nil if they were not.
func (p *Printer) numberIsolated(op *ir.Op) *valueNames {
	start, ok := p.names.start[op.Region()]
	if !ok {
		return nil
	}
	n := p.spare
	p.spare = nil
	if n == nil {
		n = &valueNames{}
	}
	n.outer = p.names
	fresh := n.ids == nil
	if p.numberer == nil {
		p.numberer = newNumberer(n, &p.opts)
		p.numberer.lazy = true
	}
	z := p.numberer
	z.names = n
	z.counters = start.counters
	z.used.truncate(0)
	if fresh {
		// Tables that grow leave twice their size behind.
		size := countNames(op)
		n.ids, n.blocks = make(map[*ir.Value]uint32, size), map[*ir.Block]blockName{}
		n.texts = make([]string, 0, size)
		z.used.reserve(size)
	}
	for _, s := range start.used {
		z.used.add(s)
	}
	z.regions(op.Regions())
	return n
}

// countNames returns how many names the values in an isolated operation need, at
// most.
func countNames(op *ir.Op) (n int) {
	for _, r := range op.Regions() {
		for b := range r.Blocks() {
			n += b.NumArgs()
			for x := b.First(); x != nil; x = x.Next() {
				if x.NumResults() > 0 {
					n++
				}
				if x.NumRegions() > 0 && !x.Has(ir.TraitIsolatedFromAbove) {
					n += countNames(x)
				}
			}
		}
	}
	return n
}

// release keeps names for reuse that are not needed any more. Clearing a map takes
// time by its largest size, so that only small ones are worth it.
func (p *Printer) release(n *valueNames) {
	if len(n.ids) > 512 || len(n.blocks) > 512 || n.groups != nil || n.start != nil {
		return
	}
	clear(n.ids)
	clear(n.blocks)
	n.texts, n.outer = n.texts[:0], nil
	p.spare = n
}

// counters are the next free numbers.
type counters struct{ value, arg, conflict uint32 }

type numberer struct {
	counters
	names *valueNames
	opts  *PrintOptions
	// unique is set if no number is used twice.
	unique bool
	used   nameSet // names in the open regions, outermost first
	// lazy is set if the regions of isolated operations are left out.
	lazy     bool
	argNames []string // arg0, arg1, ...
	starts   []int    // of the result groups of the operation, but for 0
	// What operations call with their suggestions.
	nameResult, nameValue func(v *ir.Value, suggestion string)
	nameBlock             func(b *ir.Block, label string)
}

func (z *numberer) region(r *ir.Region) {
	mark := len(z.used.names)
	op := r.Op()
	if !z.opts.Generic && op != nil {
		if f := formatOf(op.OpName()); f.blockArgNames != nil {
			f.blockArgNames(op, r, z.nameValue)
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
			if rs := op.Regions(); len(rs) > 0 {
				if z.lazy && op.Has(ir.TraitIsolatedFromAbove) {
					z.leaveOut(r)
				} else {
					inner = append(inner, rs...)
				}
			}
		}
	}
	z.regions(inner)
	z.used.truncate(mark)
}

// leaveOut remembers where the numbers of isolated operations in a region start.
func (z *numberer) leaveOut(r *ir.Region) {
	if _, ok := z.names.start[r]; ok {
		return
	}
	if z.names.start == nil {
		z.names.start = map[*ir.Region]isolatedStart{}
	}
	z.names.start[r] = isolatedStart{z.counters, append([]string(nil), z.used.names...)}
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
		for int(z.arg) >= len(z.argNames) {
			z.argNames = append(z.argNames, "arg"+strconv.Itoa(len(z.argNames)))
		}
		name := z.argNames[z.arg]
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
			f.blockNames(op, z.nameBlock)
		}
		if n > 0 && f.resultNames != nil {
			z.starts = z.starts[:0]
			f.resultNames(op, z.nameResult)
			if len(z.starts) > 0 {
				starts := append([]int{0}, z.starts...)
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
	if z.used.has(name) {
		for {
			probe := name + "_" + strconv.FormatUint(uint64(z.conflict), 10)
			z.conflict++
			if !z.used.has(probe) {
				name = probe
				break
			}
		}
	}
	z.used.add(name)
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
