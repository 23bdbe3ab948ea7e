package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"freehold/internal/fileio"
	"freehold/proof/certificate"
	"freehold/proof/verify"
)

func newVerifyCertificateCommand(s invocation) *cobra.Command {
	var how reading
	threads := 0
	c := &cobra.Command{
		Use:   "verify-certificate [flags] PROGRAM CERTIFICATE",
		Short: "Check a proof that a program handles memory right",
		Long: `verify-certificate checks a proof that the command check wrote with
--certificate: that on every path of the program each allocation is freed
exactly once, and not used afterwards. It uses nothing of what finds proofs, and
searches for nothing itself.

It answers "verified" (exit status 0), or says what the certificate doesn't show
(exit status 1), or that there is nothing to verify, as no function has a body
(exit status 2). Exit status 3 is for programs and certificates that can't be
read or aren't understood.`,
		Example: `  freehold verify-certificate buffers.mlir buffers.proof`,
		Args:    takes(2, false, "a PROGRAM and a CERTIFICATE"),
		RunE: func(_ *cobra.Command, args []string) error {
			in, err := readModule(s, args[0], how)
			if err != nil {
				return err
			}
			if !hasBody(in.module) {
				return noBody(in.name, "verify")
			}
			text, proofName, err := fileio.Read(args[1], s.In, nil)
			if err != nil {
				return err
			}
			proof, err := certificate.Parse(string(text))
			if err != nil {
				return fmt.Errorf("%s: %w", proofName, err)
			}
			if err := verify.Program(in.module, proof, threads); err != nil {
				in.ReportAll(err)
				return exitStatus(statusWrong)
			}
			_, err = fmt.Fprintln(s.Out, "verified: every allocation is freed exactly once and not used afterwards")
			return err
		},
	}
	f := c.Flags()
	how.declare(f)
	f.IntVar(&threads, "threads", 0, "functions to verify at the same time; 0 is as many as there are processors")
	return c
}
