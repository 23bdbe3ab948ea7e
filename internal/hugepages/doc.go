// Package hugepages has the heap's next addresses mapped in large pages: touching fresh
// memory, a page after the other, is else a third of the time of a command.
package hugepages
