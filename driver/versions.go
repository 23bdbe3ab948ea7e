package driver

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"freehold/ir"
)

// defaultLLVM is the version of LLVM whose operations freehold's are.
const defaultLLVM = "19"

// LLVMVersions returns the major versions of LLVM whose spelling is read, the earliest first. From 19 on, it is printed, too.
func LLVMVersions() []string {
	return []string{"15", "16", "17", "18", defaultLLVM, "20", "21", "22", "23", "24"}
}

// VersionVariable is the environment variable that names the version of LLVM where no flag does.
const VersionVariable = "FREEHOLD_MLIR_VERSION"

// ParseLLVMVersion returns one of [LLVMVersions] as a number. Other texts are an error, which lists them.
func ParseLLVMVersion(text string) (int, error) {
	if !slices.Contains(LLVMVersions(), text) {
		return 0, fmt.Errorf("'%s' is no version of LLVM that is read: it is one of %s", text, strings.Join(LLVMVersions(), ", "))
	}
	return strconv.Atoi(text)
}

// EnvironmentLLVM returns the choice that [VersionVariable] makes; none if it isn't set, or empty.
func EnvironmentLLVM() (Choice, error) {
	text := os.Getenv(VersionVariable)
	if text == "" {
		return Choice{}, nil
	}
	n, err := ParseLLVMVersion(text)
	if err != nil {
		return Choice{}, fmt.Errorf("%s: %w", VersionVariable, err)
	}
	return Choice{n, VersionVariable + " says so", ir.Unknown}, nil
}
