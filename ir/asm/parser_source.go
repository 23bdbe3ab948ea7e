package asm

import (
	"encoding/binary"
	"strconv"
	"strings"
	"unsafe"

	"freehold/internal/parallel"
	"freehold/ir"
)

// ParseOptions changes what a source may be.
type ParseOptions struct {
	// NoImplicitModule demands that the source is a single operation, which is
	// returned; otherwise a source that isn't a single builtin.module is put into one.
	NoImplicitModule bool
	// Threads is the number of threads that parse a long source; 0 stands for as many
	// as there are processors. The program and the errors do not depend on it.
	Threads int
	// Recover makes the parser go on after an error, at the next operation, so that its
	// errors are all that a program has, up to [ir.MaxReported], in order of their places.
	// The first that is not about an undeclared name is that of a parser that doesn't. What
	// an operation defines that couldn't be read is taken to be there. What is used in an
	// operation that is isolated from above must be defined until its end.
	Recover bool
	// Version is the major version of LLVM that the source is written for. 0 stands for
	// any: all spellings of operations are read. Otherwise those that were given up after
	// LLVM 16, and before Version, are errors, as they are in mlir-opt.
	Version int
	// Evidence, if not nil, gets what the spelling says about the version of LLVM, also if there are errors: then, of
	// what was read until there.
	Evidence *Evidence
	// Tokens, if not nil, gets the places of names in the source, also if there are
	// errors. One goroutine parses then.
	Tokens *Tokens
}

// Parse reads a source and returns its builtin.module, which is not verified. The
// builtin dialect must be registered. filename is for locations. In
// its error, [errors.As] finds [ir.Diagnostics].
func Parse(ctx *ir.Context, src []byte, filename string, opts ParseOptions) (*ir.Op, error) {
	d, err := ParseDocument(ctx, src, filename, opts)
	if err != nil {
		return nil, err
	}
	return d.Module, nil
}

// ParseDocument is Parse with the resources at the end of the source. The source
// must not change meanwhile.
func ParseDocument(ctx *ir.Context, src []byte, filename string, opts ParseOptions) (*Document, error) {
	// Nothing that outlives the parser refers to the source.
	p := newParser(ctx, unsafe.String(unsafe.SliceData(src), len(src)), filename)
	p.version = opts.Version
	if opts.Evidence != nil {
		p.detects = true
		defer func() { *opts.Evidence = p.evidence.located(p) }()
	}
	if opts.Recover {
		p.recovery = &recovery{unknown: &ir.Block{}}
		p.scoped = &scopedRefs{}
	}
	if opts.Tokens != nil {
		p.tokens = &tokenTable{src: p.src}
		defer func() { *opts.Tokens = p.tokens.list }()
	} else {
		p.split = newParseSplitter(p.src, opts.Threads)
	}
	defer p.split.close()
	defer parallel.Locate(func() any {
		if p.op.syntax != nil {
			return p.LocAt(p.op.pos)
		}
		return p.LocAt(p.Pos())
	})
	top := &ir.Block{}
	if err := p.failures(p.source(top)); err != nil {
		return nil, err
	}
	module, err := Container(ctx, top, filename, opts)
	if err != nil {
		return nil, err
	}
	return &Document{module, p.resources}, nil
}

// Container returns the operation that a source stands for whose operations are in a
// block: the only one, or a builtin.module around all. filename is for its location.
func Container(ctx *ir.Context, top *ir.Block, filename string, opts ParseOptions) (*ir.Op, error) {
	loc := *ir.FileLineCol(strings.Clone(filename), 0, 0)
	name := ctx.OpName(ir.ModuleName)
	single := top.First() != nil && top.First() == top.Last()
	switch {
	case single && (opts.NoImplicitModule || top.First().OpName() == name):
		op := top.First()
		op.Remove()
		return op, nil
	case opts.NoImplicitModule:
		n := 0
		for range top.Ops() {
			n++
		}
		return nil, ir.Errorf(&loc, "source must contain a single top-level operation, found: %d", n)
	case name == nil:
		return nil, ir.Errorf(&loc, "the dialect of builtin.module is not registered")
	}
	s := ir.OpState{Name: name, Loc: &loc}
	body := s.AddRegion().AddBlock()
	for op := range top.Ops() {
		op.MoveToEnd(body)
	}
	return ir.NewBuilder(ctx).CreateExact(&s), nil
}

