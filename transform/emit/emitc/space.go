package emitc

import (
	"fmt"
	"strings"

	"freehold/ir"
)

// spaceWord returns the name of a memory space as a part of C names; "" for the memory without a name.
func spaceWord(space ir.Attribute) string {
	if space == nil {
		return ""
	}
	return strings.ToUpper(strings.Trim(strings.Map(func(r rune) rune {
		if r < 128 && isWord(byte(r)) {
			return r
		}
		return '_'
	}, strings.TrimSuffix(space.String(), " : i64")), "_"))
}

// spaceMacro returns the macro that says where the globals of a memory space are, which is empty unless who compiles the program defines it: as an
// attribute for a section, for instance.
func (m *module) spaceMacro(space ir.Attribute) string {
	word := spaceWord(space)
	if word == "" {
		return ""
	}
	name := "FH_MEMORY_" + word
	m.helpers.define(name, fmt.Sprintf(`
/* Where what is in the memory space %s is, such as __attribute__((section(".fast"))). */
#ifndef %[2]s
#define %[2]s
#endif`, comment(strings.TrimSuffix(space.String(), " : i64")), name))
	return name + " "
}
