package ir

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
)

// Context owns everything that is shared by the programs built in it: the
// uniqued types and attributes and the registered dialects. Its methods are safe
// for concurrent use.
type Context struct {
	// AllowUnregistered makes operations of unknown dialects acceptable to the
	// parser and the verifier.
	AllowUnregistered bool

	mu       sync.Mutex // serialises registration
	dialects atomic.Pointer[map[string]*Dialect]
	ops      atomic.Pointer[opTable]
	types    atomic.Pointer[map[string]*typeName]

	// Serialised like registration: see Attach.
	attached attachments
	pending  map[*OpID][]Model // of operations that aren't loaded

	unregMu sync.RWMutex
	unreg   map[string]*OpName

	llvm int // see LLVM

	uniquer uniquer
	// The first dimensions and identities of affine maps, once they were asked for.
	dims       [8]atomic.Pointer[AffineExpr]
	identities [8]atomic.Pointer[AffineMap]
	distinct   atomic.Uint64 // number of distinct attributes
	memos      sync.Map      // see Memo
}

// NewContext returns a context with the given dialects registered.
func NewContext(dialects ...*Dialect) *Context { return NewContextFor(0, dialects...) }

// NewContextFor is [NewContext] for programs of a version of LLVM: operations are as that has them, with what it revised of their
// definitions (see [Revision]). 0 stands for the version of the definitions, 19.
func NewContextFor(llvm int, dialects ...*Dialect) *Context {
	c := &Context{unreg: map[string]*OpName{}, llvm: llvm}
	c.dialects.Store(&map[string]*Dialect{})
	c.ops.Store(&opTable{})
	c.types.Store(&map[string]*typeName{})
	c.uniquer.init()
	c.Register(dialects...)
	return c
}

// Register adds dialects. A dialect that is already registered is left alone. Operations are
// loaded when the context first needs one of their dialect. Definitions that contradict each other are an error of the
// program: Register panics if another dialect has the name of one, and loading panics if an operation has the prefix of
// another dialect or is defined twice, or implements an interface twice. [CheckDialect]
// finds more, and all at once.
func (c *Context) Register(dialects ...*Dialect) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known, types := maps.Clone(*c.dialects.Load()), maps.Clone(*c.types.Load())
	for _, d := range dialects {
		if other, ok := known[d.Name]; ok {
			if other != d {
				panic(fmt.Sprintf("ir: two dialects are called %q", d.Name))
			}
			continue
		}
		known[d.Name] = d
		d.registerTypes(types)
	}
	c.dialects.Store(&known)
	c.types.Store(&types)
	c.memos.Clear()
}

// LLVM returns the version of LLVM whose operations the context has; 0 stands for that of the definitions, 19.
func (c *Context) LLVM() int { return c.llvm }

// Dialect returns the registered dialect of that name, or nil.
func (c *Context) Dialect(name string) *Dialect { return (*c.dialects.Load())[name] }

