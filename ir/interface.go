package ir

// Interface is something that an operation (or a dialect) can promise, such as
// knowing its memory effects. T is the Go interface or struct that a model of it
// implements. Interfaces are package-level variables, and their identity is
// their address.
type Interface[T any] struct {
	name                  string
	verify, verifyRegions func(op *Op, model T) error
}

// NewInterface declares an interface. The name is for messages.
func NewInterface[T any](name string) *Interface[T] { return &Interface[T]{name: name} }

// NewVerifiedInterface declares an interface whose operations [Verify] checks
// with verify, before the definition's own Verify, and with verifyRegions, after
// what is nested was verified. Both are given the operation's model, and may be
// nil.
func NewVerifiedInterface[T any](name string, verify, verifyRegions func(op *Op, model T) error) *Interface[T] {
	return &Interface[T]{name, verify, verifyRegions}
}

// verifiers returns the checks for operations with the given model; nil where
// there is nothing to check.
func (i *Interface[T]) verifiers(impl any) (verify, verifyRegions func(op *Op) error) {
	model := impl.(T)
	if i.verify != nil {
		verify = func(op *Op) error { return i.verify(op, model) }
	}
	if i.verifyRegions != nil {
		verifyRegions = func(op *Op) error { return i.verifyRegions(op, model) }
	}
	return verify, verifyRegions
}

// Model is the implementation of one interface by one operation or dialect.
type Model struct{ key, impl any }

// Name returns the interface's name.
func (i *Interface[T]) Name() string { return i.name }

// Model wraps an implementation for the Models of an [OpDef] or [Dialect].
func (i *Interface[T]) Model(impl T) Model { return Model{i, impl} }

// Of returns the operation's implementation of the interface and whether it has
// one.
func (i *Interface[T]) Of(op *Op) (T, bool) { return i.in(op.name.def.Models) }

// OfDef is Of for a definition.
func (i *Interface[T]) OfDef(def *OpDef) (T, bool) { return i.in(def.Models) }

// OfDialect returns the dialect's implementation of the interface, if any. The
// dialect may be nil.
func (i *Interface[T]) OfDialect(d *Dialect) (T, bool) {
	if d == nil {
		var zero T
		return zero, false
	}
	return i.in(d.Models)
}

func (i *Interface[T]) in(models []Model) (T, bool) {
	for k := range models {
		if models[k].key == any(i) {
			return models[k].impl.(T), true
		}
	}
	var zero T
	return zero, false
}
