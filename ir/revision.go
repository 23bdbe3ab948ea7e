package ir

// DefinedBy is the version of LLVM whose operations definitions are.
const DefinedBy = 19

// Revision is what a version of LLVM later than 19 changed about an operation besides its spelling: what it verifies, how it
// folds, and what models it has. It holds for the programs of a context for that version, or a later one; see [NewContextFor].
type Revision struct {
	// Since is the first version of LLVM that has it.
	Since int
	// Evident tells that who writes what Verify accepts, and that of the definition refuses, writes it for Since or later: it has
	// a meaning there, and is no mistake that programs for earlier versions have as well. See [Diagnostic.ValidSince].
	Evident bool
	// Verify, Fold and InferTypes take the place of those of the definition, if they aren't nil.
	Verify     func(op *Op) error
	Fold       func(op *Op, operands []Attribute) []FoldResult
	InferTypes func(s *OpState) ([]Type, error)
	// Traits and TypeRules are added to those of the definition, and models take the place of those of the same interface.
	Traits    Traits
	TypeRules []TypeRule
	Models    []Model
	// Def takes the place of the whole definition, and of revisions before this one, where an operation has other operands, results or
	// attributes. Its spellings are those that programs of that version may have, besides its own. May be nil.
	Def *OpDef
}

// revised returns the definition as a version of LLVM has it. It is d itself where nothing was revised.
func (d *OpDef) revised(version int) *OpDef {
	for _, r := range d.Revisions {
		if r.Since <= version {
			if r.Def != nil {
				d = r.Def
			}
			d = d.With(OpDef{Verify: r.Verify, Fold: r.Fold, InferTypes: r.InferTypes, Traits: r.Traits, TypeRules: r.TypeRules, Models: r.Models})
		}
	}
	return d
}

// FoldOf returns how an operation folds in a version of LLVM, or in the one that d is of, if that is later; nil if it doesn't. Versions in which it has other operands don't count.
func (d *OpDef) FoldOf(llvm int) func(op *Op, operands []Attribute) []FoldResult {
	fold := d.Fold
	for i := range d.Revisions {
		r := &d.Revisions[i]
		if r.Since > llvm || r.Def != nil {
			break
		}
		if r.Fold != nil {
			fold = r.Fold
		}
	}
	return fold
}

// evidentSince returns the first version of LLVM in which op, which the definition's Verify refuses, is evidently meant; 0 if
// there is none.
func (d *OpDef) evidentSince(op *Op) int {
	for _, r := range d.Revisions {
		if r.Evident && r.Since > op.Context().llvm && r.Verify(op) == nil {
			return r.Since
		}
	}
	return 0
}
