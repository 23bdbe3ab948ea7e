package cli

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"freehold/compile"
	"freehold/tool/lsp"
)

func newLSPCommand(s invocation) *cobra.Command {
	var version llvmVersion
	c := &cobra.Command{
		Use:   "lsp",
		Short: "Serve editors: what is wrong, what is what, why it copies",
		Long: `lsp is a language server: an editor starts it and talks to it over standard
input and output. It shows errors while one types, several at once, and offers
hover, definitions and references of values, blocks, symbols and aliases,
rename, outline, folding, completion, signatures, colours, notes on what is
copied and allocated where and on how much memory functions need, and rewrites
of functions.`,
		Example: `  freehold lsp`,
		Args:    takes(0, false, "no arguments"),
		RunE: func(c *cobra.Command, _ []string) error {
			taken, err := version.choice()
			if err != nil {
				return err
			}
			server := lsp.NewServer(s.tool, compile.Options{}.Pipeline(), s.version())
			server.Taken = taken
			// A person who compares reads buffers in the order of the program, and not offsets.
			server.Shown = compile.Options{Arena: compile.NoArena, KeepOrder: true}.Pipeline()
			return server.Serve(c.Context(), stream{s})
		},
	}
	version.declare(c.Flags())
	return c
}

// stream is standard input and output as one connection.
type stream struct{ invocation }

func (s stream) Read(p []byte) (int, error)  { return s.In.Read(p) }
func (s stream) Write(p []byte) (int, error) { return s.Out.Write(p) }

// Close closes the input, if it can be closed, so that nobody waits for it any more.
func (s stream) Close() error {
	if c, ok := s.In.(io.Closer); ok {
		return errors.Join(c.Close())
	}
	return nil
}
