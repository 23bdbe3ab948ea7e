package pass

import (
	"hash/maphash"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

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
	// TreeDir is the folder for the printed programs: a folder for each operation in
	// the folder of the one around it, and a file for each time the operation is
	// printed, whose name starts with numbers that tell the order. If empty, they go
	// to the runner's Text.
	TreeDir string

	seed maphash.Seed

	mu      sync.Mutex
	counts  map[*ir.Op]int // how often an operation was printed, of those with files below them
	treeErr error
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
	if p.TreeDir != "" {
		p.writeFile(i, op, append(text, '\n'))
		return
	}
	log.text(append(text, "\n\n"...))
}

// writeFile writes a program to the next file of op; the first problem is kept.
func (p *IRPrinting) writeFile(i *Instance, op *ir.Op, text []byte) {
	path := p.nextFile(i, op)
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		err = os.WriteFile(path, text, 0o666)
	}
	if err != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.treeErr == nil {
			p.treeErr = err
		}
	}
}

// nextFile returns the path of the file for the program before or after a pass on
// op. The numbers in its name say how often the operations around op, and op, were
// printed before.
func (p *IRPrinting) nextFile(i *Instance, op *ir.Op) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.counts == nil {
		p.counts = map[*ir.Op]int{}
	}
	if _, ok := p.counts[op]; ok {
		p.counts[op]++
	}
	var folders, numbers []string
	for o := op; o != nil; o = o.Parent() {
		if _, ok := p.counts[o]; !ok {
			p.counts[o] = 0
		}
		name, ok := ir.SymbolName(o)
		if !ok {
			name = "no-symbol-name"
		}
		folder := strings.ReplaceAll(o.Name(), ".", "_") + "_" + name
		folders = append(folders, strings.Map(fileRune, folder))
		numbers = append(numbers, strconv.Itoa(p.counts[o]))
	}
	slices.Reverse(folders)
	slices.Reverse(numbers)
	file := strings.Join(append(numbers, i.Pass.Name), "_") + ".mlir"
	return filepath.Join(p.TreeDir, filepath.Join(folders...), file)
}

// fileRune keeps symbol names, which may contain anything, from naming other
// folders.
func fileRune(r rune) rune {
	if r == '/' || r == '\\' || r == 0 {
		return '_'
	}
	return r
}

// Err returns the first problem with the files in TreeDir.
func (p *IRPrinting) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.treeErr
}
