package driver

import (
	"cmp"

	"freehold/ir"
	"freehold/ir/asm"
	"freehold/pass"
)

// Session is where a Go program works on programs: it has a context and passes of a
// tool. Different goroutines may work on different programs of a session.
//
// All that can be wrong with a program is returned as an error, in which [errors.As] finds
// [ir.Diagnostics] with positions, also if it is a single one, and an *[ir.CrashError] if the
// parser, the verifier, the printer or a pass panicked.
type Session struct {
	// Context owns the types and attributes of the session's programs.
	Context *ir.Context
	// Passes are the passes that pipelines may name.
	Passes *pass.Registry
	// Threads is how many goroutines work on one program; 0 stands for as many as there
	// are processors.
	Threads int
	// LLVM is the version of LLVM as which [Session.Parse] reads programs and [Program.Text] prints them, and whose
	// programs passes take. 0 reads the spelling of any version, and prints that of the definitions, 19.
	LLVM int
	// Chosen is how [Tool.Open] came to that version.
	Chosen Choice
	// Warnings gets what passes have to say that is no error. May be nil.
	Warnings func(*ir.Diagnostic)
}

// NewSession starts a session with what the tool knows.
func (t *Tool) NewSession() *Session {
	return &Session{Context: t.NewContext(), Passes: t.Registry(), LLVM: t.LLVM}
}

// Open parses and verifies a program, as [Session.Parse] does, in a session of its own for the version of LLVM that the program is
// written for: that of the tool or given, if they have one, or else the one that a comment names (`// mlir-version: 22`), or that its spelling
// tells. The session is returned also if there are errors, unless a comment names no version.
func (t *Tool) Open(src []byte, name string, given Choice, allowUnregistered bool) (*Session, *Program, error) {
	return t.OpenWith(src, name, given, allowUnregistered, asm.ParseOptions{})
}

// OpenWith is [Tool.Open] with options of one's own, whose version doesn't count, and which goes on after errors in any case.
func (t *Tool) OpenWith(src []byte, name string, given Choice, allowUnregistered bool, o asm.ParseOptions) (*Session, *Program, error) {
	if t.LLVM != 0 {
		given = Choice{t.LLVM, "the tool has that one", ir.Unknown}
	}
	if given.LLVM == 0 {
		var err error
		if given, err = CommentedLLVM(src, name); err != nil {
			return nil, nil, err
		}
	}
	o.Recover = true
	var ctx *ir.Context
	doc, c, err := t.read(piece{src: src, name: name}, given, o, func(t *Tool) *ir.Context {
		ctx = t.NewContext()
		ctx.AllowUnregistered = allowUnregistered
		return ctx
	})
	s := &Session{Context: ctx, Passes: t.For(c.LLVM).Registry(), LLVM: c.LLVM, Chosen: c}
	if err != nil {
		return s, nil, err
	}
	return s, &Program{doc, s, name}, nil
}

// Program is a program of a session.
type Program struct {
	*asm.Document
	session *Session
	name    string
}

// Parse reads and verifies a program in MLIR's textual format or bytecode. name stands for it in
// locations. It goes on after errors: all are returned, up to [ir.MaxReported], either
// those in the syntax or, if there are none, those that the verifier finds.
func (s *Session) Parse(src []byte, name string) (*Program, error) {
	return s.ParseWith(src, name, asm.ParseOptions{Threads: s.Threads, Recover: true, Version: s.LLVM})
}

// ParseWith is Parse with options of one's own.
func (s *Session) ParseWith(src []byte, name string, o asm.ParseOptions) (*Program, error) {
	doc, err := parse(s.Context, piece{src: src, name: name}, o)
	if err != nil {
		return nil, err
	}
	return &Program{doc, s, name}, nil
}

// New makes a program of a module that was built in the session's context, and
// verifies it.
func (s *Session) New(module *ir.Op) (*Program, error) {
	p := &Program{&asm.Document{Module: module}, s, "the module"}
	return p, p.Verify()
}

// Verify checks the program against the definitions of its operations.
func (p *Program) Verify() error {
	return ir.Guard(verifierStage, p.Module.Loc(), func() error { return ir.Verify(p.Module) })
}

// Run runs a pipeline, such as "builtin.module(canonicalize,cse)", and verifies the
// program after each pass. If it fails, the program is in the state in which a pass
// left it.
func (p *Program) Run(pipeline string) error {
	m, err := p.session.Passes.ParsePipeline(pipeline)
	if err != nil {
		return err
	}
	return p.RunManager(m)
}

// RunManager is Run for a pipeline that was built by a program.
func (p *Program) RunManager(m *pass.OpPassManager) error {
	r := &pass.Runner{VerifyEach: true, Threads: p.session.Threads, LLVM: p.session.LLVM, Sink: func(d *ir.Diagnostic) {
		if d.Severity != ir.Error && p.session.Warnings != nil {
			p.session.Warnings(d)
		}
	}}
	return r.Run(m, p.Module)
}

// Text prints the program, as the session's version of LLVM spells it if the options name none.
func (p *Program) Text(o asm.PrintOptions) ([]byte, error) {
	var text []byte
	err := ir.Guard(printerStage, p.Module.Loc(), func() error {
		text = p.session.print(p.Document, o)
		return nil
	})
	return text, err
}

// Print prints a document of the session, as [Program.Text] does.
func (s *Session) Print(doc *asm.Document, o asm.PrintOptions) ([]byte, error) {
	return (&Program{doc, s, "the module"}).Text(o)
}

func (s *Session) print(doc *asm.Document, o asm.PrintOptions) []byte {
	o.Version = cmp.Or(o.Version, s.LLVM)
	if m := ir.ReplacedFor(doc.Module, o.Version); m != doc.Module {
		replaced := *doc
		replaced.Module = m
		doc, o.AssumeVerified = &replaced, false
	}
	return asm.PrintDocument(doc, o)
}
