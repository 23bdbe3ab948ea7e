// Package bytecode reads and writes programs in MLIR's bytecode, the binary form in which
// tools store them: [Read] takes what any version of the format says, [Write] writes any
// version.
//
// A file is a header and sections: the strings, the names of dialects and operations, the
// attributes and types with an index of where each of them starts, the tree of operations,
// resources, and properties, which are the inherent attributes of operations. Everything
// refers to strings, attributes and types by numbers, those that are used most having the
// smallest. An attribute or type is either encoded by its dialect ([Encoding]) or stands
// there as text.
//
// Which inherent attributes an operation has, in which order, and which may be absent, is
// what its definition declares ([freehold/ir.OpDef]).
package bytecode

import "bytes"

// magic is how every file starts.
const magic = "ML\xefR"

// Is tells whether data is bytecode, and not text.
func Is(data []byte) bool { return bytes.HasPrefix(data, []byte(magic)) }

// The versions of the format in which something changed.
const (
	// MinVersion is the oldest version.
	MinVersion = 0
	// dialectVersions: dialects may tell a version of their own.
	dialectVersions = 1
	// lazyRegions: regions that are isolated from above are sections of their own.
	lazyRegions = 2
	// useListOrders: the order of the uses of a value is kept.
	useListOrders = 3
	// elidedLocations: an unknown location of a block argument is left out, and the number
	// of operation names is told.
	elidedLocations = 4
	// nativeProperties: inherent attributes are apart from the discardable ones.
	nativeProperties = 5
	// nativeSegments: the sizes of groups of operands and results are numbers, and no
	// attribute.
	nativeSegments = 6
	// Version is the latest version.
	Version = 6
)

// sectionID is the kind of a section.
type sectionID byte

// The sections.
const (
	stringSection sectionID = iota
	dialectSection
	entrySection
	entryOffsetSection
	irSection
	resourceSection
	resourceOffsetSection
	dialectVersionSection
	propertySection
	numSections
)

// sectionAligned marks the kind of a section that says how its data are aligned.
const sectionAligned = 0x80

// padding fills what alignment leaves free.
const padding = 0xcb

// opParts are the parts that an operation has beside its name and location.
type opParts byte

// The parts of operations.
const (
	hasAttrs opParts = 1 << iota
	hasResults
	hasOperands
	hasSuccessors
	hasRegions
	hasUseListOrders
	hasProperties
)

// Kinds of resources.
const (
	blobKind byte = iota
	boolKind
	stringKind
)

// maxDepth bounds how deep regions, and attributes and types, may be nested.
const maxDepth = 2048
