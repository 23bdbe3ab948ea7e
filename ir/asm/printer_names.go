package asm

import (
	"cmp"
	"slices"
	"sort"
	"strconv"

	"freehold/ir"
)

// valueNames holds the names of the values and blocks of an operation.
type valueNames struct {
	*nameTables
	// shadowed, if not nil, is a value with another name than in the tables.
	shadowed   *ir.Value
	shadowName []byte
	// outer holds the names around an isolated operation.
	outer *valueNames
}

func newValueNames() *valueNames { return &valueNames{nameTables: &nameTables{}} }

type nameTables struct {
	// numbers has the first results of groups, and block arguments; ids is parallel to
	// it: the number that is printed, or, with named set, that of a name.
	numbers ir.Numbering
	ids     []uint32
	used    nameSet // in it are those of the open regions, outermost first
	// blockNumbers has the blocks; blocks is parallel to it.
	blockNumbers ir.Numbering
	blocks       []blockName
	// groups lists the first results of the groups of operations with several.
	groups map[*ir.Op][]int
	// opIDs numbers operations without results, if users of values are printed.
	opIDs map[*ir.Op]uint32
	// start is where the numbers in nested regions start that are named when they are
	// printed, for each region that holds operations with such regions.
	start map[*ir.Region]regionStart
}

// regionStart is what is known where the regions of the operations in a region start:
// the next free numbers, and the names in use. Unless all is set, this is only about
// isolated operations.
type regionStart struct {
	counters
	used []string
	// all is set if all nested regions are named later. The names in use are those of the
	// table, then.
	all bool
}

const named = 1 << 31

type blockName struct {
	order uint32
	label uint32 // number of a name, plus 1; 0 for bb<order>
}

// id returns what ids has of a value.
func (n *nameTables) id(v *ir.Value) (id uint32, ok bool) {
	if i := n.numbers.Value(v); i >= 0 {
		return n.ids[i], true
	}
	return 0, false
}

func (n *nameTables) setID(v *ir.Value, id uint32) {
	if i, added := n.numbers.AddValue(v); !added {
		n.ids[i] = id
		return
	}
	n.ids = append(n.ids, id)
}

// block returns the name of a block, made if need be.
func (n *nameTables) block(b *ir.Block) *blockName {
	i, added := n.blockNumbers.AddBlock(b)
	if added {
		n.blocks = append(n.blocks, blockName{})
	}
	return &n.blocks[i]
}

