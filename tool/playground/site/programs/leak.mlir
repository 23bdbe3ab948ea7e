// This program works on a buffer and frees it
// itself, but not on every path.
//
// Check follows all paths, and draws the one on
// which the buffer is never freed. Try it: free it
// there, too, or free it twice.

func.func @main(%keep: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %buffer = memref.alloc() : memref<16xf32>
  linalg.fill ins(%zero : f32) outs(%buffer : memref<16xf32>)
  %x = memref.load %buffer[%c0] : memref<16xf32>
  scf.if %keep {
    memref.store %x, %buffer[%c0] : memref<16xf32>
  } else {
    memref.dealloc %buffer : memref<16xf32>
  }
  return %x : f32
}
