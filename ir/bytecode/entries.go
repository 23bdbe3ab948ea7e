package bytecode

import (
	"sort"
	"sync/atomic"
)

// table holds the attributes or types of a file. Each is read when it is needed first, by any
// goroutine; if several do so at the same time, all use what the first one stores.
type table[T any] struct {
	// bounds are where entries start, above entryFlags, and where the last one ends.
	bounds []uint64
	groups []entryGroup
	values []atomic.Pointer[value[T]]
}

// Flags of an entry.
const (
	customEntry  = 1 << iota // in the dialect's encoding, and not text
	builtinEntry             // in that of package ir
	entryFlags   = 2         // their number
)

// entryGroup is some entries of one dialect.
type entryGroup struct {
	end     int // number of the first entry behind them
	dialect *dialectName
}

// value is an attribute or type that was read.
type value[T any] struct {
	it     T
	height int // how deep attributes and types are nested in it, with itself
}

// len returns the number of entries.
func (t *table[T]) len() int { return len(t.values) }

// bytes returns where entry i starts and ends.
func (t *table[T]) bytes(i int) (start, end int) {
	return int(t.bounds[i] >> entryFlags), int(t.bounds[i+1] >> entryFlags)
}

// dialect returns the dialect of entry i.
func (t *table[T]) dialect(i int) *dialectName {
	g := sort.Search(len(t.groups), func(g int) bool { return t.groups[g].end > i })
	return t.groups[g].dialect
}

// forget makes all entries unread.
func (t *table[T]) forget() { t.values = make([]atomic.Pointer[value[T]], len(t.values)) }

// readEntries reads where attributes and types start.
func (f *file) readEntries() *fault {
	c, data := f.sections[entryOffsetSection], f.sections[entrySection]
	attrs := c.count("attributes", 1)
	types := c.count("types", 1)
	at := data.pos
	f.attrs.readGroups(f, c, attrs, &at, data.end)
	f.types.readGroups(f, c, types, &at, data.end)
	return c.err
}

// readGroups reads groups of n entries of one dialect each; at is where the next one starts.
func (t *table[T]) readGroups(f *file, c *cursor, n int, at *int, end int) {
	t.bounds = make([]uint64, n+1)
	t.values = make([]atomic.Pointer[value[T]], n)
	for i := 0; i < n && c.ok(); {
		d := c.index("dialect", len(f.dialects))
		group := c.count("entries", 1)
		if c.ok() && (group > n-i || group == 0) {
			c.fail("a group has %d entries where %d are missing", group, n-i)
		}
		if !c.ok() {
			return
		}
		dialect := f.dialects[d]
		t.groups = append(t.groups, entryGroup{i + group, dialect})
		var encoded uint64 = customEntry
		if dialect.name == builtinDialect {
			encoded |= builtinEntry
		}
		for ; group > 0 && c.ok(); group-- {
			size, custom := c.flagged()
			if size > uint64(end-*at) {
				c.fail("an entry of %d bytes doesn't end in its section", size)
				return
			}
			t.bounds[i] = uint64(*at) << entryFlags
			if custom {
				t.bounds[i] |= encoded
			}
			*at += int(size)
			i++
		}
	}
	t.bounds[n] = uint64(*at) << entryFlags
}