// source parses everything into one block.
func (p *Parser) source(top *ir.Block) error {
	p.block = top
	p.pushScope(true, true)
	at := p.place()
	for {
		var err error
		start := p.tok.pos
		switch p.tok.kind {
		case tEOF:
			return p.endOfSource()
		case tError:
			err = p.failHere("")
		case tHash:
			err = p.attrAlias()
		case tBang:
			err = p.typeAlias()
		case tMetaBegin:
			err = p.metadata()
		default:
			err = p.topLevel()
		}
		if err != nil {
			if !p.goesOn(err) {
				p.cutOff(start, at)
				return err
			}
			if k := p.src[start]; k == '#' || k == '!' {
				p.unreadAlias(start)
				p.skip(start, nil, at)
			} else {
				p.skipOperation(start, at)
			}
		}
	}
}

// endOfSource resolves what could be defined anywhere.
func (p *Parser) endOfSource() error {
	if p.recovery != nil {
		p.recovery.ended = true
		if s := &p.scopes[0]; s.garbled {
			s.labels.pending = 0
		}
	}
	for _, resolve := range [...]func() error{p.checkForward, p.resolveLocations, p.popScope} {
		if err := resolve(); err != nil && !p.goesOn(err) {
			return err
		}
	}
	return nil
}

// topLevel parses at least one operation outside of all others.
func (p *Parser) topLevel() error {
	if p.split == nil {
		return p.operation()
	}
	return p.splitBlockBody(func() bool {
		switch p.tok.kind {
		case tEOF, tError, tHash, tBang, tMetaBegin:
			return false
		}
		return true
	})
}

// attrAlias parses "#alias = attribute".
func (p *Parser) attrAlias() error {
	name := p.src[p.tok.pos+1 : p.tok.end]
	if _, dup := p.attrAliases[name]; dup {
		return p.failHere("redefinition of attribute alias id '" + name + "'")
	}
	if strings.IndexByte(name, '.') >= 0 {
		return p.failHere("attribute names with a '.' are reserved for dialect-defined names")
	}
	defer p.expansion.define(p, '#', name)()
	p.advance()
	if err := p.expect(tEqual, "expected '=' in attribute alias definition"); err != nil {
		return err
	}
	a, err := p.Attr(nil)
	if err == nil {
		p.attrAliases[name] = a
	}
	return err
}

// typeAlias parses "!alias = TYPE".
func (p *Parser) typeAlias() error {
	name := p.src[p.tok.pos+1 : p.tok.end]
	if _, dup := p.typeAliases[name]; dup {
		return p.failHere("redefinition of type alias id '" + name + "'")
	}
	if strings.IndexByte(name, '.') >= 0 {
		return p.failHere("type names with a '.' are reserved for dialect-defined names")
	}
	defer p.expansion.define(p, '!', name)()
	p.advance()
	if err := p.expect(tEqual, "expected '=' in type alias definition"); err != nil {
		return err
	}
	p.OptionalKeyword("type") // as it was spelled up to LLVM 14
	t, err := p.Type()
	if err == nil {
		p.typeAliases[name] = t
	}
	return err
}

// metadata parses {-# ... #-}.
func (p *Parser) metadata() error {
	p.advance()
	if p.resources == nil {
		p.resources = &Resources{}
	}
	return p.listUntil(tMetaEnd, true, func() error {
		pos := p.Pos()
		key, ok := p.OptionalAnyKeyword()
		if !ok {
			return p.failHere("expected identifier key in file metadata dictionary")
		}
		if err := p.expect(tColon, "expected ':'"); err != nil {
			return err
		}
		switch key {
		case "dialect_resources":
			return p.resourceGroups(&p.resources.Dialect, true)
		case "external_resources":
			return p.resourceGroups(&p.resources.External, false)
		}
		return p.fail(pos, "unknown key '"+key+"' in file metadata dictionary")
	})
}

