package interp_test

import (
	"testing"

	"freehold/exec/interp"
)

// TestVectors runs programs on vectors. What they should print was found out by
// compiling them with the reference's tools and running them, except where its
// code generator stops at an operation.
func TestVectors(t *testing.T) {
	const data = `
		%a = arith.constant dense<[[1.0, -2.5, 3.0, 4.0], [5.0, 6.0, 7.25, -8.0]]> : vector<2x4xf32>
		%b = arith.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, -12]]> : vector<4x3xi32>
		%x = arith.constant dense<[4, 5, 6]> : vector<3xi32>
		%y = arith.constant dense<[10, 11, -12]> : vector<3xi32>
		%z = arith.constant dense<0> : vector<3x3xi32>
		%w = arith.constant dense<[65537, -1, 305419896, 7]> : vector<4xi32>
		%p = arith.constant dense<7.0> : vector<4xf32>
		%on = arith.constant dense<[true, false, true, true]> : vector<4xi1>
		%idx = arith.constant dense<[3, 0, 2, 1]> : vector<4xi32>
		%c0 = arith.constant 0 : index
		%c1 = arith.constant 1 : index
		%c2 = arith.constant 2 : index
		%c3 = arith.constant 3 : index
		%pad = arith.constant -9.0 : f32
		%m = memref.alloca() : memref<3x5xf32>
		linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%m : memref<3x5xf32>) {
		^bb0(%o: f32):
			%i = linalg.index 0 : index
			%j = linalg.index 1 : index
			%k = affine.apply affine_map<(i, j) -> (5 * i + j)>(%i, %j)
			%n = arith.index_cast %k : index to i32
			%f = arith.sitofp %n : i32 to f32
			linalg.yield %f : f32
		}
	`
	tests := []struct{ program, want string }{
		{`%r = vector.transpose %a, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
		  vector.print %r : vector<4x2xf32>`, "( ( 1, 5 ), ( -2.5, 6 ), ( 3, 7.25 ), ( 4, -8 ) )\n"},
		{`%r = vector.shape_cast %a : vector<2x4xf32> to vector<8xf32>
		  %s = vector.reduction <add>, %r : vector<8xf32> into f32
		  %t = vector.reduction <maximumf>, %r : vector<8xf32> into f32
		  vector.print %s : f32
		  vector.print %t : f32`, "15.75\n7.25\n"},
		{`%s = vector.mask %on { vector.reduction <add>, %p : vector<4xf32> into f32 } : vector<4xi1> -> f32
		  vector.print %s : f32`, "21\n"},
		{`%i = arith.constant dense<0.5> : vector<2xf32>
		  %r = vector.multi_reduction <add>, %a, %i [1] : vector<2x4xf32> to vector<2xf32>
		  vector.print %r : vector<2xf32>`, "( 6, 10.75 )\n"},
		{`%r = vector.contract {indexing_maps = [affine_map<(i,j,k)->(k,i)>, affine_map<(i,j,k)->(k,j)>, affine_map<(i,j,k)->(i,j)>],
		    iterator_types = ["parallel","parallel","reduction"], kind = #vector.kind<add>} %b, %b, %z : vector<4x3xi32>, vector<4x3xi32> into vector<3x3xi32>
		  vector.print %r : vector<3x3xi32>`, "( ( 166, 188, -30 ), ( 188, 214, -24 ), ( -30, -24, 270 ) )\n"},
		{`%r = vector.shuffle %x, %y [0, 5, 2, 3] : vector<3xi32>, vector<3xi32>
		  vector.print %r : vector<4xi32>`, "( 4, -12, 6, 10 )\n"},
		{`%r = vector.interleave %x, %y : vector<3xi32> -> vector<6xi32>
		  %s, %t = vector.deinterleave %r : vector<6xi32> -> vector<3xi32>
		  vector.print %r : vector<6xi32>
		  vector.print %t : vector<3xi32>`, "( 4, 10, 5, 11, 6, -12 )\n( 10, 11, -12 )\n"},
		{`%r = vector.extract_strided_slice %b {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]} : vector<4x3xi32> to vector<2x2xi32>
		  %s = vector.insert_strided_slice %r, %b {offsets = [2, 0], strides = [1, 1]} : vector<2x2xi32> into vector<4x3xi32>
		  vector.print %s : vector<4x3xi32>`, "( ( 1, 2, 3 ), ( 4, 5, 6 ), ( 5, 6, 9 ), ( 8, 9, -12 ) )\n"},
		{`%r = vector.outerproduct %x, %y, %z : vector<3xi32>, vector<3xi32>
		  vector.print %r : vector<3x3xi32>`, "( ( 40, 44, -48 ), ( 50, 55, -60 ), ( 60, 66, -72 ) )\n"},
		{`%r = vector.bitcast %w : vector<4xi32> to vector<8xi16>
		  vector.print %r : vector<8xi16>`, "( 1, 1, -1, -1, 22136, 4660, 7, 0 )\n"},
		{`%r = vector.create_mask %c2 : vector<4xi1>
		  vector.print %r : vector<4xi1>`, "( 1, 1, 0, 0 )\n"},
		{`%r = vector.extract %b[%c2] : vector<3xi32> from vector<4x3xi32>
		  %s = vector.extract %b[3, %c1] : i32 from vector<4x3xi32>
		  %t = vector.insert %s, %r [%c0] : i32 into vector<3xi32>
		  vector.print %t : vector<3xi32>`, "( 11, 8, 9 )\n"},
		{`%r = vector.broadcast %pad : f32 to vector<2xf32>
		  vector.print %r : vector<2xf32> punctuation <no_punctuation>
		  vector.print str "x"`, "( -9, -9 )x"},
		{`%r = vector.transfer_read %m[%c1, %c2], %pad : memref<3x5xf32>, vector<3x4xf32>
		  vector.print %r : vector<3x4xf32>`, "( ( 7, 8, 9, -9 ), ( 12, 13, 14, -9 ), ( -9, -9, -9, -9 ) )\n"},
		{`%r = vector.transfer_read %m[%c1, %c2], %pad {permutation_map = affine_map<(i, j) -> (j, i)>} : memref<3x5xf32>, vector<4x3xf32>
		  vector.print %r : vector<4x3xf32>`, "( ( 7, 12, -9 ), ( 8, 13, -9 ), ( 9, 14, -9 ), ( -9, -9, -9 ) )\n"},
		{`%r = vector.transfer_read %m[%c1, %c2], %pad {permutation_map = affine_map<(i, j) -> (0, j)>, in_bounds = [true, false]} : memref<3x5xf32>, vector<2x4xf32>
		  vector.print %r : vector<2x4xf32>`, "( ( 7, 8, 9, -9 ), ( 7, 8, 9, -9 ) )\n"},
		{`vector.transfer_write %p, %m[%c0, %c3] : vector<4xf32>, memref<3x5xf32>
		  %r = vector.load %m[%c0, %c0] : memref<3x5xf32>, vector<5xf32>
		  vector.print %r : vector<5xf32>`, "( 0, 1, 2, 7, 7 )\n"},
		{`%r = vector.expandload %m[%c2, %c0], %on, %p : memref<3x5xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
		  vector.compressstore %m[%c0, %c0], %on, %r : memref<3x5xf32>, vector<4xi1>, vector<4xf32>
		  %s = vector.load %m[%c0, %c0] : memref<3x5xf32>, vector<5xf32>
		  vector.print %r : vector<4xf32>
		  vector.print %s : vector<5xf32>`, "( 10, 7, 11, 12 )\n( 10, 11, 12, 3, 4 )\n"},
		{`%r = vector.gather %m[%c1, %c1] [%idx], %on, %p : memref<3x5xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
		  vector.scatter %m[%c2, %c1] [%idx], %on, %r : memref<3x5xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
		  %s = vector.load %m[%c2, %c0] : memref<3x5xf32>, vector<5xf32>
		  vector.print %r : vector<4xf32>
		  vector.print %s : vector<5xf32>`, "( 9, 7, 8, 7 )\n( 10, 11, 7, 8, 9 )\n"},
		{`%r:2 = vector.scan <add>, %b, %y {inclusive = false, reduction_dim = 0 : i64} : vector<4x3xi32>, vector<3xi32>
		  vector.print %r#0 : vector<4x3xi32>
		  vector.print %r#1 : vector<3xi32>`, "( ( 10, 11, -12 ), ( 11, 13, -9 ), ( 15, 18, -3 ), ( 22, 26, 6 ) )\n( 22, 26, 6 )\n"},
		{`%r = vector.flat_transpose %w {rows = 2 : i32, columns = 2 : i32} : vector<4xi32> -> vector<4xi32>
		  vector.print %r : vector<4xi32>`, "( 65537, 305419896, -1, 7 )\n"},
		{`%i = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
		  %r = vector.matrix_multiply %i, %i {lhs_rows = 2 : i32, lhs_columns = 2 : i32, rhs_columns = 2 : i32} : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
		  vector.print %r : vector<4xi32>`, "( 7, 10, 15, 22 )\n"},
	}
	for _, tt := range tests {
		res := runText(t, "func.func @main() {\n"+data+tt.program+"\nreturn\n}", interp.Options{})
		if len(res.Findings) > 0 {
			t.Errorf("%s\n%s", tt.program, describe(res.Findings))
		} else if got := res.Output(); got != tt.want {
			t.Errorf("%s\nprints %q, not %q", tt.program, got, tt.want)
		}
	}
}
