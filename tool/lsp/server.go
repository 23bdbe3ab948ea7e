// Package lsp is a language server for MLIR's textual format: diagnostics, hover,
// definitions, references, rename, outline, folding, completion, signatures, semantic tokens,
// notes on copies and memory, and rewrites of functions. It adds no analysis: what it shows is what the parser,
// the verifier, and packages explain and footprint know.
//
// The protocol is that of https://microsoft.github.io/language-server-protocol, version 3.17.
package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"slices"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"freehold/driver"
)

// Server serves one client.
type Server struct {
	// Pipeline is by which programs are compiled to find out why they copy and what they need.
	Pipeline string
	// Shown is by which programs are compiled that are shown.
	Shown string
	// Taken is the version of LLVM that programs are taken for which say nothing of it themselves; the zero value lets their spelling tell.
	Taken driver.Choice
	// Version is what the server tells of itself.
	Version string

	tool    *driver.Tool
	mu      sync.Mutex
	utf8    bool
	shows   bool   // the client opens files that it is told
	folder  string // of the files that it was told to open
	files   map[string]*file
	conn    *jsonrpc2.Conn
	asking  context.Context // while the client may answer
	exit    chan struct{}
	stopped bool
	working sync.WaitGroup
	// explaining is held by what finds reasons: one at a time, so that nobody waits for what is obsolete.
	explaining sync.Mutex
}

// file is an open file. Its document is made in the background; wanted is the version that
// the client has.
type file struct {
	wanted  int
	text    *text
	current *document
	ready   *sync.Cond // of Server.mu; a new current
	running bool
	waiting int // who can't be answered before it is analyzed
}

// NewServer returns a server that knows a tool's dialects and passes. What it shows of programs is compiled by the pipeline as well, unless
// Shown is set afterwards.
func NewServer(t *driver.Tool, pipeline, version string) *Server {
	return &Server{Pipeline: pipeline, Shown: pipeline, Version: version, tool: t, files: map[string]*file{}, exit: make(chan struct{})}
}

// Serve talks to a client until it says exit, or the connection ends. It fails if messages couldn't be told apart any more.
func (s *Server) Serve(ctx context.Context, stream io.ReadWriteCloser) error {
	quiet := jsonrpc2.SetLogger(log.New(io.Discard, "", 0))
	asking, ended := context.WithCancel(ctx)
	defer ended()
	m := newMessages(stream, s, ended)
	s.mu.Lock()
	s.asking = asking
	s.conn = jsonrpc2.NewConn(ctx, m, s, quiet)
	s.mu.Unlock()
	select {
	case <-s.conn.DisconnectNotify():
	case <-s.exit:
	case <-ctx.Done():
	}
	ended()
	s.working.Wait()
	s.clean()
	if err := s.conn.Close(); err != nil && !errors.Is(err, jsonrpc2.ErrClosed) {
		return err
	}
	select {
	case <-s.exit: // what comes afterwards doesn't matter
		return nil
	default:
	}
	select {
	case lost := <-m.lost:
		return lost
	default:
		return nil
	}
}

// Handle implements [jsonrpc2.Handler]. What changes documents is done in the order in
// which it comes; what asks about them is answered side by side.
func (s *Server) Handle(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	s.mu.Lock()
	s.conn = conn
	s.mu.Unlock()
	if req.Notif {
		s.guard(func() error { s.notified(req); return nil })
		return
	}
	s.working.Add(1)
	go func() {
		defer s.working.Done()
		var result any
		err := s.guard(func() (err error) {
			result, err = s.answer(req)
			return err
		})
		if err != nil {
			x, ok := err.(*jsonrpc2.Error)
			if !ok {
				x = &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: err.Error()}
			}
			_ = conn.ReplyWithError(ctx, req.ID, x) // a client that is gone gets no answer
			return
		}
		_ = conn.Reply(ctx, req.ID, result)
	}()
}

// guard runs something, and returns its panic as an error: the server stays up.
func (s *Server) guard(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("internal error: %v", p)
		}
	}()
	return do()
}

