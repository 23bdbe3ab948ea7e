package asm

// Aliases let a short source stand for types and attributes whose spelling is
// exponentially long, which would take that long to print and to walk, and each
// element of a wide type has megabytes of data. What a source may stand for is
// limited to expansionBase bytes and expansionFactor for each of its own, far more
// than programs come to that aren't made to exhaust memory.
const (
	expansionBase   = 1 << 26
	expansionFactor = 64
)

// expansion counts the bytes that the aliases and literals of a source stand for.
type expansion struct {
	used  int
	sizes map[aliasName]int
}

// aliasName is the name of an alias after its sigil, # or !.
type aliasName struct {
	sigil byte
	name  string
}

// define starts to measure the definition of an alias; the function it returns
// ends it.
func (x *expansion) define(p *Parser, sigil byte, name string) func() {
	start, used := p.tok.pos, x.used
	return func() {
		if x.sizes == nil {
			x.sizes = map[aliasName]int{}
		}
		x.sizes[aliasName{sigil, name}] = p.prevEnd - start + x.used - used
	}
}

// useAlias counts a use of an alias at pos.
func (p *Parser) useAlias(pos Pos, sigil byte, name string) error {
	return p.expand(pos, p.expansion.sizes[aliasName{sigil, name}])
}

// expand counts n bytes that something at pos stands for, and fails if they are
// too many.
func (p *Parser) expand(pos Pos, n int) error {
	x := &p.expansion
	x.used += n
	if x.used > expansionBase+expansionFactor*len(p.src) {
		return p.fail(pos, "the aliases and elements up to here stand for too large a program")
	}
	return nil
}
