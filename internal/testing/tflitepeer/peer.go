package main

import (
	"bufio"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// library is a package of npm whose kernels are compared with, and the script that runs them.
type library struct {
	pkg, version, script string
}

// protocol is what stands in front of the scripts.
//
//go:embed protocol.cjs
var protocol string

//go:embed peer.cjs
var litertScript string

//go:embed tfjs.cjs
var tfjsScript string

// tfjs is the mode that has TensorFlow.js's library instead of LiteRT.js's.
const tfjs = "tfjs"

// libraryOf returns what a mode needs.
func libraryOf(mode string) library {
	if mode == tfjs {
		return library{"@tensorflow/tfjs-tflite", "0.0.1-alpha.10", protocol + tfjsScript}
	}
	return library{"@litertjs/core", "2.5.3", protocol + litertScript}
}

// restart is after how many models there is a new process.
const restart = 500

// peer is a process of node that executes models with LiteRT.
type peer struct {
	folder, mode string
	temporary    bool
	// otherwise has kernels for the operators that have no reference kernel. May be nil.
	otherwise *peer
	process   *exec.Cmd
	in        io.WriteCloser
	// served is how many models the process has executed, about.
	served int
	out    *bufio.Reader
}

// newPeer installs LiteRT in a folder, if it isn't there.
func newPeer(folder, mode string) (*peer, error) {
	p := &peer{folder: folder, mode: mode}
	if folder == "" {
		dir, err := os.MkdirTemp("", "litert")
		if err != nil {
			return nil, err
		}
		p.folder, p.temporary = dir, true
	}
	l := libraryOf(mode)
	if _, err := os.Stat(filepath.Join(p.folder, "node_modules", filepath.FromSlash(l.pkg))); err != nil {
		npm := exec.Command("npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps", l.pkg+"@"+l.version)
		npm.Dir, npm.Stderr = p.folder, os.Stderr
		if err := npm.Run(); err != nil {
			return nil, fmt.Errorf("npm install %s@%s: %v", l.pkg, l.version, err)
		}
	}
	if mode == "reference" {
		p.otherwise = &peer{folder: p.folder, mode: "builtin"}
	}
	return p, nil
}

func (p *peer) close() {
	p.stop()
	if p.otherwise != nil {
		p.otherwise.stop()
	}
	if p.temporary {
		os.RemoveAll(p.folder)
	}
}

func (p *peer) start() error {
	if p.process != nil {
		return nil
	}
	p.process = exec.Command("node", "-e", libraryOf(p.mode).script, "", p.mode)
	p.process.Dir, p.process.Stderr = p.folder, os.Stderr
	in, err := p.process.StdinPipe()
	if err != nil {
		return err
	}
	out, err := p.process.StdoutPipe()
	if err != nil {
		return err
	}
	p.in, p.out = in, bufio.NewReader(out)
	return p.process.Start()
}

// stop ends the process. One that is needed later is a new one.
func (p *peer) stop() {
	if p.process == nil {
		return
	}
	p.in.Close()
	p.process.Wait()
	p.process = nil
}

// errRefused is what an error of the peer is that is about the model.
var errRefused = errors.New("LiteRT")

// execute executes a model on arguments, several times with one state, and returns the results of each time. A model that LiteRT
// refuses or can't execute is an error that wraps [errRefused].
func (p *peer) execute(file []byte, executions [][][]byte) ([][][]byte, error) {
	if err := p.start(); err != nil {
		return nil, err
	}
	request := blob(nil, file)
	request = binary.LittleEndian.AppendUint32(request, uint32(len(executions)))
	for _, inputs := range executions {
		request = binary.LittleEndian.AppendUint32(request, uint32(len(inputs)))
		for _, data := range inputs {
			request = blob(request, data)
		}
	}
	if _, err := p.in.Write(request); err != nil {
		return nil, err
	}
	results, err := p.answer(len(executions))
	if errors.Is(err, io.EOF) {
		p.stop()
		err = fmt.Errorf("%w: the process ended", errRefused)
	}
	// LiteRT.js doesn't give all its memory back.
	if p.served++; p.served == restart {
		p.stop()
		p.served = 0
	}
	if err != nil && p.otherwise != nil && strings.Contains(err.Error(), "Didn't find op") {
		return p.otherwise.execute(file, executions)
	}
	return results, err
}

func (p *peer) answer(executions int) ([][][]byte, error) {
	status, err := p.number()
	if err != nil {
		return nil, err
	}
	if status != 0 {
		text, err := p.bytes()
		if err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%w: %s", errRefused, text)
	}
	results := make([][][]byte, executions)
	for i := range results {
		n, err := p.number()
		if err != nil {
			return nil, err
		}
		for range n {
			data, err := p.bytes()
			if err != nil {
				return nil, err
			}
			results[i] = append(results[i], data)
		}
	}
	return results, nil
}

func (p *peer) number() (uint32, error) {
	var b [4]byte
	_, err := io.ReadFull(p.out, b[:])
	return binary.LittleEndian.Uint32(b[:]), err
}

func (p *peer) bytes() ([]byte, error) {
	n, err := p.number()
	if err != nil {
		return nil, err
	}
	b := make([]byte, n)
	_, err = io.ReadFull(p.out, b)
	return b, err
}

func blob(to, data []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(to, uint32(len(data))), data...)
}
