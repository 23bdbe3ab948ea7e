//go:build linux && (amd64 || arm64)

package hugepages

import (
	"runtime/debug"
	"sync"
	"syscall"
	"unsafe"
)

// Advise makes the kernel map the next n times Size bytes of the heap in large pages, where
// it has any. That it doesn't is no error, nor that there aren't as many addresses, or that
// stacks may not be as deep, for which the runtime would give up.
//
// What is advised are the stacks of goroutines: the heap has the addresses of a stack at once
// when its goroutine ends, with their advice, where those of a value would have to be
// collected, which takes as long as reading a model does.
func Advise(n int) {
	deepest := debug.SetMaxStack(2 * Size) // there is no other way to ask
	if debug.SetMaxStack(deepest); deepest < 2*Size {
		return
	}
	free, err := syscall.Mmap(-1, 0, (n+2)*Size, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil || syscall.Munmap(free) != nil {
		return
	}
	var advised, ended sync.WaitGroup
	advised.Add(n)
	for range n {
		ended.Go(func() {
			grow(nil)
			adviseStack()
			advised.Done()
			advised.Wait() // no two of them have the same addresses
		})
	}
	ended.Wait()
}

// adviseStack advises the addresses of a stack that was made to grow.
func adviseStack() {
	var local byte // close to the upper end
	end := (uintptr(unsafe.Pointer(&local)) + Page) &^ (Page - 1)
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, end-Size, Size, syscall.MADV_HUGEPAGE)
}

// frame is so large that a function which passes one on needs a stack of Size bytes: the
// compiler gives it room for two, and stacks have a power of two.
type frame [Size / 16 * 5]byte

// grow makes the stack of its goroutine as large as its frame needs, of which it touches
// nothing.
//
//go:noinline
func grow(f *frame) byte {
	if f == nil {
		return 0
	}
	return last(*f)
}

//go:noinline
func last(f frame) byte { return f[len(f)-1] }
