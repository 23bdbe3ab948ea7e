package ir

import (
	"runtime"
	"strings"
	"sync/atomic"

	"freehold/internal/parallel"
)

// Verify checks that op and everything nested in it is well formed: the
// constraints that definitions declare, the structure of blocks and regions,
// dominance, and symbols. In its error, [errors.As] finds [Diagnostics]:
// verification goes on after an error in operations that are isolated from the
// erroneous one. Messages come in the order of the program. Linear time; isolated
// operations, and the parts of long blocks and regions, are verified in parallel.
func Verify(op *Op) error {
	defer parallel.Locate(verifierCrash(op))
	v := &verifier{ctx: op.Context(), idle: new(atomic.Int32)}
	v.idle.Store(int32(runtime.GOMAXPROCS(0) - 1))
	if op.block != nil && !op.block.ordered {
		op.block.renumber()
	}
	ds := v.isolated(op)
	return ds.asError()
}

// VerifyAll is [Verify], but goes on in all operations that don't depend on an erroneous
// one: what is nested in that isn't checked, nor what depends on the whole of what is
// around it. The first error is that of Verify. It returns up to [MaxReported] errors. One
// goroutine does the work.
func VerifyAll(op *Op) error {
	defer parallel.Locate(verifierCrash(op))
	v := &verifier{ctx: op.Context(), idle: new(atomic.Int32), all: true}
	ds := v.isolated(op)
	return ds.AtMost(MaxReported).asError()
}

// VerifyOp checks a single operation without what is nested in it.
func VerifyOp(op *Op) error {
	v := &verifier{ctx: op.Context(), idle: new(atomic.Int32)}
	ds := v.enter(op)
	if ds == nil {
		ds = v.exitRegistered(op, everything)
	}
	return ds.asError()
}

// verifier verifies one isolated operation.
type verifier struct {
	ctx    *Context
	idle   *atomic.Int32 // number of processors that could verify something else
	prefix string        // of the attribute that was looked up last,
	owner  *Dialect      // and its dialect
	state  OpState       // scratch, to infer types
	values []*Value      // scratch, its operands
	// far are the operands, of what is nested in the isolated operation that is being
	// verified, that are not defined earlier in the block of their operation. Those of
	// the isolated operations around it come first: its own start at firstFar.
	far      []*Use
	firstFar int
	// nested are the isolated operations in the blocks of those that are being verified,
	// which wait for the end of these.
	nested []*Op
	// symbolUsers are the operations that refer to symbols, of those that were entered
	// and are in no symbol table that was verified, in any order.
	symbolUsers []*Op
	// parts are sound, but for references to symbols; see [VerifyAround].
	parts map[*Op][]*Op
	// all is set to go on after errors. A symbol is broken if an operation that defines one
	// is erroneous, so that operations that refer to it can't be checked.
	all          bool
	brokenSymbol bool
}

// asDiagnostics turns the error of a verifier function into diagnostics.
func asDiagnostics(op *Op, err error) Diagnostics {
	switch err := err.(type) {
	case nil:
		return nil
	case *Diagnostic:
		if err == nil {
			return nil
		}
		return Diagnostics{err}
	case Diagnostics:
		return err
	}
	return Diagnostics{op.Errorf("%s", err.Error())}
}

// asError returns nil for none, and one by itself.
func (ds Diagnostics) asError() error {
	switch len(ds) {
	case 0:
		return nil
	case 1:
		return ds[0]
	}
	return ds
}

func one(d *Diagnostic) Diagnostics {
	if d == nil {
		return nil
	}
	return Diagnostics{d}
}

// isolated verifies an operation with its regions, and then dominance in them,
// which is meaningful only if the structure is sound.
func (v *verifier) isolated(op *Op) Diagnostics {
	outer, nested := v.firstFar, len(v.nested)
	v.firstFar = len(v.far)
	ds := v.op(op)
	if ds == nil && !allDominate(v.far[v.firstFar:]) {
		ds = v.verifyDominance(op)
	}
	v.far, v.firstFar, v.nested = v.far[:v.firstFar], outer, v.nested[:nested]
	return ds
}

func (v *verifier) op(op *Op) Diagnostics {
	if op.ext == nil && op.mark&(sound|soundAlone) == sound|soundAlone && op.name.verifyPlan().anywhere {
		return nil // as most operations, which passes leave alone
	}
	if ds := v.enter(op); ds != nil {
		v.brokenSymbol = v.brokenSymbol || op.Has(TraitSymbol) || op.Has(TraitOptionalSymbol)
		return ds
	}
	var all Diagnostics
	users, nested := len(v.symbolUsers), len(v.nested)
	if op.ext != nil {
		for _, r := range op.ext.regions {
			ds := v.regionBlocks(r)
			if ds != nil && !v.all {
				return ds
			}
			all = append(all, ds...)
		}
	}
	if len(v.nested) > nested {
		found := v.withoutParts(v.nested[nested:])
		v.nested = v.nested[:nested]
		ds := v.nestedIsolated(found)
		if ds != nil && !v.all {
			return ds
		}
		all = append(all, ds...)
	}
	if all == nil {
		return v.exit(op, users)
	}
	if op.Has(TraitSymbolTable) && !v.brokenSymbol {
		all = append(all, v.verifySymbolTable(op, users)...)
	}
	return all
}

