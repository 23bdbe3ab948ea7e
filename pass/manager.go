package pass

import (
	"errors"
	"strings"

	"freehold/ir"
)

// AnyOp is the anchor of a pass manager that runs on operations of any kind.
const AnyOp = "any"

// OpPassManager is a list of passes for operations of one kind, and of managers
// for the operations in their regions.
type OpPassManager struct {
	anchor string
	items  []item
}

// item is a pass, or managers that run on the operations one level below. An
// operation is served by the first of them that fits.
type item struct {
	inst   *Instance
	nested []*OpPassManager
}

// NewManager returns an empty manager for operations of the given name, or for
// any if it is [AnyOp].
func NewManager(anchor string) *OpPassManager { return &OpPassManager{anchor: anchor} }

// Anchor returns the name of the operations that the manager runs on, or
// [AnyOp].
func (m *OpPassManager) Anchor() string { return m.anchor }

// Clone returns a copy that can run at the same time as the manager.
func (m *OpPassManager) Clone() *OpPassManager {
	out := &OpPassManager{m.anchor, make([]item, len(m.items))}
	for k, it := range m.items {
		if it.inst != nil {
			out.items[k].inst = it.inst.clone()
			continue
		}
		for _, n := range it.nested {
			out.items[k].nested = append(out.items[k].nested, n.Clone())
		}
	}
	return out
}

// Split returns managers with one pass, or one nested pipeline, each, which run one after
// the other do what m does. They share the passes with m.
func (m *OpPassManager) Split() []*OpPassManager {
	var out []*OpPassManager
	for _, it := range m.items {
		out = append(out, &OpPassManager{m.anchor, []item{it}})
	}
	return out
}

// Len returns the number of passes and nested managers.
func (m *OpPassManager) Len() int { return len(m.items) }

// Add adds a pass. It is an error if the pass runs on another kind of operation.
func (m *OpPassManager) Add(i *Instance) error {
	if on := i.Pass.On; on != "" && m.anchor != AnyOp && on != m.anchor {
		return errors.New("Can't add pass '" + i.Pass.title() + "' restricted to '" + on +
			"' on a PassManager intended to run on '" + m.anchor + "', did you intend to nest?")
	}
	m.items = append(m.items, item{inst: i})
	return nil
}

// AddNested adds passes, each in a nested manager if it runs on another kind of
// operation.
func (m *OpPassManager) AddNested(passes ...*Instance) {
	for _, i := range passes {
		if m.Add(i) != nil {
			m.Nest(i.Pass.On).items = []item{{inst: i}}
		}
	}
}

// Nest adds an empty manager for the operations of the given name (or [AnyOp])
// one level below, and returns it.
func (m *OpPassManager) Nest(anchor string) *OpPassManager {
	n := NewManager(anchor)
	m.items = append(m.items, item{nested: []*OpPassManager{n}})
	return n
}

// String returns the manager in textual form, which [Registry.ParsePipeline]
// reads.
func (m *OpPassManager) String() string {
	var b strings.Builder
	m.write(&b, ",")
	return b.String()
}

func (m *OpPassManager) write(b *strings.Builder, sep string) {
	b.WriteString(m.anchor)
	b.WriteByte('(')
	first := true
	next := func() {
		if !first {
			b.WriteString(sep)
		}
		first = false
	}
	for _, it := range m.items {
		if it.inst != nil {
			next()
			it.inst.write(b)
			continue
		}
		for _, n := range it.nested {
			next()
			n.write(b, sep)
		}
	}
	b.WriteByte(')')
}

func (i *Instance) write(b *strings.Builder) {
	b.WriteString(i.Pass.Name)
	if text, shown := i.decl.text(); shown {
		b.WriteByte('{')
		b.WriteString(text)
		b.WriteByte('}')
	}
}

// schedulable returns an error if a pass can never run on the operations that its
// manager is for. Operations that the context doesn't know aren't judged.
func (m *OpPassManager) schedulable(ctx *ir.Context) *ir.Diagnostic {
	name := ctx.OpName(m.anchor)
	for _, it := range m.items {
		if i := it.inst; i != nil && name != nil && name.Registered() && !i.Pass.canSchedule(name) {
			return ir.Errorf(ir.Unknown, "unable to schedule pass '%s' on a PassManager intended to run on '%s'!", i.Pass.Title, m.anchor)
		}
		if i := it.inst; i != nil && i.Pass.Needs != nil {
			if err := i.Pass.Needs(ctx); err != nil {
				return ir.Errorf(ir.Unknown, "pass '%s' can't run: %v", i.Pass.Name, err)
			}
		}
		for _, n := range it.nested {
			if err := n.schedulable(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// finalize joins neighbouring nested managers, so that all their passes run on one
// operation before the next operation is touched.
func (m *OpPassManager) finalize() {
	out := m.items[:0:0]
	for _, it := range m.items {
		if it.inst == nil && len(out) > 0 && out[len(out)-1].inst == nil && joinable(out[len(out)-1].nested, it.nested) {
			last := &out[len(out)-1]
			for _, n := range it.nested {
				last.nested = joinOne(last.nested, n)
			}
			continue
		}
		if it.inst == nil {
			var copies []*OpPassManager
			for _, n := range it.nested {
				copies = append(copies, &OpPassManager{n.anchor, append([]item(nil), n.items...)})
			}
			it.nested = copies
		}
		out = append(out, it)
	}
	for _, it := range out {
		for _, n := range it.nested {
			n.finalize()
		}
	}
	m.items = out
}

// joinable tells whether the managers serve the same kinds of operations or
// disjoint ones.
func joinable(a, b []*OpPassManager) bool {
	for _, x := range a {
		for _, y := range b {
			if x.anchor != y.anchor && (x.anchor == AnyOp || y.anchor == AnyOp) {
				return false
			}
		}
	}
	return true
}

func joinOne(to []*OpPassManager, n *OpPassManager) []*OpPassManager {
	for _, t := range to {
		if t.anchor == n.anchor {
			t.items = append(t.items, n.items...)
			return to
		}
	}
	return append(to, &OpPassManager{n.anchor, append([]item(nil), n.items...)})
}

// serves tells whether the manager can run on operations of that name.
func (m *OpPassManager) serves(n *ir.OpName) bool {
	if m.anchor != AnyOp {
		return m.anchor == n.String()
	}
	if !n.Registered() || !n.Def().Traits.Has(ir.TraitIsolatedFromAbove) {
		return false
	}
	for _, it := range m.items {
		if it.inst != nil && !it.inst.Pass.canSchedule(n) {
			return false
		}
	}
	return true
}

// Instances returns the passes of the manager and of the nested ones, in the order
// in which they run.
func (m *OpPassManager) Instances() []*Instance {
	var out []*Instance
	m.each(func(i *Instance) { out = append(out, i) })
	return out
}

// each calls fn for every pass instance of the manager and the nested ones.
func (m *OpPassManager) each(fn func(*Instance)) {
	for _, it := range m.items {
		if it.inst != nil {
			fn(it.inst)
		}
		for _, n := range it.nested {
			n.each(fn)
		}
	}
}
