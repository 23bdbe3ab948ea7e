func.func @extract() -> f32 {
  %t = arith.constant dense<1.0> : tensor<4xf32>
  %c4 = arith.constant 4 : index
  %v = tensor.extract %t[%c4] : tensor<4xf32> // !! out of bounds
  return %v : f32
}

// -----

func.func @insert() -> tensor<4xf32> {
  %t = arith.constant dense<1.0> : tensor<4xf32>
  %x = arith.constant 1.0 : f32
  %c4 = arith.constant -1 : index
  %v = tensor.insert %x into %t[%c4] : tensor<4xf32> // !! out of bounds
  return %v : tensor<4xf32>
}

// -----

func.func @undefined() -> f32 {
  %t = tensor.empty() : tensor<4xf32>
  %c0 = arith.constant 0 : index
  %v = tensor.extract %t[%c0] : tensor<4xf32> // !! uninitialized read
  return %v : f32
}

// -----

func.func @undefined_alloc_tensor() -> tensor<4xf32> {
  %t = bufferization.alloc_tensor() : tensor<4xf32>
  %s = tensor.extract_slice %t[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %e = tensor.empty() : tensor<2xf32>
  %r = linalg.exp ins(%s : tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32> // !! uninitialized read
  return %t : tensor<4xf32>
}

// -----

func.func @slice() -> tensor<?xf32> {
  %t = arith.constant dense<1.0> : tensor<4xf32>
  %c3 = arith.constant 3 : index
  %v = tensor.extract_slice %t[2] [%c3] [1] : tensor<4xf32> to tensor<?xf32> // !! out of bounds
  return %v : tensor<?xf32>
}

// -----

func.func @insert_slice_size() -> tensor<4xf32> {
  %t = arith.constant dense<1.0> : tensor<4xf32>
  %s = arith.constant dense<1.0> : tensor<3xf32>
  %c2 = arith.constant 2 : index
  %d = tensor.cast %s : tensor<3xf32> to tensor<?xf32>
  %v = tensor.insert_slice %d into %t[0] [%c2] [1] : tensor<?xf32> into tensor<4xf32> // !! size mismatch
  return %v : tensor<4xf32>
}

// -----

func.func @insert_slice_outside() -> tensor<4xf32> {
  %t = arith.constant dense<1.0> : tensor<4xf32>
  %s = arith.constant dense<1.0> : tensor<2xf32>
  %c3 = arith.constant 3 : index
  %v = tensor.insert_slice %s into %t[%c3] [2] [1] : tensor<2xf32> into tensor<4xf32> // !! out of bounds
  return %v : tensor<4xf32>
}

// -----

func.func @slice_negative_stride() -> tensor<2xf32> {
  %t = arith.constant dense<1.0> : tensor<4xf32>
  %c = arith.constant -1 : index
  %v = tensor.extract_slice %t[0] [2] [%c] : tensor<4xf32> to tensor<2xf32> // !! out of bounds
  return %v : tensor<2xf32>
}

// -----

func.func @parallel_insert_outside() -> tensor<4xf32> {
  %t = arith.constant dense<1.0> : tensor<4xf32>
  %s = arith.constant dense<2.0> : tensor<2xf32>
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<4xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [2] [1] : tensor<2xf32> into tensor<4xf32> // !! out of bounds
    }
  }
  return %r : tensor<4xf32>
}

// -----

func.func @cast() -> tensor<3xf32> {
  %t = arith.constant dense<1.0> : tensor<4xf32>
  %d = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %v = tensor.cast %d : tensor<?xf32> to tensor<3xf32> // !! size mismatch
  return %v : tensor<3xf32>
}

// -----

func.func @cast_rank() -> tensor<2x2xf32> {
  %t = arith.constant dense<1.0> : tensor<4xf32>
  %d = tensor.cast %t : tensor<4xf32> to tensor<*xf32>
  %v = tensor.cast %d : tensor<*xf32> to tensor<2x2xf32> // !! size mismatch
  return %v : tensor<2x2xf32>
}

// -----

func.func @expand_group() -> tensor<?x?x?xf32> {
  %t = arith.constant dense<1.0> : tensor<4x6xf32>
  %d = tensor.cast %t : tensor<4x6xf32> to tensor<?x?xf32>
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %v = tensor.expand_shape %d [[0, 1], [2]] output_shape [%c2, %c3, %c4] : tensor<?x?xf32> into tensor<?x?x?xf32> // !! size mismatch
  return %v : tensor<?x?x?xf32>
}

// -----

func.func @expand_negative() -> tensor<?x?xf32> {
  %t = arith.constant dense<1.0> : tensor<4xf32>
  %d = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %c = arith.constant -2 : index
  %v = tensor.expand_shape %d [[0, 1]] output_shape [%c, %c] : tensor<?xf32> into tensor<?x?xf32> // !! size mismatch
  return %v : tensor<?x?xf32>
}