// enter checks the operation before what is nested in it.
func (v *verifier) enter(op *Op) Diagnostics {
	for i := range op.Operands() {
		if op.Operands()[i].value == nil {
			return one(op.PlainErrorf("null operand found"))
		}
	}
	if op.ext != nil {
		for i := range op.ext.attrs {
			if ds := v.discardable(op, op.ext.attrs[i]); ds != nil {
				return ds
			}
		}
	}
	if op.Registered() {
		if ds := verifyInvariants(op); ds != nil {
			return ds
		}
		if op.name.def.VerifySymbolUses != nil {
			v.symbolUsers = append(v.symbolUsers, op)
		}
	}
	if op.ext != nil {
		graph := op.Has(TraitGraphRegion)
		for i, r := range op.ext.regions {
			if r.first == nil {
				continue
			}
			if graph && r.size > 1 {
				return one(op.Errorf("expects graph region #%d to have 0 or 1 blocks", i))
			}
			if r.first.preds != nil {
				return one(op.PlainErrorf("entry block of region may not have predecessors"))
			}
		}
	}
	return nil
}

func (v *verifier) discardable(op *Op, a NamedAttr) Diagnostics {
	prefix, _, ok := strings.Cut(a.Name, ".")
	if !ok {
		return nil
	}
	if prefix != v.prefix {
		v.prefix, v.owner = prefix, v.ctx.Dialect(prefix)
	}
	if v.owner == nil || v.owner.VerifyOpAttr == nil {
		return nil
	}
	return asDiagnostics(op, v.owner.VerifyOpAttr(op, a))
}

// exit checks the operation after what is nested in it. There were the given number of
// symbol users before it.
func (v *verifier) exit(op *Op, users int) Diagnostics {
	if op.Registered() {
		return v.exitRegistered(op, users)
	}
	d := op.Dialect()
	switch {
	case d == nil && !v.ctx.AllowUnregistered:
		return one(op.Errorf("created with unregistered dialect. If this is intended, please call allowUnregisteredDialects() on the MLIRContext, or use -allow-unregistered-dialect with the MLIR opt tool used"))
	case d != nil && !d.AllowUnknownOps:
		return one(op.PlainErrorf("unregistered operation '%s' found in dialect ('%s') that does not allow unknown operations", op.Name(), d.Name))
	}
	return nil
}

// everything, in place of a number of symbol users, says that they were not
// collected.
const everything = -1

func (v *verifier) exitRegistered(op *Op, users int) Diagnostics {
	t := op.name.def.Traits
	if op.ext != nil && len(op.ext.regions) > 0 {
		if d := verifyRegionTraits(op); d != nil {
			return one(d)
		}
		if t&TraitSymbolTable != 0 {
			if ds := v.verifySymbolTable(op, users); ds != nil {
				return ds
			}
		}
		if t&TraitIsolatedFromAbove != 0 && (users == everything || !allInside(op, v.far[v.firstFar:])) {
			if d := verifyIsolation(op); d != nil {
				return one(d)
			}
		}
	}
	if op.mark&soundAlone != 0 {
		return nil
	}
	plan := op.name.verifyPlan()
	for _, f := range plan.ifaceRegions {
		if ds := asDiagnostics(op, f(op)); ds != nil {
			return ds
		}
	}
	if t&TraitSameOperandsAndResultType != 0 && !plan.inferred {
		inferred := op.Operands()[0].value.typ
		for i := range op.Results() {
			if op.Results()[i].typ != inferred {
				return inferenceFailed(op, []Type{inferred})
			}
		}
	}
	if plan.inferred && op.mark&inferredTypes == 0 {
		if ds := v.verifyInferredTypes(op); ds != nil {
			return ds
		}
		op.found(inferredTypes)
	}
	if f := op.name.def.VerifyRegions; f != nil {
		if ds := asDiagnostics(op, f(op)); ds != nil {
			return ds
		}
	}
	if plan.alone {
		op.found(soundAlone)
	}
	return nil
}

// blockError is an error about a block, at the first operation in it.
func blockError(b *Block, format string, args ...any) *Diagnostic {
	if b.first != nil {
		return b.first.PlainErrorf(format, args...)
	}
	return Errorf(b.ParentOp().loc, format, args...)
}

// needsNoTerminator tells whether the block may end without one: it is the only
// block of a region of an operation that allows it, or might.
func needsNoTerminator(b *Block) bool {
	if b.region == nil {
		return true
	}
	if b.region.size != 1 {
		return false
	}
	p := b.region.op
	return p == nil || !p.Registered() || p.Has(TraitNoTerminator)
}

