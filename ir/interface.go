package ir

import (
	"fmt"
	"slices"
	"sync/atomic"

	"freehold/internal/slab"
)

// Interface is something that an operation (or a dialect, or a type of one) can promise,
// such as knowing its memory effects. T is the Go interface or struct that a model of it
// implements. Interfaces are package-level variables, and their identity is
// their address.
type Interface[T any] struct {
	name                  string
	number                int
	verify, verifyRegions func(op *Op, model T) error
}

// numbers counts the interfaces of the process. Numbers are identities like addresses;
// that they are small and dense makes finding a model an index.
var numbers atomic.Int32

// NewInterface declares an interface. The name is for messages.
func NewInterface[T any](name string) *Interface[T] {
	return NewVerifiedInterface[T](name, nil, nil)
}

// NewVerifiedInterface declares an interface whose operations [Verify] checks
// with verify, before the definition's own Verify, and with verifyRegions, after
// what is nested was verified. Both are given the operation's model, and may be
// nil.
func NewVerifiedInterface[T any](name string, verify, verifyRegions func(op *Op, model T) error) *Interface[T] {
	return &Interface[T]{name, int(numbers.Add(1)) - 1, verify, verifyRegions}
}

// verifiers returns the checks for operations with the given model; nil where
// there is nothing to check.
func (i *Interface[T]) verifiers(impl any) (verify, verifyRegions func(op *Op) error) {
	model := *impl.(*T)
	if i.verify != nil {
		verify = func(op *Op) error { return i.verify(op, model) }
	}
	if i.verifyRegions != nil {
		verifyRegions = func(op *Op) error { return i.verifyRegions(op, model) }
	}
	return verify, verifyRegions
}

// Model is the implementation of one interface by one operation, dialect, or type.
type Model struct {
	of   anyInterface
	impl any // a *T
}

// anyInterface is an Interface of any type.
type anyInterface interface {
	id() int
	Name() string
	verifiers(impl any) (verify, verifyRegions func(op *Op) error)
}

func (i *Interface[T]) id() int { return i.number }

// Name returns the interface's name.
func (i *Interface[T]) Name() string { return i.name }

// Model wraps an implementation for the Models of an [OpDef], [Dialect] or [TypeDef], or
// for [Context.Attach] and [Context.AttachToType].
func (i *Interface[T]) Model(impl T) Model { return Model{i, &impl} }

// Of returns the operation's implementation of the interface and whether it has
// one.
func (i *Interface[T]) Of(op *Op) (T, bool) { return i.in(&op.name.models) }

// OfName is Of for all operations of a name.
func (i *Interface[T]) OfName(n *OpName) (T, bool) { return i.in(&n.models) }

// Has tells whether an operation implements the interface.
func (i *Interface[T]) Has(op *Op) bool {
	_, ok := i.Of(op)
	return ok
}

func (i *Interface[T]) in(t *modelTable) (T, bool) {
	if i.number < len(t.at) {
		if k := t.at[i.number]; k != 0 {
			return *t.list[k-1].impl.(*T), true
		}
	}
	var zero T
	return zero, false
}

// OfDialect returns the dialect's implementation of the interface, if any. The
// dialect may be nil.
func (i *Interface[T]) OfDialect(d *Dialect) (T, bool) {
	if d != nil {
		for k := range d.Models {
			if d.Models[k].of.id() == i.number {
				return *d.Models[k].impl.(*T), true
			}
		}
	}
	var zero T
	return zero, false
}

// modelTable has the models of an operation, and for each interface, by its number,
// the position of its model in the list, plus 1.
type modelTable struct {
	list []Model
	at   []uint8
}

// newModelTable makes the table of the models of what has the name, of which no two may be
// of one interface. It shares the list of models; room is what the index is cut from.
func newModelTable(name string, models []Model, room *slab.Pool[uint8]) modelTable {
	interfaces := 0
	for _, m := range models {
		interfaces = max(interfaces, m.of.id()+1)
	}
	t := modelTable{models, room.Take(interfaces)}
	for k, m := range models {
		if t.at[m.of.id()] != 0 {
			panic(fmt.Sprintf("ir: %q implements %s twice", name, m.of.Name()))
		}
		t.at[m.of.id()] = uint8(k + 1)
	}
	return t
}

// attached returns the table with more models.
func (t modelTable) attached(name string, more []Model) modelTable {
	return newModelTable(name, withModels(t.list, more), new(slab.Pool[uint8]))
}

// attachments are the interfaces of which models were attached to operations and types.
type attachments map[attachment]bool

type attachment struct {
	to string
	id int
}

// add notes models. It panics if one was attached before: of two families that bring a
// model of one interface, one would work with that of the other.
func (a *attachments) add(to string, models []Model) {
	if *a == nil {
		*a = attachments{}
	}
	for _, m := range models {
		k := attachment{to, m.of.id()}
		if (*a)[k] {
			panic(fmt.Sprintf("ir: a model of %s is attached to %q twice", m.of.Name(), to))
		}
		(*a)[k] = true
	}
}

// withModels returns the models with more of them, each in the place of that of the same
// interface if there is one. It doesn't change the lists.
func withModels(models, more []Model) []Model {
	if len(models) == 0 || len(more) == 0 {
		return append(slices.Clip(models), more...)
	}
	models = slices.Clone(models)
	for _, m := range more {
		same := func(o Model) bool { return o.of.id() == m.of.id() }
		if k := slices.IndexFunc(models, same); k >= 0 {
			models[k] = m
		} else {
			models = append(models, m)
		}
	}
	return models
}