// notified does what the client says.
func (s *Server) notified(req *jsonrpc2.Request) {
	switch req.Method {
	case "textDocument/didOpen":
		var p openParams
		if decode(req, &p) == nil {
			s.set(p.TextDocument.URI, p.TextDocument.Version, newText(p.TextDocument.Text, s.utf8))
		}
	case "textDocument/didChange":
		var p changeParams
		if decode(req, &p) == nil {
			s.change(p)
		}
	case "textDocument/didClose":
		var p documentParams
		if decode(req, &p) == nil {
			s.mu.Lock()
			if f := s.files[p.TextDocument.URI]; f != nil {
				delete(s.files, p.TextDocument.URI)
				f.ready.Broadcast()
			}
			s.mu.Unlock()
			s.publish(&document{text: newText("", s.utf8), uri: p.TextDocument.URI})
		}
	case "exit":
		s.mu.Lock()
		defer s.mu.Unlock()
		if !s.stopped {
			s.stopped = true
			close(s.exit)
		}
	}
}

// change applies the changes of a document.
func (s *Server) change(p changeParams) {
	s.mu.Lock()
	f := s.files[p.TextDocument.URI]
	if f == nil {
		s.mu.Unlock()
		return
	}
	t := f.text
	s.mu.Unlock()
	for _, c := range p.ContentChanges {
		src := c.Text
		if c.Range != nil {
			from, to := t.offset(c.Range.Start), t.offset(c.Range.End)
			src = t.src[:from] + c.Text + t.src[max(from, to):]
		}
		t = newText(src, s.utf8)
	}
	s.set(p.TextDocument.URI, p.TextDocument.Version, t)
}

// set gives a file a new text, and lets it be analyzed: of several that come meanwhile, the
// last.
func (s *Server) set(uri string, version int, t *text) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[uri]
	if f == nil {
		f = &file{ready: sync.NewCond(&s.mu)}
		s.files[uri] = f
	}
	f.wanted, f.text = version, t
	if f.running {
		return
	}
	f.running = true
	s.working.Add(1)
	go s.work(uri, f)
}

// work analyzes a file until it is as the client has it.
func (s *Server) work(uri string, f *file) {
	defer s.working.Done()
	s.mu.Lock()
	defer s.mu.Unlock()
	for f.current == nil || f.current.text != f.text {
		if f.current != nil && len(f.text.src) >= largeDocument {
			s.settle(uri, f)
		}
		version, t := f.wanted, f.text
		s.mu.Unlock()
		d := &document{text: t, uri: uri, version: version, pieces: []*piece{{end: len(t.src), session: s.tool.NewSession()}}}
		// A panic leaves a document about which nothing is known.
		_ = s.guard(func() error { d = s.analyze(uri, version, t); return nil })
		s.mu.Lock()
		f.current = d
		if s.files[uri] != f {
			break
		}
		f.ready.Broadcast()
		if f.text == t {
			s.mu.Unlock()
			s.publish(d)
			s.mu.Lock()
		}
	}
	f.running = false
	f.ready.Broadcast()
}

// settle waits until nobody has typed for a moment, so that what drafts answer isn't slowed down by analyses of texts that nobody will
// have any more; not while somebody waits for the analysis, and not for ever.
func (s *Server) settle(uri string, f *file) {
	for range 10 {
		t, over := f.text, false
		timer := time.AfterFunc(settling, func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			over = true
			f.ready.Broadcast()
		})
		for !over && f.waiting == 0 && s.files[uri] == f {
			f.ready.Wait()
		}
		timer.Stop()
		if !over || f.text == t {
			return
		}
	}
}

// publish tells the client what is wrong with a document.
func (s *Server) publish(d *document) {
	p := publishDiagnostics{URI: d.uri, Version: d.version, Diagnostics: []diagnostic{}}
	_ = s.guard(func() error { p.Diagnostics = d.diagnostics(); return nil })
	_ = s.conn.Notify(context.Background(), "textDocument/publishDiagnostics", p) // as above
}

// document returns a file as the client has it, once that was analyzed.
func (s *Server) document(uri string) (*document, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[uri]
	if f == nil {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: "the file isn't open: " + uri}
	}
	f.waiting++
	defer func() { f.waiting-- }()
	f.ready.Broadcast()
	for f.current == nil || f.current.text != f.text {
		if s.files[uri] != f {
			return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: "the file was closed: " + uri}
		}
		f.ready.Wait()
	}
	return f.current, nil
}

