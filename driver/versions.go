package driver

// defaultLLVM is the version of LLVM whose operations freehold's are.
const defaultLLVM = "19"

// LLVMVersions returns the major versions of LLVM whose spelling is read, the earliest first. From 19 on, it is printed, too.
func LLVMVersions() []string { return []string{"15", "16", "17", "18", defaultLLVM, "20", "21", "22"} }
