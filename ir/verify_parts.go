package ir

import (
	"sync/atomic"

	"freehold/internal/parallel"
)

// PartVerifier verifies one part of a program after another, and keeps memory from one
// to the next. It must be used by one goroutine at a time.
type PartVerifier struct{ v verifier }

// NewPartVerifier returns a verifier for programs of the context.
func NewPartVerifier(c *Context) *PartVerifier {
	return &PartVerifier{verifier{ctx: c, idle: new(atomic.Int32)}}
}

// Verify is [Verify] for an isolated operation that is a part of a program of which
// other parts may be changing meanwhile. References to symbols around it are not
// checked: it returns the operations with such references, which are for
// [VerifyAround] to check. It uses up to the given number of threads.
func (p *PartVerifier) Verify(op *Op, threads int) (symbolUsers []*Op, err error) {
	defer parallel.Locate(verifierCrash(op))
	v := &p.v
	v.idle.Store(int32(threads - 1))
	ds := v.isolated(op)
	symbolUsers = append(symbolUsers, v.symbolUsers...)
	// An error may have ended the work anywhere.
	v.symbolUsers, v.far, v.firstFar, v.nested = v.symbolUsers[:0], v.far[:0], 0, v.nested[:0]
	if len(ds) > 0 {
		return nil, ds.asError()
	}
	return symbolUsers, nil
}

// VerifyAround is [Verify] for an operation of which parts, isolated operations in it,
// are known to be sound but for their references to symbols around them: parts holds
// the operations with such references, as [PartVerifier.Verify] or [SymbolUsers] lists them.
func VerifyAround(op *Op, parts map[*Op][]*Op) error {
	defer parallel.Locate(verifierCrash(op))
	v := &verifier{ctx: op.Context(), idle: new(atomic.Int32), parts: parts}
	ds := v.isolated(op)
	return ds.asError()
}

// SymbolUsers lists the operations in op, itself included, that check references to
// symbols around op.
func SymbolUsers(op *Op) []*Op {
	var users []*Op
	op.Walk(func(o *Op) bool {
		if o.Registered() && o.name.def.VerifySymbolUses != nil {
			users = append(users, o)
		}
		return !o.Has(TraitSymbolTable)
	})
	return users
}

// withoutParts copies the list of isolated operations without the parts that are known
// to be sound, of which only references to symbols are left to check.
func (v *verifier) withoutParts(isolated []*Op) []*Op {
	if v.parts == nil {
		return append([]*Op(nil), isolated...)
	}
	var rest []*Op
	for _, op := range isolated {
		if users, part := v.parts[op]; part {
			v.symbolUsers = append(v.symbolUsers, users...)
		} else {
			rest = append(rest, op)
		}
	}
	return rest
}
