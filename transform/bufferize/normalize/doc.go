// Package normalize brings programs on tensors into a form in which bufferization makes the same of them, however they were written: an
// exporter may have merged equal tensors or not, computed things early or late, and written loops in this or that way. What is equal is merged
// first, since only then it is known that it is equal; then what is cheaper to make again than to keep gets apart again, for each use that needs
// a buffer of its own.
//
// Each step is a pass; [Pipeline] is all of them.
package normalize