// Dialects returns the registered dialects in order of their names.
func (c *Context) Dialects() []*Dialect {
	dialects := *c.dialects.Load()
	out := make([]*Dialect, 0, len(dialects))
	for _, d := range dialects {
		out = append(out, d)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// OpName returns the handle of a registered operation, or nil.
func (c *Context) OpName(name string) *OpName {
	if n := c.ops.Load().named[name]; n != nil {
		return n
	}
	return c.loadFor(name).named[name]
}

// OpNames returns the handles of all registered operations, by dialect in the order
// of names, and in the dialect's order.
func (c *Context) OpNames() []*OpName {
	var out []*OpName
	t := c.loadAll()
	for _, d := range c.Dialects() {
		for _, def := range d.OpDefs() {
			out = append(out, t.byID[def.ID])
		}
	}
	return out
}

// OpNameOf returns the handle of an operation in the context. It panics if the
// operation's dialect is not registered, which is an error of the program that
// creates the operation, not of its input.
func (c *Context) OpNameOf(id *OpID) *OpName {
	n := c.ops.Load().byID[id]
	if n == nil {
		n = c.loadFor(id.name).byID[id]
	}
	if n == nil {
		panic(unregistered(id))
	}
	return n
}

// Attach adds models of interfaces to what a registered operation can do. That is how
// a family of passes, or a user's module, brings an interface of its own and says what
// it means for operations of others. A model of an interface that the operation
// implements itself takes the place of that one. Models are attached before the
// first program is made in the context; Attach panics if the operation isn't
// registered or was verified before, or if a model of the same interface was attached
// to it already.
func (c *Context) Attach(id *OpID, models ...Model) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.memos.Clear()
	d := c.dialectOf(id.name)
	if d == nil {
		panic(unregistered(id))
	}
	t := c.ops.Load()
	if !t.loaded[d] {
		c.attached.add(id.name, models)
		if c.pending == nil {
			c.pending = map[*OpID][]Model{}
		}
		c.pending[id] = append(c.pending[id], models...)
		return
	}
	n := t.byID[id]
	if n == nil {
		panic(unregistered(id))
	}
	if n.plan.Load() != nil {
		panic(fmt.Sprintf("ir: models are attached to operation %q after it was used", n.name))
	}
	c.attached.add(n.name, models)
	n.attach(models)
}

// Memo returns a value that was computed by build once for the dialects of the context, such as a set of all patterns. Keys are of types
// of those who ask; all callers with the same key must use the same type.
func (c *Context) Memo(key any, build func() any) any {
	if v, ok := c.memos.Load(key); ok {
		return v
	}
	v, _ := c.memos.LoadOrStore(key, build())
	return v
}

// attach adds models to those of an operation and of its other spellings.
func (n *OpName) attach(models []Model) {
	n.models = n.models.attached(n.name, models)
	for _, l := range slices.Concat(n.later, n.earlier) {
		l.models = n.models
	}
}

// UnregisteredOpName returns the handle of an operation that no registered
// dialect defines. Whether such operations are acceptable is for the caller to
// decide (see AllowUnregistered).
func (c *Context) UnregisteredOpName(name string) *OpName {
	c.unregMu.RLock()
	n := c.unreg[name]
	c.unregMu.RUnlock()
	if n != nil {
		return n
	}
	c.unregMu.Lock()
	defer c.unregMu.Unlock()
	if n = c.unreg[name]; n == nil {
		name = strings.Clone(name)
		var d *Dialect
		if prefix, _, ok := strings.Cut(name, "."); ok {
			d = c.Dialect(prefix)
		}
		n = &OpName{id: unregisteredDef.ID, name: name, dialect: d, def: unregisteredDef, ctx: c}
		c.unreg[name] = n
	}
	return n
}

// unregisteredDef stands in for the definition of every unregistered operation.
var unregisteredDef = &OpDef{ID: NewOpID("<unregistered>")}

// OpName is the name of an operation in a context, with its definition.
type OpName struct {
	id      *OpID
	name    string // in the spelling that this is
	dialect *Dialect
	def     *OpDef
	models  modelTable
	ctx     *Context
	asm     atomic.Value
	plan    atomic.Pointer[verifyPlan] // see verify_plan.go
	index   int                        // plus 1

	// See spelling.go.
	later    []*OpName
	earlier  []*OpName
	upgraded []*OpName
	base     *OpName
	spelling *Spelling
}

// String returns the full name, "dialect.op".
func (n *OpName) String() string { return n.name }

// Dialect returns the dialect that the name's prefix names, or nil if that is
// not registered.
func (n *OpName) Dialect() *Dialect { return n.dialect }

// Index numbers the registered operations of a context from 0, in the order of their
// registration; it is -1 for an unregistered operation. Other spellings have none.
func (n *OpName) Index() int { return n.index - 1 }

// ID returns the identity of the operation. Unregistered operations share one.
func (n *OpName) ID() *OpID { return n.id }

// Def returns the operation's definition; for an unregistered operation an
// empty one.
func (n *OpName) Def() *OpDef { return n.def }

// Context returns the context that the name belongs to.
func (n *OpName) Context() *Context { return n.ctx }

// Registered tells whether a registered dialect defines the operation.
func (n *OpName) Registered() bool { return n.def != unregisteredDef }

// Memo returns a value that was computed once for this operation by build, such
// as its compiled assembly format. All callers must use the same type.
func (n *OpName) Memo(build func() any) any {
	if v := n.asm.Load(); v != nil {
		return v
	}
	n.asm.CompareAndSwap(nil, build())
	return n.asm.Load()
}

// Dialect is a namespace of operations, types and attributes.
type Dialect struct {
	// Name is the prefix of the dialect's operations.
	Name string
	// Ops defines the dialect's operations. It is called once, when one of them is first needed;
	// see [Dialect.OpDefs]. May be nil.
	Ops func() []*OpDef
	// AllowUnknownOps accepts operations with this prefix that Ops doesn't list.
	AllowUnknownOps bool
	// AllowUnknownTypes accepts types and attributes with this prefix that the dialect does not
	// parse itself, as opaque types.
	AllowUnknownTypes bool
	// Types lists the dialect's types: what they promise, and which there are, for whoever proposes one. A type that promises
	// nothing can be left out.
	Types []*TypeDef
	// Aliases tells that types or attributes of the dialect may be printed by alias.
	Aliases bool
	// PrintType and PrintAttr write a type or attribute of the dialect after its
	// "!dialect." or "#dialect." prefix. If nil, or if they return false, it is
	// written as mnemonic<param, ...>.
	PrintType func(w *Writer, t *DialectType) bool
	PrintAttr func(w *Writer, a *DialectAttr) bool
	// Models implement dialect-wide interfaces.
	Models []Model
	// VerifyOpAttr checks a discardable attribute of this dialect (one whose name
	// has the dialect's prefix) on an operation. May be nil.
	VerifyOpAttr func(op *Op, attr NamedAttr) error
	// VerifyEncoding checks an attribute of this dialect as the encoding of ranked
	// tensors of the shape and element type. May be nil.
	VerifyEncoding func(encoding *DialectAttr, shape []int64, elem Type) error
	// VerifyArgAttr checks a dialect attribute on argument arg of region region of
	// a function-like op. May be nil.
	VerifyArgAttr func(op *Op, region, arg int, attr NamedAttr) error
	// VerifyResAttr checks a dialect attribute on result res of a function-like
	// op. May be nil.
	VerifyResAttr func(op *Op, res int, attr NamedAttr) error

	defining sync.Once
	defs     []*OpDef // what Ops returned
}

// OpDefs returns the definitions of the dialect's operations. The list is the dialect's.
func (d *Dialect) OpDefs() []*OpDef {
	d.defining.Do(func() {
		if d.Ops != nil {
			d.defs = d.Ops()
		}
	})
	return d.defs
}
