package lsp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/sourcegraph/jsonrpc2"
)

// messages is the connection to a client, as messages. What comes in a frame but is no message is answered with an error, and the next one is read; only where nobody knows
// where the next frame starts, reading ends. It ends only once what was asked is answered.
type messages struct {
	jsonrpc2.ObjectStream
	in    *bufio.Reader
	s     *Server
	ended func()     // is called at the end: the client answers nothing any more
	lost  chan error // gets why no frame was found
}

func newMessages(stream io.ReadWriteCloser, s *Server, ended func()) *messages {
	return &messages{jsonrpc2.NewBufferedStream(stream, jsonrpc2.VSCodeObjectCodec{}), bufio.NewReader(stream), s, ended, make(chan error, 1)}
}

// ReadObject implements [jsonrpc2.ObjectStream].
func (m *messages) ReadObject(v any) error {
	for {
		content, err := readFrame(m.in)
		if err != nil {
			m.ended()
			m.s.working.Wait()
			var lost *frameError
			if errors.As(err, &lost) {
				m.lost <- lost
			}
			return err
		}
		if !json.Valid(content) {
			m.refuse(nil, jsonrpc2.CodeParseError, "the message isn't JSON")
			continue
		}
		err = json.Unmarshal(content, v)
		if id := idOf(content); err == nil && len(id) > 0 && id[0] == '-' {
			err = errors.New("its number is negative") // the answer would have another one
		}
		if err != nil {
			reflect.ValueOf(v).Elem().SetZero() // it may be there in part
			m.refuse(idOf(content), jsonrpc2.CodeInvalidRequest, "the message is no request or response that is understood: "+strings.TrimPrefix(err.Error(), "jsonrpc2: "))
			continue
		}
		return nil
	}
}

// refuse answers something that is no message. It doesn't wait until the client reads that.
func (m *messages) refuse(id json.RawMessage, code int64, message string) {
	m.s.working.Add(1)
	go func() {
		defer m.s.working.Done()
		_ = m.WriteObject(refusal{"2.0", id, jsonrpc2.Error{Code: code, Message: message}}) // a client that is gone gets no answer
	}()
}

// refusal is a response to what may have no number.
type refusal struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"` // null if nobody knows
	Error   jsonrpc2.Error  `json:"error"`
}

// idOf returns the number, or the name, of a request that isn't valid; nil if there is none.
func idOf(content []byte) json.RawMessage {
	var request struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(content, &request) != nil || len(request.ID) == 0 || strings.ContainsRune("{[tf", rune(request.ID[0])) {
		return nil
	}
	return request.ID
}

// frameError tells why the next message wasn't found.
type frameError struct{ problem string }

func (e *frameError) Error() string {
	return "the input can't be split into messages any more: " + e.problem
}

// readFrame returns the content of the next frame; [io.EOF] if there is none.
func readFrame(in *bufio.Reader) ([]byte, error) {
	length := int64(-1)
	for first := true; ; first = false {
		line, err := in.ReadSlice('\n')
		switch {
		case err == io.EOF && first && len(line) == 0:
			return nil, io.EOF
		case err == io.EOF:
			return nil, &frameError{"it ends in the header of one"}
		case err == bufio.ErrBufferFull:
			return nil, &frameError{"a line of a header has no end"}
		case err != nil:
			return nil, err
		}
		field := strings.TrimRight(string(line), "\r\n")
		if field == "" {
			break
		}
		name, value, ok := strings.Cut(field, ":")
		if !ok || name == "" || strings.ContainsAny(name, " \t{}[]\"") {
			return nil, &frameError{fmt.Sprintf("%.40q is no field of a header", field)}
		}
		if !strings.EqualFold(name, "Content-Length") {
			continue
		}
		n, err := strconv.ParseUint(strings.TrimSpace(value), 10, 32)
		if err != nil {
			return nil, &frameError{fmt.Sprintf("%.40q is no length", strings.TrimSpace(value))}
		}
		length = int64(n)
	}
	if length < 0 {
		return nil, &frameError{"a header has no Content-Length"}
	}
	var content bytes.Buffer // which grows as the content comes, however long that claims to be
	if _, err := io.CopyN(&content, in, length); err == io.EOF {
		return nil, &frameError{fmt.Sprintf("it ends after %d of the %d bytes of one", content.Len(), length)}
	} else if err != nil {
		return nil, err
	}
	return content.Bytes(), nil
}
