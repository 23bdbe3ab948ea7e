package asm

import "freehold/ir"

// Evidence is what the spelling of a source says about the version of LLVM that it was written for.
type Evidence struct {
	// Since is the first version of LLVM that has all that was read, if it is later than 19, and Until the last version, where
	// something is read that later ones don't have; 0 where nothing tells. Until may be less than Since: then the source mixes
	// versions.
	Since, Until int
	// What was read that no version before Since has, and Loc where it is.
	What string
	Loc  ir.Location
}

// evidence is Evidence while it is collected. Offsets are in the source.
type evidence struct {
	since, until int
	what         string
	pos          Pos
}

// located returns the evidence with its location in the source.
func (e evidence) located(p *Parser) Evidence {
	out := Evidence{Since: e.since, Until: e.until, What: e.what}
	if e.since > 0 {
		out.Loc = p.LocAt(e.pos)
	}
	return out
}

// add adds what was found in what follows.
func (e *evidence) add(more evidence) {
	if more.since > e.since {
		e.since, e.what, e.pos = more.since, more.what, more.pos
	}
	if more.until > 0 && (e.until == 0 || more.until < e.until) {
		e.until = more.until
	}
}

// Later tells that what was read just now is spelled so since a version of LLVM: a word, or the operation that is being
// read if that is empty. Versions up to 19 are no evidence.
func (p *Parser) Later(since int, word string) {
	switch {
	case !p.detects:
	case word != "":
		p.evidence.add(evidence{since: since, what: word, pos: Pos(p.prevEnd - len(word))})
	case p.op.syntax != nil:
		p.evidence.add(evidence{since: since, what: p.op.syntax.name.String(), pos: p.op.pos})
	}
}

// Until tells that what was read just now isn't read by versions of LLVM after the given one.
func (p *Parser) Until(version int) {
	if p.detects {
		p.evidence.add(evidence{until: version})
	}
}

// saw notes that an operation was read, at pos, by a name that only some versions of LLVM have.
func (p *Parser) saw(n *ir.OpName, pos Pos) {
	if !p.detects {
		return
	}
	e := evidence{since: n.Def().Since, what: n.String(), pos: pos}
	own := 0
	if sp := n.Spelling(); sp != nil {
		e.since, e.until, own = max(e.since, sp.Since), sp.Until, sp.Since
	}
	if e.until == 0 {
		e.until = renamedAfter(n, own)
	}
	p.evidence.add(e)
}

// renamedAfter returns the last version of LLVM in which an operation has a name that it got with a version; 0 if it still has it.
func renamedAfter(n *ir.OpName, version int) int {
	for _, l := range n.Base().Later() {
		if since := l.Spelling().Since; since > version && l.String() != n.String() {
			return since - 1
		}
	}
	return 0
}

// sawBody notes that an operation at pos was read in a syntax that the definition doesn't read.
func (p *Parser) sawBody(n *ir.OpName, pos Pos) {
	if sp := n.Spelling(); p.detects && sp != nil {
		p.evidence.add(evidence{since: sp.Since, until: sp.Until, what: n.String(), pos: pos})
	}
}

// changed returns what notes the spellings that an operation at pos turns out to have been read in.
func (p *Parser) changed(n *ir.OpName, pos Pos) func(*ir.Spelling) {
	name := n.String()
	return func(sp *ir.Spelling) {
		p.evidence.add(evidence{since: sp.Since, until: sp.Until, what: name, pos: pos})
	}
}

// sawReturned notes that the results of an operation at pos were given that only later versions have.
func (p *Parser) sawReturned(n *ir.OpName, pos Pos) {
	if !p.detects {
		return
	}
	for _, l := range n.Later() {
		if sp := l.Spelling(); sp.ReturnsAll || len(sp.Returns) > 0 {
			p.evidence.add(evidence{since: sp.Since, what: n.String(), pos: pos})
			return
		}
	}
}
