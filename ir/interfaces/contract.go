package interfaces

import "freehold/ir"

// BorrowedAttr marks buffers that whoever gets them doesn't free, though a call returns them: as they are somebody else's, or as there may be
// ways to them that can't be seen. It is a unit attribute of a function's result, and on a call the array of the numbers of such results.
const BorrowedAttr = "freehold.borrowed"

// OwnedAttr marks results of functions that are always their caller's to free, though that isn't seen where they are returned, but follows from how the
// function was made: it returns this buffer or a copy, and a value tells which. Two such results may be one buffer, which is freed once. It is a unit attribute of a function's result.
const OwnedAttr = "freehold.owned"

// IdentityAttr marks functions that have buffers in the source already, and those of their results that are buffers there: of these it matters which buffer
// one is, as what is written to it is seen by all that have it. Of a tensor, only the contents matter. It is a unit attribute.
const IdentityAttr = "freehold.identity"

// HasIdentity tells whether a result of a function is marked by [IdentityAttr].
func HasIdentity(fn *ir.Op, i int) bool { return ResAttr(fn, i, IdentityAttr) != nil }

// LendsResult tells whether a function says of a result that it is borrowed.
func LendsResult(fn *ir.Op, i int) bool { return ResAttr(fn, i, BorrowedAttr) != nil }

// LendsResults tells whether a function says of a result that it is borrowed.
func LendsResults(fn *ir.Op) bool {
	m, ok := Function.Of(fn)
	if !ok {
		return false
	}
	for i := range m.Type(fn).Results {
		if LendsResult(fn, i) {
			return true
		}
	}
	return false
}

// Restricts is implemented by operations that promise that nothing but their result accesses a buffer while that is in use: it returns the
// buffer, or nil.
var Restricts = ir.NewInterface[func(op *ir.Op) *ir.Value]("Restricts")

// GivesUp is implemented by operations that let others overwrite a buffer, since nothing needs its contents any more but by the operation's result: it
// returns the buffer, or nil.
var GivesUp = ir.NewInterface[func(op *ir.Op) *ir.Value]("GivesUp")