// -----

func.func @collapse_type() -> tensor<6xf32> {
  %t = arith.constant dense<1.0> : tensor<2x4xf32>
  %d = tensor.cast %t : tensor<2x4xf32> to tensor<?x?xf32>
  %v = tensor.collapse_shape %d [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %w = tensor.cast %v : tensor<?xf32> to tensor<6xf32> // !! size mismatch
  return %w : tensor<6xf32>
}

// -----

func.func @reshape() -> tensor<?x?xf32> {
  %t = arith.constant dense<1.0> : tensor<4xf32>
  %s = arith.constant dense<[2, 3]> : tensor<2xi32>
  %v = tensor.reshape %t(%s) : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x?xf32> // !! size mismatch
  return %v : tensor<?x?xf32>
}

// -----

func.func @reshape_negative() -> tensor<?x?xf32> {
  %t = arith.constant dense<1.0> : tensor<4xf32>
  %s = arith.constant dense<[-2, -2]> : tensor<2xi32>
  %v = tensor.reshape %t(%s) : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x?xf32> // !! size mismatch
  return %v : tensor<?x?xf32>
}

// -----

func.func @dim() -> index {
  %t = arith.constant dense<1.0> : tensor<4xf32>
  %d = tensor.cast %t : tensor<4xf32> to tensor<*xf32>
  %c = arith.constant 1 : index
  %v = tensor.dim %d, %c : tensor<*xf32> // !! out of bounds
  return %v : index
}

// -----

func.func @empty_negative() -> tensor<?xf32> {
  %c = arith.constant -1 : index
  %v = tensor.empty(%c) : tensor<?xf32> // !! size mismatch
  return %v : tensor<?xf32>
}

// -----

func.func @generate_negative() -> tensor<?xf32> {
  %c = arith.constant -1 : index
  %v = tensor.generate %c { // !! size mismatch
  ^bb0(%i: index):
    %x = arith.constant 1.0 : f32
    tensor.yield %x : f32
  } : tensor<?xf32>
  return %v : tensor<?xf32>
}

// -----

func.func @pad_negative() -> tensor<?xf32> {
  %t = arith.constant dense<1.0> : tensor<4xf32>
  %c = arith.constant -5 : index
  %v = tensor.pad %t low[0] high[%c] { // !! size mismatch
  ^bb0(%i: index):
    %x = arith.constant 1.0 : f32
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<?xf32>
  return %v : tensor<?xf32>
}

// -----

// Padding takes no elements away: the source becomes a slice of the result.
func.func @pad_less() -> tensor<?xf32> {
  %t = arith.constant dense<1.0> : tensor<4xf32>
  %c = arith.constant -1 : index
  %v = tensor.pad %t low[-1] high[%c] { // !! size mismatch
  ^bb0(%i: index):
    %x = arith.constant 1.0 : f32
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<?xf32>
  return %v : tensor<?xf32>
}

// -----

func.func @concat() -> tensor<2x?xf32> {
  %t = arith.constant dense<1.0> : tensor<2x4xf32>
  %u = arith.constant dense<1.0> : tensor<3x4xf32>
  %d = tensor.cast %t : tensor<2x4xf32> to tensor<?x?xf32>
  %e = tensor.cast %u : tensor<3x4xf32> to tensor<?x?xf32>
  %v = tensor.concat dim(1) %d, %e : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32> // !! size mismatch
  %w = tensor.cast %v : tensor<?x?xf32> to tensor<2x?xf32>
  return %w : tensor<2x?xf32>
}

// -----

func.func @concat_less() -> tensor<?x?xf32> {
  %t = arith.constant dense<1.0> : tensor<3x4xf32>
  %u = arith.constant dense<1.0> : tensor<2x4xf32>
  %d = tensor.cast %t : tensor<3x4xf32> to tensor<?x?xf32>
  %e = tensor.cast %u : tensor<2x4xf32> to tensor<?x?xf32>
  %v = tensor.concat dim(1) %d, %e : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32> // !! size mismatch
  return %v : tensor<?x?xf32>
}

// -----

func.func @gather() -> tensor<2x1xf32> {
  %t = arith.constant dense<1.0> : tensor<4xf32>
  %i = arith.constant dense<[[1], [4]]> : tensor<2x1xindex>
  %v = tensor.gather %t[%i] gather_dims([0]) : (tensor<4xf32>, tensor<2x1xindex>) -> tensor<2x1xf32> // !! out of bounds
  return %v : tensor<2x1xf32>
}

// -----

func.func @scatter() -> tensor<4xf32> {
  %t = arith.constant dense<1.0> : tensor<4xf32>
  %s = arith.constant dense<1.0> : tensor<2x1xf32>
  %i = arith.constant dense<[[1], [-1]]> : tensor<2x1xindex>
  %v = tensor.scatter %s into %t[%i] scatter_dims([0]) unique : (tensor<2x1xf32>, tensor<4xf32>, tensor<2x1xindex>) -> tensor<4xf32> // !! out of bounds
  return %v : tensor<4xf32>
}

// -----

func.func @scatter_twice() -> tensor<4xf32> {
  %t = arith.constant dense<1.0> : tensor<4xf32>
  %s = arith.constant dense<1.0> : tensor<2x1xf32>
  %i = arith.constant dense<[[1], [1]]> : tensor<2x1xindex>
  %v = tensor.scatter %s into %t[%i] scatter_dims([0]) unique : (tensor<2x1xf32>, tensor<4xf32>, tensor<2x1xindex>) -> tensor<4xf32> // !! undefined behavior
  return %v : tensor<4xf32>
}

// -----

func.func @gather_unique() -> tensor<2x1xf32> {
  %t = arith.constant dense<1.0> : tensor<4xf32>
  %i = arith.constant dense<[[1], [1]]> : tensor<2x1xindex>
  %v = tensor.gather %t[%i] gather_dims([0]) unique : (tensor<4xf32>, tensor<2x1xindex>) -> tensor<2x1xf32> // !! undefined behavior
  return %v : tensor<2x1xf32>
}

// -----

func.func @elementwise_sizes() -> tensor<?xf32> {
  %t = arith.constant dense<1.0> : tensor<3xf32>
  %u = arith.constant dense<1.0> : tensor<2xf32>
  %d = tensor.cast %t : tensor<3xf32> to tensor<?xf32>
  %e = tensor.cast %u : tensor<2xf32> to tensor<?xf32>
  %v = arith.addf %d, %e : tensor<?xf32> // !! size mismatch
  return %v : tensor<?xf32>
}

// -----

func.func @elementwise_division() -> tensor<3xi32> {
  %t = arith.constant dense<1> : tensor<3xi32>
  %u = arith.constant dense<[1, 0, 2]> : tensor<3xi32>
  %v = arith.divui %t, %u : tensor<3xi32> // !! division by zero
  return %v : tensor<3xi32>
}

// -----

func.func @pack_sizes() -> tensor<3x2xf32> {
  %t = arith.constant dense<1.0> : tensor<5xf32>
  %e = tensor.empty() : tensor<3x2xf32>
  %d = tensor.cast %t : tensor<5xf32> to tensor<?xf32>
  %v = tensor.pack %d inner_dims_pos = [0] inner_tiles = [2] into %e : tensor<?xf32> -> tensor<3x2xf32> // !! size mismatch
  return %v : tensor<3x2xf32>
}

// -----

func.func @pack_too_few_tiles() -> tensor<?x2xf32> {
  %t = arith.constant dense<1.0> : tensor<7xf32>
  %u = tensor.cast %t : tensor<7xf32> to tensor<?xf32>
  %e = tensor.empty() : tensor<3x2xf32>
  %d = tensor.cast %e : tensor<3x2xf32> to tensor<?x2xf32>
  %v = tensor.pack %u inner_dims_pos = [0] inner_tiles = [2] into %d : tensor<?xf32> -> tensor<?x2xf32> // !! size mismatch
  return %v : tensor<?x2xf32>
}

// -----

func.func @pack_padded_too_few_tiles() -> tensor<?x2xf32> {
  %p = arith.constant 0.0 : f32
  %t = arith.constant dense<1.0> : tensor<7xf32>
  %e = tensor.empty() : tensor<3x2xf32>
  %d = tensor.cast %e : tensor<3x2xf32> to tensor<?x2xf32>
  %v = tensor.pack %t padding_value(%p : f32) inner_dims_pos = [0] inner_tiles = [2] into %d : tensor<7xf32> -> tensor<?x2xf32> // !! size mismatch
  return %v : tensor<?x2xf32>
}

// -----

func.func @pack_too_many_rows() -> tensor<4x6x2xf32> {
  %p = arith.constant 0.0 : f32
  %t = arith.constant dense<1.0> : tensor<8x7xf32>
  %d = tensor.empty() : tensor<4x6x2xf32>
  %u = tensor.cast %t : tensor<8x7xf32> to tensor<8x?xf32>
  %v = tensor.pack %u padding_value(%p : f32) inner_dims_pos = [0] inner_tiles = [2] into %d : tensor<8x?xf32> -> tensor<4x6x2xf32> // !! size mismatch
  return %v : tensor<4x6x2xf32>
}

// -----

func.func @pack_other_tiles() -> tensor<?x?xf32> {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %t = arith.constant dense<1.0> : tensor<8xf32>
  %d = tensor.empty(%c4, %c3) : tensor<?x?xf32>
  %v = tensor.pack %t inner_dims_pos = [0] inner_tiles = [%c2] into %d : tensor<8xf32> -> tensor<?x?xf32> // !! size mismatch
  return %v : tensor<?x?xf32>
}

// -----

func.func @unpack_too_large() -> tensor<?xf32> {
  %t = arith.constant dense<1.0> : tensor<4x2xf32>
  %e = tensor.empty() : tensor<9xf32>
  %d = tensor.cast %e : tensor<9xf32> to tensor<?xf32>
  %v = tensor.unpack %t inner_dims_pos = [0] inner_tiles = [2] into %d : tensor<4x2xf32> -> tensor<?xf32> // !! size mismatch
  return %v : tensor<?xf32>
}

// -----

func.func @materialize() -> tensor<?xf32> {
  %t = arith.constant dense<1.0> : tensor<3xf32>
  %u = arith.constant dense<1.0> : tensor<2xf32>
  %d = tensor.cast %t : tensor<3xf32> to tensor<?xf32>
  %e = tensor.cast %u : tensor<2xf32> to tensor<?xf32>
  %v = bufferization.materialize_in_destination %d in %e : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> // !! size mismatch
  return %v : tensor<?xf32>
}

// -----

func.func @to_tensor_of_freed() -> tensor<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  %t = bufferization.to_tensor %m restrict : memref<4xf32> // !! use after free
  return %t : tensor<4xf32>
}

// -----

// A tensor has the elements that the buffer had.
func.func @to_tensor_is_a_value() -> f32 {
  %c0 = arith.constant 0 : index
  %x = arith.constant 1.0 : f32
  %y = arith.constant 2.0 : f32
  %m = memref.alloc() : memref<4xf32>
  memref.store %x, %m[%c0] : memref<4xf32>
  %t = bufferization.to_tensor %m restrict : memref<4xf32>
  memref.store %y, %m[%c0] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  %v = tensor.extract %t[%c0] : tensor<4xf32>
  %ok = arith.cmpf oeq, %v, %x : f32
  cf.assert %ok, "the tensor changed"
  return %v : f32
}

// -----

func.func @read_only() {
  %c0 = arith.constant 0 : index
  %x = arith.constant 1.0 : f32
  %t = arith.constant dense<1.0> : tensor<4xf32>
  %m = bufferization.to_memref %t read_only : memref<4xf32>
  memref.store %x, %m[%c0] : memref<4xf32> // !! undefined behavior
  return
}

// -----

func.func @free_of_tensor() {
  %t = arith.constant dense<1.0> : tensor<4xf32>
  %m = bufferization.to_memref %t : memref<4xf32>
  memref.dealloc %m : memref<4xf32> // !! invalid free
  return
}

// -----

func.func @linalg_dynamic() -> tensor<?x?xf32> {
  %a = arith.constant dense<1.0> : tensor<2x3xf32>
  %b = arith.constant dense<1.0> : tensor<4x2xf32>
  %z = arith.constant dense<0.0> : tensor<2x2xf32>
  %d = tensor.cast %a : tensor<2x3xf32> to tensor<?x?xf32>
  %e = tensor.cast %b : tensor<4x2xf32> to tensor<?x?xf32>
  %o = tensor.cast %z : tensor<2x2xf32> to tensor<?x?xf32>
  %r = linalg.matmul ins(%d, %e : tensor<?x?xf32>, tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32> // !! size mismatch
  return %r : tensor<?x?xf32>
}

// -----

func.func @linalg_conv_window() -> tensor<?xf32> {
  %a = arith.constant dense<1.0> : tensor<5xf32>
  %b = arith.constant dense<1.0> : tensor<3xf32>
  %z = arith.constant dense<0.0> : tensor<4xf32>
  %d = tensor.cast %a : tensor<5xf32> to tensor<?xf32>
  %o = tensor.cast %z : tensor<4xf32> to tensor<?xf32>
  %r = linalg.conv_1d ins(%d, %b : tensor<?xf32>, tensor<3xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32> // !! out of bounds
  return %r : tensor<?xf32>
}

// -----

func.func @linalg_division() -> tensor<2xi32> {
  %a = arith.constant dense<[1, 2]> : tensor<2xi32>
  %b = arith.constant dense<[1, 0]> : tensor<2xi32>
  %e = tensor.empty() : tensor<2xi32>
  %r = linalg.div ins(%a, %b : tensor<2xi32>, tensor<2xi32>) outs(%e : tensor<2xi32>) -> tensor<2xi32> // !! division by zero
  return %r : tensor<2xi32>
}
