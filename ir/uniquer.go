package ir

import (
	"encoding/binary"
	"hash/maphash"
	"sync"
	"sync/atomic"
)

// uniq is embedded in every uniqued type and attribute.
type uniq struct {
	id    uint32
	flags uniqFlags
}

type uniqFlags uint8

// mayAlias marks a type or attribute that is, or contains, one that the printer
// may give an alias.
const mayAlias uniqFlags = 1

// malformed marks a type that can't be spelled, such as one with a negative size, and
// what contains one: programs that have it are invalid. Passes can make such types, for
// programs that mean nothing; the parser refuses them.
const malformed uniqFlags = 2

// uniqued is implemented by what the uniquer stores.
type uniqued interface{ uniqHeader() *uniq }

func (u *uniq) uniqHeader() *uniq { return u }

// uniquer maps the binary key of a type or attribute to the one object that has
// it. A key starts with a kind byte, and names nested objects by their ids. It is a
// hash table with linear probing in which one looks without a lock: entries are only
// ever added, and a table that is full is replaced as a whole.
type uniquer struct {
	next atomic.Uint32
	seed maphash.Seed
	// aliases is set when anything has the flag mayAlias.
	aliases atomic.Bool
	slots   atomic.Pointer[[]atomic.Pointer[uniqEntry]] // their number is a power of two
	mu      sync.Mutex                                  // of those who add
	size    int
}

// uniqEntry is an object with its key and the key's hash.
type uniqEntry struct {
	hash  uint64
	key   string
	value uniqued
}

// reservedIDs is the number of ids that are left to package-level singletons.
const reservedIDs = 64

// firstSlots is the size of the first table.
const firstSlots = 1024

func (u *uniquer) init() {
	u.seed = maphash.MakeSeed()
	u.next.Store(reservedIDs)
	slots := make([]atomic.Pointer[uniqEntry], firstSlots)
	u.slots.Store(&slots)
}

// get returns the object that has the key, which build makes if there is none,
// and takes the key back for reuse.
func (u *uniquer) get(k *key, build func() uniqued) uniqued {
	v := u.find(k.b, build)
	keys.Put(k)
	return v
}

