// Package hugepages has the heap's next addresses mapped in large pages: touching fresh
// memory, a page after the other, is else a third of the time of a command.
package hugepages

// Size is in how large pieces, in bytes, the heap is advised: the runtime takes addresses in
// pieces as large.
const Size = 64 << 20

// Page is the size of a large page, in bytes.
const Page = 2 << 20
