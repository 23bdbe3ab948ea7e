package campaign

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"freehold/iface"
	"freehold/ir"
	"freehold/ir/asm"
)

// peer lets mlir-opt read what a pipeline printed, and run the pipeline itself.
func (x *trial) peer(before, after *ir.Op) *problem {
	if message := x.peerReads(after); message != "" {
		return problemf(kindPeer, "does not read what is printed: %s", message)
	}
	out, message := x.transformed(before)
	if message != "" {
		return nil // a pass, or an option, that it doesn't have, or a limit
	}
	theirs, err := parse(out)
	if err != nil {
		return problemf(kindPeer, "what it prints is not read: %v", err)
	}
	if p := x.compare(before, theirs); p != nil && p.kind == kindMismatch {
		return problemf(kindPeer, "its program computes something else: %s", p.message)
	}
	if x.o.PeerExact {
		if d := effectDifference(after, theirs); d != "" {
			return problemf(kindPeer, "its program has other operations: %s", d)
		}
	}
	return nil
}

// transformed lets the peer run the pipeline.
func (x *trial) transformed(before *ir.Op) (out []byte, message string) {
	return x.askPeer(asm.Print(before, asm.PrintOptions{Generic: true}), "--pass-pipeline="+x.t.Pipeline)
}

// peerAccepts tells whether the pipeline succeeds on a program.
func (x *trial) peerAccepts(before *ir.Op) bool {
	_, message := x.transformed(before)
	return message == ""
}

// peerReads lets the peer read a program, and returns what it doesn't like. There is
// syntax that it prints and can't read; this counts for nothing.
func (x *trial) peerReads(m *ir.Op) string {
	_, message := x.askPeer(asm.Print(m, asm.PrintOptions{}))
	if message == "" {
		return ""
	}
	own, generic := x.askPeer(asm.Print(m, asm.PrintOptions{Generic: true}))
	if generic != "" {
		return generic
	}
	if _, again := x.askPeer(own); again != "" {
		return ""
	}
	return message
}

// answer is what the peer said.
type answer struct {
	Out     []byte `json:"out"`
	Message string `json:"message"`
}

// askPeer runs the peer, unless its answer is in the folder of answers. message is empty
// if it succeeds.
func (x *trial) askPeer(text []byte, args ...string) (out []byte, message string) {
	if x.o.PeerAnswers == "" {
		a := x.runPeer(text, args)
		return a.Out, a.Message
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s %q\n", x.o.Peer, args)
	h.Write(text)
	path := filepath.Join(x.o.PeerAnswers, hex.EncodeToString(h.Sum(nil))+".json")
	var a answer
	if data, err := os.ReadFile(path); err == nil && json.Unmarshal(data, &a) == nil {
		return a.Out, a.Message
	}
	a = x.runPeer(text, args)
	// An answer that can't be kept is asked for again.
	if data, err := json.Marshal(a); err == nil && os.MkdirAll(x.o.PeerAnswers, 0o777) == nil {
		_ = os.WriteFile(path, data, 0o666)
	}
	return a.Out, a.Message
}

func (x *trial) runPeer(text []byte, args []string) answer {
	c := exec.Command(x.o.Peer, args...)
	var stdout, stderr bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(text), &stdout, &stderr
	if err := c.Run(); err != nil {
		message, _, _ := strings.Cut(stderr.String(), "\n")
		return answer{Message: message + " (" + err.Error() + ")"}
	}
	return answer{Out: stdout.Bytes()}
}

// effectDifference tells of which operations with effects the first program has more
// than the second one, or fewer; empty if of none. Passes do the same if it is empty
// for what they made, up to the order of what they did and pure operations.
func effectDifference(a, b *ir.Op) string {
	counts := map[string]int{}
	count := func(m *ir.Op, n int) {
		m.Walk(func(op *ir.Op) bool {
			if !iface.IsPure(op) {
				counts[op.Name()] += n
			}
			return true
		})
	}
	count(a, 1)
	count(b, -1)
	var list []string
	for name, n := range counts {
		if n != 0 {
			list = append(list, fmt.Sprintf("%+d %s", n, name))
		}
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}
