package ir

import "strconv"

// SymbolNameAttr is the attribute that holds the name of a symbol.
const SymbolNameAttr = "sym_name"

// SymbolVisibilityAttr is the attribute that holds the visibility of a symbol.
const SymbolVisibilityAttr = "sym_visibility"

// SymbolName returns the name of an operation that is a symbol, and whether it is
// one.
func SymbolName(o *Op) (string, bool) {
	if !o.Has(TraitSymbol) && !o.Has(TraitOptionalSymbol) && o.Registered() {
		return "", false
	}
	s, ok := o.Attr(SymbolNameAttr).(*StringAttr)
	if !ok {
		return "", false
	}
	return s.Value, true
}

// IsPublic tells whether a symbol is visible outside its table: neither private
// nor nested.
func IsPublic(o *Op) bool {
	s, ok := o.Attr(SymbolVisibilityAttr).(*StringAttr)
	return !ok || s.Value == "public"
}

// IsPrivate tells whether a symbol is visible in its table only.
func IsPrivate(o *Op) bool {
	s, ok := o.Attr(SymbolVisibilityAttr).(*StringAttr)
	return ok && s.Value == "private"
}

// SymbolTable finds the symbols of an operation with TraitSymbolTable. It does
// not see changes made behind its back.
type SymbolTable struct {
	op     *Op
	byName map[string]*Op
	taken  map[string]int // of a name, that name_0, name_1, ... up to this number aren't free
}

// NewSymbolTable indexes the symbols of a symbol table operation.
func NewSymbolTable(op *Op) *SymbolTable {
	t := &SymbolTable{op: op, byName: map[string]*Op{}}
	if b := op.BodyBlock(0); b != nil {
		for o := b.first; o != nil; o = o.next {
			if n, ok := SymbolName(o); ok {
				if _, dup := t.byName[n]; !dup {
					t.byName[n] = o
				}
			}
		}
	}
	return t
}

// Lookup returns the symbol of that name, or nil.
func (t *SymbolTable) Lookup(name string) *Op { return t.byName[name] }

// LookupRef resolves a reference through nested tables; nil if there is nothing.
func (t *SymbolTable) LookupRef(ref *SymbolRefAttr) *Op {
	return resolveNested(t.byName[ref.Root], ref.Nested)
}

// Insert adds a symbol at the given place of the table (nil: at its end, before a
// terminator), giving it a fresh name (name_0, name_1, ...) if its own is taken.
func (t *SymbolTable) Insert(o *Op, before *Op) string {
	name, _ := SymbolName(o)
	unique := name
	if t.byName[name] != o {
		unique = t.Unique(name)
	}
	if unique != name {
		o.SetAttr(SymbolNameAttr, o.Context().StringAttr(unique))
	}
	t.byName[unique] = o
	if o.block == nil {
		b := t.op.BodyBlock(0)
		if before == nil && b.last != nil && b.last.Has(TraitTerminator) {
			before = b.last
		}
		b.insert(o, before)
	}
	return unique
}

// Op returns the operation that holds the symbols.
func (t *SymbolTable) Op() *Op { return t.op }

// Unique returns the first of name, name_0, name_1, ... that is not in the table.
func (t *SymbolTable) Unique(name string) string {
	if t.byName[name] == nil {
		return name
	}
	for i := t.taken[name]; ; i++ {
		if unique := name + "_" + strconv.Itoa(i); t.byName[unique] == nil {
			if t.taken == nil {
				t.taken = map[string]int{}
			}
			t.taken[name] = i
			return unique
		}
	}
}

// Erase removes a symbol from the table and erases it.
func (t *SymbolTable) Erase(o *Op) {
	if n, ok := SymbolName(o); ok && t.byName[n] == o {
		delete(t.byName, n)
		clear(t.taken)
	}
	o.Erase()
}

// SymbolTableOp returns the closest operation with TraitSymbolTable that is o or
// holds it, or nil. An operation around o of an unregistered dialect with one region
// might be a symbol table, so that the search ends there.
func SymbolTableOp(o *Op) *Op {
	for o != nil && !o.Has(TraitSymbolTable) {
		if o = o.Parent(); o != nil && o.NumRegions() == 1 && o.Dialect() == nil {
			return nil
		}
	}
	return o
}

// LookupSymbol resolves a reference from the closest symbol table around from,
// and returns nil if it names nothing. It searches linearly; use a [SymbolTable]
// for many look-ups in one table.
func LookupSymbol(from *Op, ref *SymbolRefAttr) *Op {
	t := SymbolTableOp(from)
	if t == nil {
		return nil
	}
	return resolveNested(lookupIn(t, ref.Root), ref.Nested)
}

func resolveNested(o *Op, nested []string) *Op {
	for _, n := range nested {
		if o == nil || !o.Has(TraitSymbolTable) {
			return nil
		}
		o = lookupIn(o, n)
	}
	return o
}

func lookupIn(table *Op, name string) *Op {
	b := table.BodyBlock(0)
	if b == nil {
		return nil
	}
	for o := b.first; o != nil; o = o.next {
		if n, ok := SymbolName(o); ok && n == name {
			return o
		}
	}
	return nil
}

// SymbolUses calls fn for each reference to a symbol in the attributes of the
// operations inside root (root included). It does not stop at nested symbol
// tables.
func SymbolUses(root *Op, fn func(user *Op, ref *SymbolRefAttr)) {
	root.Walk(func(o *Op) bool {
		OpSymbolUses(o, func(r *SymbolRefAttr) { fn(o, r) })
		return true
	})
}

// OpSymbolUses calls fn for each reference to a symbol in the attributes of one
// operation, without those nested in it.
func OpSymbolUses(o *Op, fn func(ref *SymbolRefAttr)) {
	for _, p := range o.Props() {
		walkRefs(p, fn)
	}
	for _, a := range o.DiscardableAttrs() {
		walkRefs(a.Value, fn)
	}
	if d := o.PropertiesDict(); d != nil {
		walkRefs(d, fn)
	}
}

func walkRefs(a Attribute, fn func(*SymbolRefAttr)) {
	switch a := a.(type) {
	case *SymbolRefAttr:
		fn(a)
	case *ArrayAttr:
		for _, e := range a.Elems {
			walkRefs(e, fn)
		}
	case *DictAttr:
		for _, e := range a.Entries {
			walkRefs(e.Value, fn)
		}
	case *DistinctAttr:
		walkRefs(a.Referenced, fn)
	}
}

// SymbolTables keeps the [SymbolTable] of every operation that it was asked
// about, so that many references are resolved in constant time each. It does not
// see changes made behind its back.
type SymbolTables struct{ tables map[*Op]*SymbolTable }

// NewSymbolTables returns an empty cache.
func NewSymbolTables() *SymbolTables { return &SymbolTables{map[*Op]*SymbolTable{}} }

// Table returns the index of a symbol table operation.
func (s *SymbolTables) Table(op *Op) *SymbolTable {
	t := s.tables[op]
	if t == nil {
		t = NewSymbolTable(op)
		s.tables[op] = t
	}
	return t
}

// Lookup resolves a reference from the closest symbol table around from, like
// [LookupSymbol].
func (s *SymbolTables) Lookup(from *Op, ref *SymbolRefAttr) *Op {
	table := SymbolTableOp(from)
	if table == nil {
		return nil
	}
	o := s.Table(table).Lookup(ref.Root)
	for _, n := range ref.Nested {
		if o == nil || !o.Has(TraitSymbolTable) {
			return nil
		}
		o = s.Table(o).Lookup(n)
	}
	return o
}
