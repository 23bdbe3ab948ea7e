memref.global @g : memref<4xi32> = dense<1>
func.func private @free(%m: memref<4xi32>) {
  memref.dealloc %m : memref<4xi32>
  return
}
func.func private @freeIf(%m: memref<4xi32>, %c: i1) {
  scf.if %c {
    memref.dealloc %m : memref<4xi32>
  }
  return
}
func.func private @make() -> memref<4xi32> {
  %m = memref.alloc() : memref<4xi32>
  return %m : memref<4xi32>
}
func.func private @same(%m: memref<4xi32>) -> memref<4xi32> {
  return %m : memref<4xi32>
}
func.func private @address(%m: memref<4xi32>) -> index {
  %p = memref.extract_aligned_pointer_as_index %m : memref<4xi32> -> index
  return %p : index
}
func.func private @reserve(%n: index) -> index {
  %m = memref.alloca(%n) : memref<?xi32>
  %p = memref.extract_aligned_pointer_as_index %m : memref<?xi32> -> index
  return %p : index
}
func.func private @either(%a: memref<4xi32>, %b: memref<4xi32>, %c: i1) -> memref<4xi32> {
  %r = arith.select %c, %a, %b : memref<4xi32>
  return %r : memref<4xi32>
}
func.func private @down(%m: memref<4xi32>, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = arith.cmpi eq, %n, %c0 : index
  cf.cond_br %e, ^end, ^more
^more:
  %k = arith.subi %n, %c1 : index
  func.call @down(%m, %k, %c) : (memref<4xi32>, index, i1) -> ()
  return
^end:
  scf.if %c {
    memref.dealloc %m : memref<4xi32>
  }
  return
}
func.func private @r0(%n: index, %a: memref<4xi32>, %b: memref<4xi32>, %c: i1) -> (memref<4xi32>, i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %x = arith.constant 7 : i32
  %e = arith.cmpi eq, %n, %c0 : index
  %r:2 = scf.if %e -> (memref<4xi32>, i1) {
    %new = bufferization.clone %a : memref<4xi32> to memref<4xi32>
    scf.if %c {
      memref.dealloc %a : memref<4xi32>
    }
    scf.yield %new, %true : memref<4xi32>, i1
  } else {
    %k = arith.subi %n, %c1 : index
    %s:2 = func.call @r0(%k, %b, %a, %false) : (index, memref<4xi32>, memref<4xi32>, i1) -> (memref<4xi32>, i1)
    memref.store %x, %s#0[%c1] : memref<4xi32>
    scf.if %c {
      memref.dealloc %a : memref<4xi32>
    }
    scf.yield %s#0, %true : memref<4xi32>, i1
  }
  return %r#0, %r#1 : memref<4xi32>, i1
}
func.func @main(%0: i1, %1: i1, %2: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %true = arith.constant true
  %x = arith.constant 7 : i32
  %3 = memref.alloc() : memref<4xi32>
  linalg.fill ins(%x : i32) outs(%3 : memref<4xi32>)
  %4 = bufferization.clone %3 : memref<4xi32> to memref<4xi32>
  %5:2 = func.call @r0(%c2, %4, %3, %true) : (index, memref<4xi32>, memref<4xi32>, i1) -> (memref<4xi32>, i1)
  memref.dealloc %5#0 : memref<4xi32>
  %6 = memref.alloca_scope -> memref<4xi32> {
    %7 = memref.alloc() : memref<4xi32>
    %8 = memref.alloca() : memref<4xi32>
    %9 = memref.extract_aligned_pointer_as_index %8 : memref<4xi32> -> index
    %14 = arith.xori %true, %true : i1
    %10:2 = scf.for %11 = %c0 to %c2 step %c1 iter_args(%12 = %9, %13 = %14) -> (index, i1) {
      %15 = memref.alloca() : memref<4xi32>
      %16 = memref.extract_aligned_pointer_as_index %15 : memref<4xi32> -> index
      %17 = memref.alloc(%11) : memref<?xi32>
      %18 = memref.extract_aligned_pointer_as_index %17 : memref<?xi32> -> index
      memref.dealloc %17 : memref<?xi32>
      %19 = arith.cmpi eq, %18, %12 : index
      %20 = arith.xori %19, %true : i1
      %21 = arith.andi %20, %13 : i1
      func.call @freeIf(%7, %21) : (memref<4xi32>, i1) -> ()
      %22 = arith.ori %19, %13 : i1
      scf.yield %16, %22 : index, i1
    }
    func.call @freeIf(%7, %10#1) : (memref<4xi32>, i1) -> ()
    %23 = memref.atomic_rmw addi %x, %3[%c0] : (i32, memref<4xi32>) -> i32
    memref.alloca_scope.return %3 : memref<4xi32>
  }
  %24 = memref.atomic_rmw addi %x, %6[%c0] : (i32, memref<4xi32>) -> i32
  %26 = arith.extsi %0 : i1 to i8
  %27 = arith.extui %true : i1 to i8
  %25 = arith.cmpi eq, %26, %27 : i8
  %28 = scf.if %1 -> memref<4xi32> {
    %29 = memref.generic_atomic_rmw %6[%c0] : memref<4xi32> {
    ^bb0(%30: i32):
      memref.atomic_yield %30 : i32
    }
    %31 = memref.alloc() : memref<32xi8>
    %32 = memref.view %31[%c8][] : memref<32xi8> to memref<4xi32>
    scf.yield %6 : memref<4xi32>
  } else {
    %33 = scf.if %1 -> memref<4xi32> {
      memref.dealloc %3 : memref<4xi32>
      %34 = memref.alloc() : memref<4xi32>
      linalg.fill ins(%x : i32) outs(%34 : memref<4xi32>)
      %35 = scf.execute_region -> memref<4xi32> {
        cf.cond_br %25, ^left(%3, %c0 : memref<4xi32>, index), ^right(%3, %c0 : memref<4xi32>, index)
        ^left(%36: memref<4xi32>, %39: index):
          %41 = arith.select %0, %36, %6 : memref<4xi32>
          memref.store %x, %41[%c1] : memref<4xi32>
          cf.br ^right(%41, %39 : memref<4xi32>, index)
        ^right(%37: memref<4xi32>, %40: index):
          %43 = arith.extui %1 : i1 to i8
          %44 = arith.extui %1 : i1 to i8
          %42 = arith.cmpi sge, %43, %44 : i8
          %45 = func.call @make() : () -> memref<4xi32>
          %46 = arith.addi %40, %c1 : index
          %47 = arith.cmpi ult, %46, %2 : index
          cf.cond_br %47, ^left(%45, %46 : memref<4xi32>, index), ^done(%45 : memref<4xi32>)
        ^done(%38: memref<4xi32>):
          %48, %49, %50, %51 = memref.extract_strided_metadata %38 : memref<4xi32> -> memref<i32>, index, index, index
          %52 = memref.reinterpret_cast %48 to offset: [0], sizes: [4], strides: [1] : memref<i32> to memref<4xi32>
          %53 = memref.alloc() : memref<4xi32>
          linalg.fill ins(%x : i32) outs(%53 : memref<4xi32>)
          scf.yield %53 : memref<4xi32>
      }
      memref.dealloc %34 : memref<4xi32>
      scf.yield %35 : memref<4xi32>
    } else {
      scf.yield %6 : memref<4xi32>
    }
    scf.yield %33 : memref<4xi32>
  }
  memref.dealloc %3 : memref<4xi32>
  memref.dealloc %6 : memref<4xi32>
  return
}

