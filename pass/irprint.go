package pass

import (
	"hash/maphash"

	"freehold/ir"
)

// IRPrinting says around which passes the program is printed.
type IRPrinting struct {
	// Before and After choose passes by name. May be nil.
	Before, After func(pass string) bool
	// OnlyChange prints after a pass only what it changed; OnlyFailure only what it
	// failed on.
	OnlyChange, OnlyFailure bool
	// ModuleScope prints the whole program rather than the operation that the pass
	// runs on. Passes must then run on one thread.
	ModuleScope bool

	seed maphash.Seed
}

// NewIRPrinting returns a configuration that prints nothing yet.
func NewIRPrinting() *IRPrinting { return &IRPrinting{seed: maphash.MakeSeed()} }

// before prints the program before a pass and returns a fingerprint of it where
// that is needed.
func (p *IRPrinting) before(s *runState, i *Instance, op *ir.Op, log *eventLog) uint64 {
	if p.Before != nil && p.Before(i.Pass.Name) {
		p.dump(s, "Before "+i.Pass.title(), i, op, log)
	}
	if p.OnlyChange && p.After != nil && p.After(i.Pass.Name) {
		return p.fingerprint(s, op)
	}
	return 0
}

func (p *IRPrinting) after(s *runState, i *Instance, op *ir.Op, log *eventLog, before uint64, failed bool) {
	switch {
	case failed:
		if p.OnlyFailure || p.After != nil && p.After(i.Pass.Name) {
			p.dump(s, "After "+i.Pass.title()+" Failed", i, op, log)
		}
		return
	case p.OnlyFailure || p.After == nil || !p.After(i.Pass.Name):
		return
	case p.OnlyChange && p.fingerprint(s, op) == before:
		return
	}
	p.dump(s, "After "+i.Pass.title(), i, op, log)
}

func (p *IRPrinting) fingerprint(s *runState, op *ir.Op) uint64 {
	return maphash.Bytes(p.seed, s.Print(op))
}

func (p *IRPrinting) dump(s *runState, when string, i *Instance, op *ir.Op, log *eventLog) {
	head := "// -----// IR Dump " + when + " (" + i.Pass.Name + ")"
	shown := op
	if p.ModuleScope {
		head += " ('" + op.Name() + "' operation"
		if n, ok := ir.SymbolName(op); ok {
			head += ": @" + n
		}
		head += ")"
		shown = s.root
	}
	text := append([]byte(head+" //----- //\n"), s.Print(shown)...)
	log.text(append(text, "\n\n"...))
}
