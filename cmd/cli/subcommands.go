package cli

import "github.com/spf13/cobra"

// subcommands makes the subcommands other than opt.
var subcommands = []func(invocation) *cobra.Command{
	newCheckCommand,
	newVerifyCertificateCommand,
	newCompareCommand,
	newCompileCommand,
	newDifftestCommand,
	newFuzzCommand,
	newExplainCommand,
	newPeakCommand,
	newLSPCommand,
	newPlanCommand,
	newReduceCommand,
	newReportCommand,
	newRunCommand,
}