// blockOrder returns the position of a block in its region; 0 if it has no name.
func (n *nameTables) blockOrder(b *ir.Block) uint32 {
	if i := n.blockNumbers.Block(b); i >= 0 {
		return n.blocks[i].order
	}
	return 0
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
	if v == n.shadowed {
		return append(append(b, '%'), n.shadowName...)
	}
	id, ok := n.id(head)
	if !ok {
		if n.outer != nil {
			return n.outer.append(b, v, number)
		}
		return append(b, "<<UNKNOWN SSA VALUE>>"...)
	}
	b = append(b, '%')
	if id&named != 0 {
		b = append(b, n.used.names[id&^named]...)
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
	n.shadowed, n.shadowName, n.outer = arg, p.names.append(nil, v, true)[1:], p.names
	p.names = &n
}

// numberValues names the values in the regions of op, and its results. Regions
// see the names of the regions around them; a region's values are all named
// before those of nested regions.
//
// The regions of isolated operations are named when these are printed (see
// numberNested), so that few names are kept at a time, unless names must be unique or
// users are printed, or whole is set.
func numberValues(op *ir.Op, o *PrintOptions, whole bool) *valueNames {
	z := newNumberer(newValueNames(), o)
	z.lazy = !z.unique && !o.ValueUsers && !whole
	z.op(op)
	if !z.unique {
		// The regions' values are numbered as if the operation itself had none.
		z.counters = counters{}
	}
	z.regionsOf(op)
	return z.names
}

func newNumberer(n *valueNames, o *PrintOptions) *numberer {
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
	z.nameBlock = func(b *ir.Block, label string) {
		z.names.block(b).label = z.fresh(label) + 1
	}
	z.nameValue = z.suggest
	return z
}

// numberNested names the values in the regions of an operation whose names were left
// out so far; it returns nil if they were not. Of a heavy operation, whose text several
// threads print, only the operations directly in its region are named.
func (p *Printer) numberNested(op *ir.Op) *valueNames {
	start, ok := p.names.start[op.Region()]
	isolated := op.Has(ir.TraitIsolatedFromAbove)
	if !ok || !isolated && !start.all {
		return nil
	}
	n := p.spare
	p.spare = nil
	if n == nil {
		n = newValueNames()
	}
	n.outer = p.names
	if p.numberer == nil {
		p.numberer = newNumberer(n, &p.opts)
		p.numberer.lazy = true
	}
	z := p.numberer
	z.names = n
	z.counters = start.counters
	heavy := weightOf(op) >= heavyOp
	z.direct = isolated && p.split != nil && !p.visiting && op.NumRegions() == 1 && heavy
	if heavy {
		n.reserve(op, z.direct)
	}
	if n.used.outer = nil; start.all {
		n.used.outer = &p.names.used
	}
	for _, s := range start.used {
		n.used.add(s)
	}
	z.regionsOf(op)
	return n
}

// reserve makes room for the names that the values in an operation need, or only those
// directly in its regions: slices that grow leave twice their size behind.
func (n *nameTables) reserve(op *ir.Op, direct bool) {
	values, blocks := 0, 0
	var count func(op *ir.Op)
	count = func(op *ir.Op) {
		for _, r := range op.Regions() {
			blocks += r.NumBlocks()
			for b := range r.Blocks() {
				values += b.NumArgs()
				for x := b.First(); x != nil; x = x.Next() {
					if x.NumResults() > 0 {
						values++
					}
					if !direct && x.NumRegions() > 0 && !x.Has(ir.TraitIsolatedFromAbove) {
						count(x)
					}
				}
			}
		}
	}
	count(op)
	n.numbers.Reserve(values)
	n.ids = slices.Grow(n.ids, values)
	n.blockNumbers.Reserve(blocks)
	n.blocks = slices.Grow(n.blocks, blocks)
}

// release keeps names for reuse that are not needed any more.
func (p *Printer) release(n *valueNames) {
	if n.start != nil {
		return // jobs may need them
	}
	clear(n.groups)
	n.numbers.Reset()
	n.blockNumbers.Reset()
	n.ids, n.blocks, n.outer = n.ids[:0], n.blocks[:0], nil
	n.used.reset()
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
	// lazy is set if the regions of isolated operations are left out.
	lazy     bool
	direct   bool         // all nested regions of the next region are left out
	left     bool         // isolated operations of the region were left out
	inner    []*ir.Region // regions to be named after those around them
	argNames []string     // arg0, arg1, ...
	starts   []int        // of the result groups of the operation, but for 0
	// What operations call with their suggestions.
	nameResult, nameValue func(v *ir.Value, suggestion string)
	nameBlock             func(b *ir.Block, label string)
}

func (z *numberer) region(r *ir.Region) {
	used := &z.names.used
	mark := len(used.added)
	direct := z.direct
	z.direct = false
	op := r.Op()
	if !z.opts.Generic && op != nil {
		if f := formatOf(op.OpName()); f.blockArgNames != nil {
			f.blockArgNames(op, r, z.nameValue)
		}
	}
	order, first := uint32(0), len(z.inner)
	z.left = false
	for b := r.Entry(); b != nil; b = b.Next() {
		z.names.block(b).order = order
		order++
		z.block(b, direct)
	}
	if direct {
		// The names stay in use.
		z.names.start = map[*ir.Region]regionStart{r: {counters: z.counters, all: true}}
		return
	}
	if z.left {
		z.leaveOut(r)
	}
	z.regions(first)
	z.inner = z.inner[:first]
	used.truncate(mark)
}

// leaveOut remembers where the numbers of isolated operations in a region start.
func (z *numberer) leaveOut(r *ir.Region) {
	if _, ok := z.names.start[r]; ok {
		return
	}
	if z.names.start == nil {
		z.names.start = map[*ir.Region]regionStart{}
	}
	start := regionStart{counters: z.counters}
	for _, i := range z.names.used.added {
		start.used = append(start.used, z.names.used.names[i])
	}
	z.names.start[r] = start
}

// regionsOf names the values in the regions of an operation.
func (z *numberer) regionsOf(op *ir.Op) {
	first := len(z.inner)
	z.inner = append(z.inner, op.Regions()...)
	z.regions(first)
	z.inner = z.inner[:first]
}

// regions names the values of regions beside each other, those of the list inner from
// number first on. They use the same numbers, unless unique ones are wanted; then the last
// region comes first.
func (z *numberer) regions(first int) {
	start := z.counters
	for i := len(z.inner) - 1; i >= first; i-- {
		if !z.unique {
			z.counters = start
		}
		z.region(z.inner[i])
	}
}

// block names what is in a block, and adds to the list inner what is nested in it, unless
// that is left out.
func (z *numberer) block(b *ir.Block, direct bool) {
	entry := b.IsEntry()
	for _, a := range b.Args() {
		if !entry {
			z.numberUnnamed(a)
			continue
		}
		if _, ok := z.names.id(a); ok {
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
		if rs := op.Regions(); len(rs) == 0 || direct {
			continue
		} else if z.lazy && op.Has(ir.TraitIsolatedFromAbove) {
			z.left = true
		} else {
			z.inner = append(z.inner, rs...)
		}
	}
}

func (z *numberer) number(v *ir.Value) {
	z.names.setID(v, z.value)
	z.value++
}

// numberUnnamed gives a number to a value that has no name yet, or the name that the options have for it.
func (z *numberer) numberUnnamed(v *ir.Value) {
	i, added := z.names.numbers.AddValue(v)
	if !added {
		return
	}
	z.names.ids = append(z.names.ids, z.value)
	if z.opts.Name != nil {
		if name := z.opts.Name(v); name != "" {
			z.names.ids[i] = named | z.fresh(name)
			return
		}
	}
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
	z.numberUnnamed(op.Result(0))
}

// suggest names a value; without a suggestion it gets a number.
func (z *numberer) suggest(v *ir.Value, name string) {
	if z.opts.Name != nil {
		name = cmp.Or(z.opts.Name(v), name)
	}
	if name == "" {
		z.number(v)
		return
	}
	z.names.setID(v, named|z.fresh(name))
}

// fresh makes a valid name of a suggestion that no open region uses, by appending
// _<number> if need be. It returns the name's number.
func (z *numberer) fresh(name string) uint32 {
	name = validName(name)
	used := &z.names.used
	if used.has(name) {
		for {
			probe := name + "_" + strconv.FormatUint(uint64(z.conflict), 10)
			z.conflict++
			if !used.has(probe) {
				name = probe
				break
			}
		}
	}
	return used.add(name)
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
