package cli

import (
	"strconv"

	"github.com/spf13/pflag"

	"freehold/driver"
	"freehold/ir"
)

// reading is how a command reads programs, and prints them if it does.
type reading struct {
	allowUnregistered bool
	version           llvmVersion
	verbose           bool
}

// declare adds the flags that all commands have which read programs.
func (r *reading) declare(f *pflag.FlagSet) {
	f.BoolVar(&r.allowUnregistered, "allow-unregistered-dialect", false, "accept operations of unknown dialects")
	r.version.declare(f)
	f.BoolVarP(&r.verbose, "verbose", "v", false, "tell which version of LLVM the program is taken for, and why")
}

// llvmVersion is a version of LLVM as the value of a flag; 0 if it isn't given.
type llvmVersion int

// declare adds the flag.
func (v *llvmVersion) declare(f *pflag.FlagSet) {
	f.Var(v, "mlir-version", "read programs as this `version` of LLVM spells them, and print them so from 19 on; without it, "+driver.VersionVariable+" in the environment names it, or a comment in the program, or else its spelling tells")
}

// choice returns what the flag says, or else the environment.
func (v *llvmVersion) choice() (driver.Choice, error) {
	if *v != 0 {
		return driver.Choice{LLVM: int(*v), Because: "--mlir-version says so", Loc: ir.Unknown}, nil
	}
	return driver.EnvironmentLLVM()
}

// String implements pflag.Value.
func (v *llvmVersion) String() string {
	if *v == 0 {
		return ""
	}
	return strconv.Itoa(int(*v))
}

// Set implements pflag.Value.
func (v *llvmVersion) Set(text string) error {
	n, err := driver.ParseLLVMVersion(text)
	*v = llvmVersion(n)
	return err
}

// Type implements pflag.Value.
func (*llvmVersion) Type() string { return "version" }
