// Package layout has the order of the rooms of the house, in which arrows between packages go down only.
package layout

import "strings"

// rooms are the folders, from the lowest to the highest: a package may import what stands in a room at or above its own in
// this list. Of two that a package is in, the longer one counts.
var rooms = []string{
	"internal",
	"ir",
	"pass",
	"ir/interfaces",
	"ir/rewrite",
	"ir/conversion",
	"ir/analysis",
	"exec",
	"proof/semantics",
	"dialect",
	"memory",
	"transform",
	"exec/interp",
	"exec/native",
	"exec/difftest",
	"proof",
	"compile",
	"driver",
	"tool",
	"internal/testing",
	"cmd",
	"examples",
}

// Room returns the number of the room that a package is in, by its path in the module, or -1.
func Room(path string) int {
	at := -1
	for i, r := range rooms {
		if (path == r || strings.HasPrefix(path, r+"/")) && (at < 0 || len(r) > len(rooms[at])) {
			at = i
		}
	}
	return at
}

// MayImport tells whether one package may import another one.
func MayImport(from, to string) bool { return Room(from) >= Room(to) && Room(to) >= 0 }