// resourceGroups parses {group: {key: value, ...}, ...}. The resources of
// dialects are blobs.
func (p *Parser) resourceGroups(groups *[]ResourceGroup, dialects bool) error {
	if err := p.expect(tLBrace, "expected '{'"); err != nil {
		return err
	}
	index := map[string]int{}
	for i := range *groups {
		index[(*groups)[i].Name] = i
	}
	return p.listUntil(tRBrace, true, func() error {
		pos := p.Pos()
		name, ok := p.OptionalAnyKeyword()
		if !ok && !dialects {
			name, ok = p.OptionalString()
		}
		if !ok && dialects {
			return p.failHere("expected dialect name")
		}
		if !ok {
			return p.failHere("expected identifier key for 'resource' entry")
		}
		if dialects && p.ctx.Dialect(name) == nil {
			return p.fail(pos, "dialect '"+name+"' is unknown")
		}
		if err := p.expect(tColon, "expected ':'"); err != nil {
			return err
		}
		if err := p.expect(tLBrace, "expected '{'"); err != nil {
			return err
		}
		i, ok := index[name]
		if !ok {
			i = len(*groups)
			index[name] = i
			*groups = append(*groups, ResourceGroup{Name: name})
		}
		g := &(*groups)[i]
		keys := map[string]int{}
		for i := range g.Entries {
			keys[g.Entries[i].Key] = i
		}
		return p.listUntil(tRBrace, true, func() error {
			r, err := p.resource(dialects)
			if err != nil {
				return err
			}
			if i, dup := keys[r.Key]; dup {
				g.Entries[i] = r
				return nil
			}
			keys[r.Key] = len(g.Entries)
			g.Entries = append(g.Entries, r)
			return nil
		})
	})
}

// optionalResourceKey parses the key of a resource, which is a string where it is no word.
func (p *Parser) optionalResourceKey() (string, bool) {
	if key, ok := p.OptionalAnyKeyword(); ok {
		return key, true
	}
	return p.OptionalString()
}

// resource parses key: value.
func (p *Parser) resource(dialect bool) (r Resource, err error) {
	key, ok := p.optionalResourceKey()
	if !ok {
		return r, p.failHere("expected identifier key for 'resource' entry")
	}
	r.Key = key
	if err := p.expect(tColon, "expected ':'"); err != nil {
		return r, err
	}
	switch {
	case p.tok.kind == tString:
		raw := p.src[p.tok.pos+1 : p.tok.end-1]
		if !dialect && !strings.HasPrefix(raw, "0x") {
			r.Kind, r.Text = StringResource, unquote(raw)
			p.advance()
			return r, nil
		}
		data, ok := p.hexBytes(denseElement{pos: p.tok.pos, end: p.tok.end})
		if !ok {
			return r, p.failHere("expected hex string blob for key '" + key + "'")
		}
		if msg, ok := checkAlignment(data); !ok {
			return r, p.failHere("expected hex string blob for key '" + key + "' to encode alignment in first 4 bytes" + msg)
		}
		r.setBlob(data)
		p.advance()
		return r, nil
	case dialect:
		return r, p.failHere("expected hex string blob for key '" + key + "'")
	case p.isWord("true"), p.isWord("false"):
		r.Kind, r.Bool = BoolResource, p.isWord("true")
		p.advance()
		return r, nil
	}
	return r, p.failHere("expected string value for key '" + key + "'")
}

// checkAlignment tells whether a blob starts with an alignment, and if not,
// returns the end of the message about it.
func checkAlignment(blob []byte) (msg string, ok bool) {
	if len(blob) < 4 {
		return "", false
	}
	if a := binary.LittleEndian.Uint32(blob); a&(a-1) != 0 {
		return ", but got non-power-of-2 value: " + strconv.FormatUint(uint64(a), 10), false
	}
	return "", true
}

// ParseType reads a type, which must be all of the text.
func ParseType(ctx *ir.Context, text string) (ir.Type, error) {
	p := newParser(ctx, text, "<type>")
	t, err := p.Type()
	if err == nil {
		err = p.atEnd()
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// ParseAttr reads an attribute, which must be all of the text.
func ParseAttr(ctx *ir.Context, text string) (ir.Attribute, error) {
	p := newParser(ctx, text, "<attribute>")
	a, err := p.Attr(nil)
	if err == nil {
		err = p.atEnd()
	}
	if err != nil {
		return nil, err
	}
	return a, nil
}

func (p *Parser) atEnd() error {
	if p.tok.kind != tEOF {
		return p.failHere("found trailing characters: '" + p.src[p.tok.pos:] + "'")
	}
	return nil
}
