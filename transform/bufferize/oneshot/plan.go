package oneshot

import (
	"iter"
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// Plan says for each tensor operand of a program whether its operation will work in
// the operand's own buffer, or in a copy, and why. [Analyze] makes one by analysis,
// [CopyBeforeWrite] without, and [NewPlan] and [Plan.Set] by hand; [Rewrite] carries it
// out. A plan is about the program as it was when the plan was made: between the two,
// nothing that it talks about may be changed.
type Plan struct {
	// entries are in the order of the program; refusals, the decisions against
	// bufferization in place, in that in which they were taken.
	entries  []entry
	refusals []refusal
	// hidden finds the entries whose hint another table overwrote; nil unless that
	// happened.
	hidden map[*ir.Use]uint32
	// values are those that are members of the sets.
	values     *valueTable
	aliases    *unionFind
	equivalent *unionFind
	functions  map[*ir.Op]*function
	calls      *calls
	done       bool // carried out
}

// entry is what a plan knows of a use.
type entry struct {
	use   *ir.Use
	facts fact
	// refusal is the position of the decision against bufferization in place plus one, or 0.
	refusal uint32
}

// fact is a set of things that are known about a use.
type fact uint8

const (
	// inPlace: the operation works in the operand's buffer, or in a copy of it if there is a
	// decision against that nevertheless (PassedOn), which came after the analysis.
	inPlace fact = 1 << iota
	// required: there is no other way.
	required
	// What the operation's model said: readsKnown and writesKnown tell whether it was
	// asked.
	readsKnown
	reads
	writesKnown
	writes
)

// refusal is a decision against bufferization in place.
type refusal struct {
	reason Reason
	copy   Copy
	result *ir.Value
}

// Decision is what a plan says about one tensor operand.
type Decision struct {
	Use *ir.Use
	// InPlace tells that the operation works in the operand's buffer. If not, it gets a
	// copy of its own, as Copy and Result say.
	InPlace bool
	Copy    Copy
	// Result, if set, is the result of the operation that is copied after the operation
	// instead of the operand before it: where the operation only makes one alias of the
	// operand, that is enough, and may be smaller.
	Result *ir.Value
	Reason Reason
}

// Copy says what is copied of an operand that is not in place.
type Copy uint8

const (
	// CopyContents makes a new buffer with the same contents.
	CopyContents Copy = iota
	// CopyNothing makes a new buffer without the contents, which nothing reads.
	CopyNothing
	// NoCopy makes no new buffer: rewriting has no place for one, or the operation needs
	// none.
	NoCopy
)

// Rule is a reason for a decision.
type Rule uint8

const (
	// NoConflict: in place, since nothing reads what the operation overwrites.
	NoConflict Rule = iota
	// Required: in place, since the operation allows nothing else.
	Required

	// ReadAfterWrite: Read must see the contents that Definition has, and Write, which
	// may come before it, would have overwritten them.
	ReadAfterWrite
	// OutOfOrder: as ReadAfterWrite, where Write comes after Read in the program, but
	// before it when the loop Region, outside of which Definition is, is at its next
	// iteration.
	OutOfOrder
	// Parallel: Write, in the parallel region Region, would write what is defined outside
	// of it, in all threads.
	Parallel
	// Constant: Definition, whose buffer the operation would write, is a constant.
	Constant
	// ReadOnlyArgument: it is an argument of a function that may not be written.
	ReadOnlyArgument
	// ReadOnlyBuffer: it is the tensor of a buffer that may not be written.
	ReadOnlyBuffer
	// ReadOnlyResult: it is the result of a call that may be a constant of the callee.
	ReadOnlyResult
	// UnknownOp: the operation would write the buffer of Definition, about which nothing
	// is known: it can't be bufferized, or the options exclude it.
	UnknownOp
	// PassedOn: a terminator passes the operand on to the next iteration or out of the
	// loop Region, where it may be another name for what Definition is a name of, if that is
	// known.
	PassedOn
	// NotAnalyzed: the operation may write the operand, and nothing was analyzed.
	NotAnalyzed
	// UserForced: who made the plan wants it.
	UserForced
)

var ruleNames = [...]string{
	NoConflict:       "no conflict",
	Required:         "required",
	ReadAfterWrite:   "read after write",
	OutOfOrder:       "out of order in a loop",
	Parallel:         "parallel region",
	Constant:         "constant",
	ReadOnlyArgument: "read-only argument",
	ReadOnlyBuffer:   "read-only buffer",
	ReadOnlyResult:   "read-only result of a call",
	UnknownOp:        "unknown operation",
	PassedOn:         "passed on by a terminator",
	NotAnalyzed:      "not analyzed",
	UserForced:       "user forced",
}

// String returns the rule's name, in words.
func (r Rule) String() string { return ruleNames[r] }

// NotWritable tells whether the rule is that a buffer may not be written.
func (r Rule) NotWritable() bool { return r >= Constant && r <= UnknownOp }

// Reason is a rule with what it is about; see the rules.
type Reason struct {
	Rule Rule
	// Read and Write are the uses that conflict. Each may be the use that the decision is
	// about, or another one of the same buffer.
	Read, Write *ir.Use
	// Definition is the value with the contents that Read must see, or that may not be
	// written.
	Definition *ir.Value
	// Others are further values that may not be written. They are only collected for
	// [Options.PrintConflicts] and [Options.AllReasons]; a value may occur several times.
	Others []*ir.Value
	// More are further reasons for the same decision, for [Options.AllReasons].
	More []Reason
	// Region is the loop or the parallel region.
	Region *ir.Region
}

// NewPlan returns an empty plan, by which everything is in place.
func NewPlan() *Plan {
	values := &valueTable{}
	return &Plan{values: values, aliases: newUnionFind(values), equivalent: newUnionFind(values)}
}

// Set makes a decision part of the plan, instead of the one there was about the use.
// A decision that is not in place for the rule NoConflict is one that the user forced.
// It must be about a tensor of the program that is rewritten, which [Rewrite] checks.
func (p *Plan) Set(d Decision) {
	e := p.find(d.Use)
	if e == nil {
		e = p.add(d.Use)
	}
	e.facts &^= inPlace | required
	e.refusal = 0
	if d.InPlace {
		e.facts |= inPlace
		if d.Reason.Rule == Required {
			e.facts |= required
		}
		return
	}
	if d.Reason.Rule <= Required {
		d.Reason.Rule = UserForced
	}
	r := p.refuse(e, d.Reason)
	r.copy, r.result = d.Copy, d.Result
}

// check returns an error unless all copies are of tensors of the program that root is in. Linear
// time in the number of decisions, times the depth of nesting for those against bufferization in
// place.
func (p *Plan) check(root *ir.Op) error {
	top := outermost(root)
	for i := range p.entries {
		e := &p.entries[i]
		if e.refusal == 0 {
			continue
		}
		op, v := e.use.Owner(), e.use.Value()
		switch {
		case v == nil || op.Block() == nil && op != top, outermost(op) != top:
			return root.PlainErrorf("the plan decides about an operand of '%s', which is not in this program", op.Name())
		case !interfaces.IsTensorLike(v.Type()):
			return op.Errorf("the plan decides about operand #%d, which is no tensor but '%s'", e.use.Index(), v.Type())
		}
		if r := p.refusals[e.refusal-1].result; r != nil && r.DefiningOp() != op {
			return op.Errorf("the plan copies a value instead of operand #%d that is no result of the operation", e.use.Index())
		}
	}
	return nil
}

// outermost returns the operation that holds all around op.
func outermost(op *ir.Op) *ir.Op {
	for op.Parent() != nil {
		op = op.Parent()
	}
	return op
}

// errNoOptions is what is wrong with a call without options.
func errNoOptions(root *ir.Op) error {
	return root.PlainErrorf("there are no options for bufferization; DefaultOptions returns those of the pass")
}

// Decision returns what the plan says about a use, and whether it says anything.
func (p *Plan) Decision(u *ir.Use) (Decision, bool) {
	e := p.find(u)
	if e == nil {
		return Decision{}, false
	}
	return p.decision(e), true
}

// OutOfPlace returns the decisions against bufferization in place, in the order of
// the program, or, in a plan made by hand, in that in which they were set.
func (p *Plan) OutOfPlace() iter.Seq[Decision] {
	return func(yield func(Decision) bool) {
		for i := range p.entries {
			if d := p.decision(&p.entries[i]); !d.InPlace && !yield(d) {
				return
			}
		}
	}
}

// Aliases returns the values that may share the buffer of v by the decisions, with v
// itself.
func (p *Plan) Aliases(v *ir.Value) []*ir.Value {
	var out []*ir.Value
	p.aliases.each(v, func(w *ir.Value) { out = append(out, w) })
	return out
}

// Function returns what the analysis found out about a function of the module, or nil.
func (p *Plan) Function(fn *ir.Op) interfaces.FunctionAnalysis {
	if f := p.functions[fn]; f != nil {
		return f
	}
	return nil
}

func (p *Plan) decision(e *entry) Decision {
	switch {
	case e.refusal > 0:
		r := &p.refusals[e.refusal-1]
		return Decision{Use: e.use, Copy: r.copy, Result: r.result, Reason: r.reason}
	case e.facts&inPlace == 0:
		return Decision{Use: e.use, Copy: NoCopy, Reason: Reason{Rule: NotAnalyzed}}
	case e.facts&required != 0:
		return Decision{Use: e.use, InPlace: true, Reason: Reason{Rule: Required}}
	}
	return Decision{Use: e.use, InPlace: true}
}

// reserve makes room for so many more uses and values.
func (p *Plan) reserve(uses, values int) {
	p.entries = slices.Grow(p.entries, uses)
	p.values.values = slices.Grow(p.values.values, values)
	p.values.numbers.Reserve(len(p.values.values) + values)
	p.aliases.nodes = slices.Grow(p.aliases.nodes, values)
	p.equivalent.nodes = slices.Grow(p.equivalent.nodes, values)
}

// add makes an entry for a use, which has none.
func (p *Plan) add(u *ir.Use) *entry {
	i := len(p.entries)
	p.entries = append(p.entries, entry{use: u})
	u.SetHint(uint32(i))
	if p.hidden != nil {
		p.hidden[u] = uint32(i)
	}
	return &p.entries[i]
}

// at returns the entry of a use, or nil if there is none or another table took the use's
// hint.
func (p *Plan) at(u *ir.Use) *entry {
	if i := int(u.Hint()); i < len(p.entries) && p.entries[i].use == u {
		return &p.entries[i]
	}
	return nil
}

// find returns the entry of a use, or nil.
func (p *Plan) find(u *ir.Use) *entry {
	if e := p.at(u); e != nil {
		return e
	}
	if p.hidden == nil {
		p.hidden = make(map[*ir.Use]uint32, len(p.entries))
		for i := range p.entries {
			p.hidden[p.entries[i].use] = uint32(i)
		}
	}
	if i, ok := p.hidden[u]; ok {
		return &p.entries[i]
	}
	return nil
}

// refuse decides against bufferization in place. So far, no copy is made.
func (p *Plan) refuse(e *entry, r Reason) *refusal {
	p.refusals = append(p.refusals, refusal{reason: r, copy: NoCopy})
	e.refusal = uint32(len(p.refusals))
	return &p.refusals[e.refusal-1]
}