func (v *verifier) block(b *Block) Diagnostics {
	for i, a := range b.args {
		if IsMalformed(a.typ) {
			return one(blockError(b, "block argument #%d has a type that can't be: '%s'", i, a.typ))
		}
	}
	if b.first == nil {
		if needsNoTerminator(b) {
			return nil
		}
		return one(blockError(b, "empty block: expect at least a terminator"))
	}
	if !b.ordered {
		b.renumber()
	}
	ds := v.blockOps(b)
	if ds != nil {
		// An early terminator is reported first, wherever it is.
		if d := verifyNoEarlyTerminator(b); d != nil {
			return one(d)
		}
		if !v.all {
			return ds
		}
	}
	for i := range b.last.NumSuccessors() {
		if s := b.last.Successor(i); s == nil || s.region != b.region {
			return append(ds, b.last.Errorf("branching to block of a different region"))
		}
	}
	if b.last.Registered() && !b.last.Has(TraitTerminator) && !needsNoTerminator(b) {
		d := b.last.PlainErrorf("block with no terminator, has ")
		d.Suffix = b.last
		return append(ds, d)
	}
	return ds
}

// ops verifies the operations of a block, which is ordered, from first up to end.
func (v *verifier) ops(first, end *Op) Diagnostics {
	var all Diagnostics
	for x := first; x != end; x = x.next {
		if x.ext != nil && len(x.ext.succs) != 0 && x.next != nil {
			return one(earlyTerminator(x))
		}
		v.collectFar(x)
		// Isolated operations are verified when the enclosing operation is done.
		if x.ext != nil && len(x.ext.regions) != 0 && x.Has(TraitIsolatedFromAbove) {
			v.nested = append(v.nested, x)
			continue
		}
		ds := v.op(x)
		if ds != nil && !v.all {
			return ds
		}
		all = append(all, ds...)
	}
	return all
}

func earlyTerminator(op *Op) *Diagnostic {
	return op.PlainErrorf("operation with block successors must terminate its parent block")
}

func verifyNoEarlyTerminator(b *Block) *Diagnostic {
	for x := b.first; x != b.last; x = x.next {
		if x.ext != nil && len(x.ext.succs) != 0 {
			return earlyTerminator(x)
		}
	}
	return nil
}

// verifyDominance checks that the operands of what is nested in op, except in
// isolated operations, are defined where they are used.
func (v *verifier) verifyDominance(op *Op) (all Diagnostics) {
	dom := NewDominance()
	work := []*Op{op}
	for len(work) > 0 {
		o := work[len(work)-1]
		work = work[:len(work)-1]
		for _, r := range o.ext.regions {
			ssa := HasSSADominance(r)
			for b := r.first; b != nil; b = b.next {
				reachable := dom.IsReachable(b)
				if ssa && !b.ordered {
					b.renumber()
				}
				for x := b.first; x != nil; x = x.next {
					if reachable {
						for i := range x.Operands() {
							w := x.Operands()[i].value
							def := w.op()
							if def == nil && w.block() == b {
								continue
							}
							if def != nil && def.block == b {
								if !ssa || def.order < x.order {
									continue
								}
							} else if dom.ValueDominates(w, x) {
								continue
							}
							if all = append(all, dominanceError(x, i)); !v.all {
								return all
							}
						}
					}
					if x.ext != nil && len(x.ext.regions) != 0 && !x.Has(TraitIsolatedFromAbove) {
						work = append(work, x)
					}
				}
			}
		}
	}
	return all
}

func dominanceError(op *Op, operand int) *Diagnostic {
	d := op.PlainErrorf("operand #%d does not dominate this use", operand)
	v := op.Operand(operand)
	if def := v.op(); def != nil {
		return d.WithNote(def.loc, "operand defined here (op %s)", relation(op.block, def.block,
			"in the same block", "is neither in a parent nor in a child region"))
	}
	loc := Location(Unknown)
	block := v.block()
	if p := block.ParentOp(); p != nil {
		loc = p.loc
	}
	if block.region == nil {
		return d.WithNote(loc, " (block without parent)")
	}
	n := 0
	for b := block.prev; b != nil; b = b.prev {
		n++
	}
	return d.WithNote(loc, "operand defined as a block argument (block #%d %s)", n,
		relation(op.block, block, "", "neither in a parent nor in a child region"))
}

// relation says where the block of a definition is, seen from that of the use.
func relation(use, def *Block, same, unrelated string) string {
	switch {
	case use == def && def != nil:
		return same
	case def == nil || def.region == nil:
		return unrelated
	case use.region == def.region:
		return "in the same region"
	case def.region.IsProperAncestorOf(use.region):
		return "in a parent region"
	case use.region.IsProperAncestorOf(def.region):
		return "in a child region"
	}
	return unrelated
}