func decode(req *jsonrpc2.Request, into any) error {
	if req.Params == nil {
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: "parameters are missing"}
	}
	if err := json.Unmarshal(*req.Params, into); err != nil {
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
	}
	return nil
}

// ask decodes the parameters of a request about a document, and returns its answer.
func ask[P any](s *Server, req *jsonrpc2.Request, uri func(*P) string, answer func(d *document, p *P) (any, error)) (any, error) {
	p := new(P)
	if err := decode(req, p); err != nil {
		return nil, err
	}
	d, err := s.document(uri(p))
	if err != nil {
		return nil, err
	}
	return answer(d, p)
}

// askSoon is ask for what must be answered while one types: of a large document that is still being analyzed, by a draft, if that knows.
func askSoon(s *Server, req *jsonrpc2.Request, soon func(x *draft, p *positionParams) (any, bool), answer func(d *document, p *positionParams) any) (any, error) {
	var p positionParams
	if err := decode(req, &p); err != nil {
		return nil, err
	}
	if x := s.draft(p.TextDocument.URI); x != nil {
		if out, known := soon(x, &p); known {
			return out, nil
		}
	}
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	return answer(d, &p), nil
}

// draft returns what is known of a large file that isn't analyzed as the client has it; nil if there is none.
func (s *Server) draft(uri string) *draft {
	s.mu.Lock()
	f := s.files[uri]
	if f == nil || f.current == nil || f.current.text == f.text || len(f.text.src) < largeDocument {
		s.mu.Unlock()
		return nil
	}
	base, t := f.current, f.text
	s.mu.Unlock()
	return s.draftOf(base, t)
}

func ofDocument(p *documentParams) string   { return p.TextDocument.URI }
func ofPosition(p *positionParams) string   { return p.TextDocument.URI }
func ofReference(p *referenceParams) string { return p.TextDocument.URI }
func ofRename(p *renameParams) string       { return p.TextDocument.URI }
func ofRange(p *rangeParams) string         { return p.TextDocument.URI }

// answer answers a request.
func (s *Server) answer(req *jsonrpc2.Request) (any, error) {
	switch req.Method {
	case "initialize":
		var p initializeParams
		if err := decode(req, &p); err != nil {
			return nil, err
		}
		return s.initialize(p), nil
	case "shutdown":
		return nil, nil
	case "textDocument/hover":
		return askSoon(s, req, func(x *draft, p *positionParams) (any, bool) {
			if _, ok := x.runLineAt(p.Position.Line); ok {
				return nil, false
			}
			h, known := x.hover(p.Position)
			if h != nil {
				h.Contents.Value += findingOut
			}
			return h, known
		}, func(d *document, p *positionParams) any {
			if r, ok := d.runLineAt(p.Position.Line); ok {
				return d.hoverRun(r, d.offset(p.Position)-d.starts[r.line])
			}
			h := d.hover(p.Position)
			if h != nil {
				s.about(d, p.Position, h)
			}
			return h
		})
	case "textDocument/definition":
		return ask(s, req, ofPosition, func(d *document, p *positionParams) (any, error) { return d.definition(p.Position), nil })
	case "textDocument/references":
		return ask(s, req, ofReference, func(d *document, p *referenceParams) (any, error) {
			return d.references(p.Position, p.Context.IncludeDeclaration), nil
		})
	case "textDocument/documentHighlight":
		return ask(s, req, ofPosition, func(d *document, p *positionParams) (any, error) { return d.references(p.Position, true), nil })
	case "textDocument/rename":
		return ask(s, req, ofRename, func(d *document, p *renameParams) (any, error) {
			edit, problem := d.rename(p.Position, p.NewName)
			if edit == nil {
				return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: problem}
			}
			return edit, nil
		})
	case "textDocument/documentSymbol":
		return ask(s, req, ofDocument, func(d *document, _ *documentParams) (any, error) { return d.symbols(), nil })
	case "textDocument/foldingRange":
		return ask(s, req, ofDocument, func(d *document, _ *documentParams) (any, error) { return d.folding(), nil })
	case "textDocument/signatureHelp":
		return askSoon(s, req, func(x *draft, p *positionParams) (any, bool) { return x.signature(p.Position), true },
			func(d *document, p *positionParams) any { return d.signature(p.Position) })
	case "textDocument/codeLens":
		return ask(s, req, ofDocument, func(d *document, _ *documentParams) (any, error) { return s.lenses(d), nil })
	case "textDocument/completion":
		return askSoon(s, req, func(x *draft, p *positionParams) (any, bool) { return x.complete(p.Position), true },
			func(d *document, p *positionParams) any { return d.complete(p.Position) })
	case "textDocument/semanticTokens/full":
		return ask(s, req, ofDocument, func(d *document, _ *documentParams) (any, error) { return d.semantic(), nil })
	case "textDocument/formatting":
		return ask(s, req, ofDocument, func(d *document, _ *documentParams) (any, error) { return d.format(0, len(d.starts)), nil })
	case "textDocument/rangeFormatting":
		return ask(s, req, ofRange, func(d *document, p *rangeParams) (any, error) {
			return d.format(p.Range.Start.Line, p.Range.End.Line), nil
		})
	case "textDocument/inlayHint":
		return ask(s, req, ofRange, func(d *document, p *rangeParams) (any, error) { return s.hints(d, p.Range), nil })
	case "textDocument/codeAction":
		return ask(s, req, ofRange, func(d *document, p *rangeParams) (any, error) { return s.actionsAt(d, p.Range.Start), nil })
	case "workspace/executeCommand":
		return s.execute(req)
	}
	return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "unknown method " + req.Method}
}