func (u *uniquer) find(key []byte, build func() uniqued) uniqued {
	h := maphash.Bytes(u.seed, key)
	if v, _ := lookUp(*u.slots.Load(), h, key); v != nil {
		return v
	}
	// Built outside the lock: building may unique nested objects.
	n := build()
	header := n.uniqHeader()
	header.id = u.next.Add(1)
	if header.flags&mayAlias != 0 {
		u.aliases.Store(true)
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	slots := *u.slots.Load()
	v, slot := lookUp(slots, h, key)
	if v != nil {
		return v
	}
	slot.Store(&uniqEntry{h, string(key), n})
	if u.size++; 2*u.size > len(slots) {
		u.grow(slots)
	}
	return n
}

// lookUp returns the object with a key and its hash, or the empty slot in which it
// belongs.
func lookUp(slots []atomic.Pointer[uniqEntry], hash uint64, key []byte) (uniqued, *atomic.Pointer[uniqEntry]) {
	mask := uint64(len(slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		switch e := slots[i].Load(); {
		case e == nil:
			return nil, &slots[i]
		case e.hash == hash && e.key == string(key):
			return e.value, nil
		}
	}
}

// grow replaces the table by one of twice the size.
func (u *uniquer) grow(old []atomic.Pointer[uniqEntry]) {
	slots := make([]atomic.Pointer[uniqEntry], 2*len(old))
	mask := uint64(len(slots) - 1)
	for i := range old {
		e := old[i].Load()
		if e == nil {
			continue
		}
		j := e.hash & mask
		for slots[j].Load() != nil {
			j = (j + 1) & mask
		}
		slots[j].Store(e)
	}
	u.slots.Store(&slots)
}

// key builds the key of a type or attribute.
type key struct{ b []byte }

// Kind bytes of keys. They only need to be different from each other.
const (
	kInteger byte = iota
	kComplex
	kTuple
	kFunction
	kVector
	kRankedTensor
	kUnrankedTensor
	kMemRef
	kUnrankedMemRef
	kOpaqueType
	kDialectType
	kIntegerAttr
	kFloatAttr
	kStringAttr
	kArrayAttr
	kDictAttr
	kTypeAttr
	kSymbolRef
	kAffineMapAttr
	kIntegerSetAttr
	kDense
	kDenseString
	kSparse
	kDenseArray
	kDenseResource
	kStrided
	kDistinct
	kOpaqueAttr
	kDialectAttr
	kEnumAttr
	kFileLineCol
	kNameLoc
	kFusedLoc
	kCallSiteLoc
	kOpaqueLoc
	kAffineExpr
	kAffineMap
	kIntegerSet
)

// keys holds keys for reuse.
var keys = sync.Pool{New: func() any { return &key{make([]byte, 0, 64)} }}

func newKey(kind byte) *key {
	k := keys.Get().(*key)
	k.b = append(k.b[:0], kind)
	return k
}

func (k *key) uint(v uint64) { k.b = binary.AppendUvarint(k.b, v) }
func (k *key) int(v int64)   { k.b = binary.AppendVarint(k.b, v) }
func (k *key) ints(v []int64) {
	k.uint(uint64(len(v)))
	for _, x := range v {
		k.int(x)
	}
}
func (k *key) bool(v bool) {
	if v {
		k.b = append(k.b, 1)
	} else {
		k.b = append(k.b, 0)
	}
}
func (k *key) str(s string) {
	k.uint(uint64(len(s)))
	k.b = append(k.b, s...)
}
func (k *key) ref(u uniqued) {
	if u == nil {
		k.uint(0)
		return
	}
	k.uint(uint64(u.uniqHeader().id) + 1)
}
func (k *key) typ(t Type) {
	if t == nil {
		k.uint(0)
		return
	}
	k.ref(t.(uniqued))
}
func (k *key) attr(a Attribute) {
	if a == nil {
		k.uint(0)
		return
	}
	k.ref(a.(uniqued))
}
func (k *key) types(ts []Type) {
	k.uint(uint64(len(ts)))
	for _, t := range ts {
		k.typ(t)
	}
}
func (k *key) attrs(as []Attribute) {
	k.uint(uint64(len(as)))
	for _, a := range as {
		k.attr(a)
	}
}

// aliasFlags joins the flags of nested types and attributes.
func aliasFlags[T any](xs ...T) (f uniqFlags) {
	for _, x := range xs {
		if u, ok := any(x).(uniqued); ok && any(x) != nil {
			f |= u.uniqHeader().flags
		}
	}
	return f
}

// aliasFlags are the flags of the dialect's types and attributes.
func (d *Dialect) aliasFlags() uniqFlags {
	if d.Aliases {
		return mayAlias
	}
	return 0
}

// IsMalformed tells whether a type can't be spelled, or a type or attribute contains one
// that can't.
func IsMalformed(x any) bool {
	u, ok := x.(uniqued)
	return ok && u.uniqHeader().flags&malformed != 0
}

// malformedIf is the flag of types for which something is wrong.
func malformedIf(wrong bool) uniqFlags {
	if wrong {
		return malformed
	}
	return 0
}

// HasAliases tells whether the context has any type or attribute for which
// [MayAlias] holds; the unknown location and those that are not uniqued don't
// count.
func (c *Context) HasAliases() bool { return c.uniquer.aliases.Load() }

// MayAlias tells whether a type or attribute is or contains one that the
// printer may print as an alias: an affine map, an integer set, a distinct attribute,
// or one whose dialect asks for it.
func MayAlias(x any) bool {
	u, ok := x.(uniqued)
	return ok && u.uniqHeader().flags&mayAlias != 0
}
