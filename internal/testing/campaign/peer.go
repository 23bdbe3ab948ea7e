package campaign

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"

	"freehold/ir"
	"freehold/ir/asm"
)

// peer lets mlir-opt run the pipeline itself, and read what the pipeline printed.
func (x *trial) peer(src *program, after *ir.Op) *problem {
	out, message := x.transformed(src.module)
	switch {
	case message == "":
		if p := x.peerMakes(out, src); p != nil {
			return p
		}
	case x.o.PeerExact && refuses(message) && x.peerKnows():
		return problemf(kindPeer, "refuses what is accepted: %s", message)
	}
	if message := x.peerReads(after); message != "" {
		return problemf(kindPeer, "does not read what is printed: %s", message)
	}
	return nil
}

// peerMakes compares with what the peer made of the program.
func (x *trial) peerMakes(out []byte, src *program) *problem {
	theirs, err := parse(out)
	if err != nil {
		return problemf(kindPeer, "what it prints is not read: %v", err)
	}
	message := x.kept(func() answer {
		if p := x.compare(src, theirs, &executed{}); p != nil && p.kind == kindMismatch {
			return answer{Message: p.message}
		}
		return answer{}
	}, "means %d %d %s %s", x.seed, x.o.Inputs, asm.Print(src.module, asm.PrintOptions{Generic: true}), out).Message
	if message != "" {
		return problemf(kindPeer, "its program computes something else: %s", message)
	}
	if !x.o.PeerExact || bytes.Equal(asm.Print(theirs, asm.PrintOptions{}), x.readable) {
		return nil
	}
	// What is read again has no attributes that are not printed since they are defaults.
	ours, err := parse(x.readable)
	if err != nil {
		return problemf(kindUnreadable, "%v", err)
	}
	if d := difference(ours, theirs); d != "" {
		return problemf(kindPeer, "its program differs: %s", d)
	}
	return nil
}

// peerRefuses tells what is wrong if the peer doesn't refuse a program, or gives another
// reason.
func (x *trial) peerRefuses(before *ir.Op) *problem {
	_, message := x.transformed(before)
	if message == "" {
		return problemf(kindPeer, "accepts what is refused: %s", x.refused)
	}
	if !refuses(message) || !x.peerKnows() {
		return nil
	}
	_, theirs, _ := strings.Cut(message, " error: ")
	if theirs = strings.TrimSuffix(theirs, refusal); !strings.Contains(x.refused, theirs) {
		return problemf(kindPeer, "refuses for another reason: %s, not %s", theirs, x.refused)
	}
	return nil
}

// refusal is what the message ends with if the peer refuses a program, and doesn't crash.
const refusal = " (exit status 1)"

func refuses(message string) bool { return strings.HasSuffix(message, refusal) }

// peerKnows tells whether the peer has the passes and options. It may refuse how these
// are combined.
func (x *trial) peerKnows() bool {
	_, message := x.askPeer([]byte("module {}"), "--pass-pipeline="+x.t.Pipeline)
	return !strings.Contains(message, "PassPipeline Parser") && !strings.Contains(message, "<Pass-Options-Parser>")
}

// transformed lets the peer run the pipeline.
func (x *trial) transformed(before *ir.Op) (out []byte, message string) {
	return x.askPeer(asm.Print(before, asm.PrintOptions{Generic: true}), "--pass-pipeline="+x.t.Pipeline)
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
	a := x.kept(func() answer { return x.runPeer(text, args) }, "%s %q\n%s", x.o.Peer, args, text)
	return a.Out, a.Message
}

// kept returns the answer to a question that is in the folder of answers, or finds it out
// and keeps it there.
func (x *trial) kept(find func() answer, format string, args ...any) answer {
	if x.o.PeerAnswers == "" {
		return find()
	}
	h := sha256.New()
	fmt.Fprintf(h, format, args...)
	path := filepath.Join(x.o.PeerAnswers, hex.EncodeToString(h.Sum(nil))+".json")
	var a answer
	if data, err := os.ReadFile(path); err == nil && json.Unmarshal(data, &a) == nil {
		return a
	}
	a = find()
	// An answer that can't be kept is asked for again.
	if data, err := json.Marshal(a); err == nil && os.MkdirAll(x.o.PeerAnswers, 0o777) == nil {
		_ = os.WriteFile(path, data, 0o666)
	}
	return a
}

func (x *trial) runPeer(text []byte, args []string) answer {
	c := osexec.Command(x.o.Peer, args...)
	var stdout, stderr bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(text), &stdout, &stderr
	if err := c.Run(); err != nil {
		message, _, _ := strings.Cut(stderr.String(), "\n")
		return answer{Message: message + " (" + err.Error() + ")"}
	}
	return answer{Out: stdout.Bytes()}
}