// execute carries out a command of a code action: it sends the edit to the client.
func (s *Server) execute(req *jsonrpc2.Request) (any, error) {
	var p executeParams
	if err := decode(req, &p); err != nil {
		return nil, err
	}
	known := slices.Contains(commands, p.Command)
	if !known || len(p.Arguments) == 0 || p.Command == rewriteCommand && len(p.Arguments) != 3 {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: "unknown command " + p.Command}
	}
	d, err := s.document(p.Arguments[0])
	if err != nil {
		return nil, err
	}
	if p.Command != rewriteCommand {
		return s.view(d, p.Command, p.Arguments[1:])
	}
	edit, err := s.rewrite(d, p.Arguments[1], p.Arguments[2])
	if err != nil {
		return nil, err
	}
	return nil, s.conn.Call(s.asking, "workspace/applyEdit", map[string]any{"edit": edit}, nil)
}

// commands are those that the server carries out.
var commands = []string{rewriteCommand, bufferizedCommand, changesCommand}

// initialize says what the server can do.
func (s *Server) initialize(p initializeParams) any {
	encoding := "utf-16"
	if slices.Contains(p.Capabilities.General.PositionEncodings, "utf-8") {
		encoding = "utf-8"
	}
	s.mu.Lock()
	s.utf8 = encoding == "utf-8"
	s.shows = p.Capabilities.Window.ShowDocument.Support
	s.mu.Unlock()
	return map[string]any{
		"serverInfo": map[string]any{"name": "freehold", "version": s.Version},
		"capabilities": map[string]any{
			"positionEncoding":          encoding,
			"textDocumentSync":          map[string]any{"openClose": true, "change": 2},
			"hoverProvider":             true,
			"definitionProvider":        true,
			"referencesProvider":        true,
			"documentHighlightProvider": true,
			"documentSymbolProvider":    true,
			"foldingRangeProvider":      true,
			"renameProvider":            true,
			"inlayHintProvider":         true,

			"documentFormattingProvider":      true,
			"documentRangeFormattingProvider": true,

			"codeActionProvider":     true,
			"completionProvider":     map[string]any{"triggerCharacters": []string{"%", "^", "@", "!", "#", ".", "\"", "-", "<", "{", ":", ">"}},
			"signatureHelpProvider":  map[string]any{"triggerCharacters": []string{" ", "(", ","}},
			"codeLensProvider":       map[string]any{},
			"executeCommandProvider": map[string]any{"commands": commands},
			"semanticTokensProvider": map[string]any{
				"legend": map[string]any{"tokenTypes": tokenTypes, "tokenModifiers": []string{"definition"}},
				"full":   true,
			},
		},
	}
}
