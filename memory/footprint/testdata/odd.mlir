// Programs with odd control flow, which TestOddPrograms executes in all ways: `exact` is the peak where some execution
// needs that, `most` where none does.

// One of both is left.
func.func @select(%c: i1, %d: i1, %n: index) attributes {most = 256} {
  %a = memref.alloc() : memref<64xi8>
  %b = memref.alloc() : memref<64xi8>
  %s = arith.select %c, %a, %b : memref<64xi8>
  memref.dealloc %s : memref<64xi8>
  %x = memref.alloc() : memref<128xi8>
  memref.dealloc %x : memref<128xi8>
  return
}
// Both selections together free both.
func.func @selects(%c: i1, %d: i1, %n: index) attributes {exact = 128} {
  %a = memref.alloc() : memref<64xi8>
  %b = memref.alloc() : memref<64xi8>
  %s = arith.select %c, %a, %b : memref<64xi8>
  %t = arith.select %c, %b, %a : memref<64xi8>
  memref.dealloc %s : memref<64xi8>
  memref.dealloc %t : memref<64xi8>
  %x = memref.alloc() : memref<128xi8>
  memref.dealloc %x : memref<128xi8>
  return
}
// Two conditions that leave a case out.
func.func @two_of_four(%c: i1, %d: i1, %n: index) attributes {exact = 192} {
  %a = memref.alloc() : memref<64xi8>
  %true = arith.constant true
  %e = arith.xori %c, %true : i1
  %f = arith.andi %e, %d : i1
  scf.if %c {
    memref.dealloc %a : memref<64xi8>
  }
  scf.if %f {
    memref.dealloc %a : memref<64xi8>
  }
  %x = memref.alloc() : memref<128xi8>
  memref.dealloc %x : memref<128xi8>
  return
}
// Two conditions of which always one holds.
func.func @either(%c: i1, %d: i1, %n: index) attributes {exact = 128} {
  %a = memref.alloc() : memref<64xi8>
  %true = arith.constant true
  %e = arith.xori %c, %true : i1
  scf.if %c {
    memref.dealloc %a : memref<64xi8>
  }
  scf.if %e {
    memref.dealloc %a : memref<64xi8>
  }
  %x = memref.alloc() : memref<128xi8>
  memref.dealloc %x : memref<128xi8>
  return
}
// All branches free, by different names.
func.func @branches(%c: i1, %d: i1, %n: index) attributes {exact = 128} {
  %a = memref.alloc() : memref<64xi8>
  %v = memref.expand_shape %a [[0, 1]] output_shape [8, 8] : memref<64xi8> into memref<8x8xi8>
  scf.if %c {
    scf.if %d {
      memref.dealloc %a : memref<64xi8>
    } else {
      memref.dealloc %v : memref<8x8xi8>
    }
  } else {
    memref.dealloc %a : memref<64xi8>
  }
  %x = memref.alloc() : memref<128xi8>
  memref.dealloc %x : memref<128xi8>
  return
}
// One branch of a branch doesn't.
func.func @branch_of_branch(%c: i1, %d: i1, %n: index) attributes {exact = 192} {
  %a = memref.alloc() : memref<64xi8>
  scf.if %c {
    scf.if %d {
      memref.dealloc %a : memref<64xi8>
    }
  } else {
    memref.dealloc %a : memref<64xi8>
  }
  %x = memref.alloc() : memref<128xi8>
  memref.dealloc %x : memref<128xi8>
  return
}
func.func @switch(%c: i1, %d: i1, %n: index) attributes {exact = 192} {
  %a = memref.alloc() : memref<64xi8>
  scf.index_switch %n
  case 0 {
    memref.dealloc %a : memref<64xi8>
    scf.yield
  }
  case 1 {
    memref.dealloc %a : memref<64xi8>
    scf.yield
  }
  default {
  }
  %x = memref.alloc() : memref<128xi8>
  memref.dealloc %x : memref<128xi8>
  return
}
func.func @switch_all(%c: i1, %d: i1, %n: index) attributes {exact = 128} {
  %a = memref.alloc() : memref<64xi8>
  scf.index_switch %n
  case 0 {
    memref.dealloc %a : memref<64xi8>
    scf.yield
  }
  case 1 {
    memref.dealloc %a : memref<64xi8>
    scf.yield
  }
  default {
    memref.dealloc %a : memref<64xi8>
  }
  %x = memref.alloc() : memref<128xi8>
  memref.dealloc %x : memref<128xi8>
  return
}
// A result of a branch is freed, and the other one isn't.
func.func @joined(%c: i1, %d: i1, %n: index) attributes {most = 256} {
  %a = memref.alloc() : memref<64xi8>
  %b = memref.alloc() : memref<64xi8>
  %r = scf.if %c -> memref<64xi8> {
    scf.yield %a : memref<64xi8>
  } else {
    scf.yield %b : memref<64xi8>
  }
  memref.dealloc %r : memref<64xi8>
  %x = memref.alloc() : memref<128xi8>
  memref.dealloc %x : memref<128xi8>
  return
}
// A branch makes one that only sometimes is what is freed.
func.func @made_in_branch(%c: i1, %d: i1, %n: index) attributes {most = 256} {
  %a = memref.alloc() : memref<64xi8>
  %r = scf.if %c -> memref<64xi8> {
    %b = memref.alloc() : memref<64xi8>
    scf.yield %b : memref<64xi8>
  } else {
    scf.yield %a : memref<64xi8>
  }
  memref.dealloc %r : memref<64xi8>
  %x = memref.alloc() : memref<128xi8>
  memref.dealloc %x : memref<128xi8>
  return
}
// The loop frees what it got, and hands on a new one.
func.func @handed_on(%c: i1, %d: i1, %n: index) attributes {exact = 128} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xi8>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> memref<64xi8> {
    %b = memref.alloc() : memref<64xi8>
    memref.dealloc %x : memref<64xi8>
    scf.yield %b : memref<64xi8>
  }
  memref.dealloc %r : memref<64xi8>
  return
}
// The loop frees it in the first iteration only.
func.func @first_iteration(%c: i1, %d: i1, %n: index) attributes {exact = 192} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xi8>
  scf.for %i = %c0 to %n step %c1 {
    %first = arith.cmpi eq, %i, %c0 : index
    scf.if %first {
      memref.dealloc %a : memref<64xi8>
    }
  }
  %x = memref.alloc() : memref<128xi8>
  memref.dealloc %x : memref<128xi8>
  return
}
// It is executed twice, so that it is always freed.
func.func @counted(%c: i1, %d: i1, %n: index) attributes {exact = 128} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
    %a = memref.alloc() : memref<64xi8>
    scf.for %j = %c0 to %c1 step %c1 {
      memref.dealloc %a : memref<64xi8>
    }
    %x = memref.alloc() : memref<128xi8>
    memref.dealloc %x : memref<128xi8>
  }
  return
}
// A selection of what an iteration makes is freed, and one of each is left.
func.func @select_in_loop(%c: i1, %d: i1, %n: index) attributes {most = 128} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %a = memref.alloc() : memref<32xi8>
    %b = memref.alloc() : memref<32xi8>
    %s = arith.select %c, %a, %b : memref<32xi8>
    memref.dealloc %s : memref<32xi8>
  }
  return
}
// What a loop carries is lost, and the last one is freed.
func.func @carried_lost(%c: i1, %d: i1, %n: index) attributes {exact = 96} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<32xi8>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %a) -> memref<32xi8> {
    %b = memref.alloc() : memref<32xi8>
    scf.yield %b : memref<32xi8>
  }
  memref.dealloc %r : memref<32xi8>
  return
}
// Blocks: one way frees.
func.func @blocks(%c: i1, %d: i1, %n: index) attributes {exact = 192} {
  %a = memref.alloc() : memref<64xi8>
  cf.cond_br %c, ^f, ^g
^f:
  memref.dealloc %a : memref<64xi8>
  cf.br ^h
^g:
  cf.cond_br %d, ^i, ^h
^i:
  memref.dealloc %a : memref<64xi8>
  cf.br ^h
^h:
  %x = memref.alloc() : memref<128xi8>
  memref.dealloc %x : memref<128xi8>
  return
}
// All three ways do.
func.func @blocks_all(%c: i1, %d: i1, %n: index) attributes {exact = 128} {
  %a = memref.alloc() : memref<64xi8>
  cf.cond_br %c, ^f, ^g
^f:
  memref.dealloc %a : memref<64xi8>
  cf.br ^h
^g:
  cf.cond_br %d, ^i, ^j
^i:
  memref.dealloc %a : memref<64xi8>
  cf.br ^h
^j:
  memref.dealloc %a : memref<64xi8>
  cf.br ^h
^h:
  %x = memref.alloc() : memref<128xi8>
  memref.dealloc %x : memref<128xi8>
  return
}
// An argument of a block is freed, and one of both that it may be is left.
func.func @block_argument(%c: i1, %d: i1, %n: index) attributes {most = 256} {
  %a = memref.alloc() : memref<64xi8>
  %b = memref.alloc() : memref<64xi8>
  cf.cond_br %c, ^f(%a : memref<64xi8>), ^f(%b : memref<64xi8>)
^f(%v: memref<64xi8>):
  memref.dealloc %v : memref<64xi8>
  %x = memref.alloc() : memref<128xi8>
  memref.dealloc %x : memref<128xi8>
  return
}
// A loop of blocks leaves one of each iteration.
func.func @block_loop(%c: i1, %d: i1, %n: index) attributes {exact = 32} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %a = memref.alloc() : memref<32xi8>
  cf.cond_br %c, ^f, ^g
^f:
  memref.dealloc %a : memref<32xi8>
  cf.br ^next
^g:
  memref.dealloc %a : memref<32xi8>
  cf.br ^next
^next:
  %j = arith.addi %i, %c1 : index
  %more = arith.cmpi ult, %j, %n : index
  cf.cond_br %more, ^head(%j : index), ^end
^end:
  return
}
// It frees the one of the iteration before.
func.func @block_carried(%c: i1, %d: i1, %n: index) attributes {exact = 64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<32xi8>
  cf.br ^head(%c0, %a : index, memref<32xi8>)
^head(%i: index, %old: memref<32xi8>):
  %b = memref.alloc() : memref<32xi8>
  memref.dealloc %old : memref<32xi8>
  %j = arith.addi %i, %c1 : index
  %more = arith.cmpi ult, %j, %n : index
  cf.cond_br %more, ^head(%j, %b : index, memref<32xi8>), ^end
^end:
  memref.dealloc %b : memref<32xi8>
  return
}
// The first region of the loop frees, the second one makes the next.
func.func @while(%c: i1, %d: i1, %n: index) attributes {exact = 64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xi8>
  %r:2 = scf.while (%i = %c0, %x = %a) : (index, memref<64xi8>) -> (index, memref<64xi8>) {
    %more = arith.cmpi ult, %i, %n : index
    scf.condition(%more) %i, %x : index, memref<64xi8>
  } do {
  ^bb0(%i: index, %x: memref<64xi8>):
    memref.dealloc %x : memref<64xi8>
    %b = memref.alloc() : memref<64xi8>
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %b : index, memref<64xi8>
  }
  memref.dealloc %r#1 : memref<64xi8>
  return
}
// The second region is skipped sometimes.
func.func @while_skips(%c: i1, %d: i1, %n: index) attributes {exact = 192} {
  %false = arith.constant false
  %a = memref.alloc() : memref<64xi8>
  %r = scf.while (%x = %c) : (i1) -> i1 {
    scf.condition(%x) %x : i1
  } do {
  ^bb0(%x: i1):
    memref.dealloc %a : memref<64xi8>
    scf.yield %false : i1
  }
  %x = memref.alloc() : memref<128xi8>
  memref.dealloc %x : memref<128xi8>
  return
}
// The first region isn't.
func.func @while_first(%c: i1, %d: i1, %n: index) attributes {exact = 128} {
  %false = arith.constant false
  %a = memref.alloc() : memref<64xi8>
  %r = scf.while (%x = %c) : (i1) -> i1 {
    memref.dealloc %a : memref<64xi8>
    scf.condition(%false) %x : i1
  } do {
  ^bb0(%x: i1):
    scf.yield %x : i1
  }
  %x = memref.alloc() : memref<128xi8>
  memref.dealloc %x : memref<128xi8>
  return
}
// Something is returned or freed.
func.func private @returned_or_freed(%c: i1) -> memref<64xi8> {
  %a = memref.alloc() : memref<64xi8>
  %b = memref.alloc() : memref<64xi8>
  cf.cond_br %c, ^f, ^g
^f:
  memref.dealloc %b : memref<64xi8>
  return %a : memref<64xi8>
^g:
  memref.dealloc %a : memref<64xi8>
  return %b : memref<64xi8>
}
func.func @calls(%c: i1, %d: i1, %n: index) attributes {exact = 192} {
  %a = call @returned_or_freed(%c) : (i1) -> memref<64xi8>
  %b = call @returned_or_freed(%d) : (i1) -> memref<64xi8>
  memref.dealloc %a : memref<64xi8>
  memref.dealloc %b : memref<64xi8>
  return
}
// A function frees its argument on a condition.
func.func private @free_if(%a: memref<64xi8>, %c: i1) {
  scf.if %c {
    memref.dealloc %a : memref<64xi8>
  }
  return
}
func.func @freed_by_callee(%c: i1, %d: i1, %n: index) attributes {exact = 192} {
  %a = memref.alloc() : memref<64xi8>
  call @free_if(%a, %c) : (memref<64xi8>, i1) -> ()
  %x = memref.alloc() : memref<128xi8>
  memref.dealloc %x : memref<128xi8>
  return
}
// A function leaves one behind if a selection says so.
func.func private @leaves_one(%c: i1) {
  %a = memref.alloc() : memref<64xi8>
  %b = memref.alloc() : memref<64xi8>
  %s = arith.select %c, %a, %b : memref<64xi8>
  memref.dealloc %s : memref<64xi8>
  return
}
func.func @callee_leaves(%c: i1, %d: i1, %n: index) attributes {most = 256} {
  call @leaves_one(%c) : (i1) -> ()
  call @leaves_one(%d) : (i1) -> ()
  return
}
// Retained buffers aren't freed.
func.func @retained(%c: i1, %d: i1, %n: index) attributes {exact = 192} {
  %true = arith.constant true
  %a = memref.alloc() : memref<64xi8>
  %b = memref.alloc() : memref<64xi8>
  %s = arith.select %c, %a, %b : memref<64xi8>
  %o = bufferization.dealloc (%a : memref<64xi8>) if (%true) retain (%s : memref<64xi8>)
  memref.dealloc %b : memref<64xi8>
  %x = memref.alloc() : memref<128xi8>
  memref.dealloc %x : memref<128xi8>
  return
}
// Both of a list are freed on conditions that exclude each other.
func.func @list(%c: i1, %d: i1, %n: index) attributes {most = 256} {
  %true = arith.constant true
  %e = arith.xori %c, %true : i1
  %a = memref.alloc() : memref<64xi8>
  %b = memref.alloc() : memref<64xi8>
  bufferization.dealloc (%a, %b : memref<64xi8>, memref<64xi8>) if (%c, %e)
  %x = memref.alloc() : memref<128xi8>
  memref.dealloc %x : memref<128xi8>
  return
}
// Regions that are executed once.
func.func @execute_region(%c: i1, %d: i1, %n: index) attributes {exact = 128} {
  %a = memref.alloc() : memref<64xi8>
  scf.execute_region {
    cf.cond_br %c, ^f, ^g
  ^f:
    memref.dealloc %a : memref<64xi8>
    cf.br ^h
  ^g:
    memref.dealloc %a : memref<64xi8>
    cf.br ^h
  ^h:
    scf.yield
  }
  %x = memref.alloc() : memref<128xi8>
  memref.dealloc %x : memref<128xi8>
  return
}
// Branches need different amounts after some of them have freed.
func.func @uneven(%c: i1, %d: i1, %n: index) attributes {exact = 264} {
  %a = memref.alloc() : memref<64xi8>
  scf.if %c {
    memref.dealloc %a : memref<64xi8>
    %x = memref.alloc() : memref<250xi8>
    memref.dealloc %x : memref<250xi8>
  } else {
    %x = memref.alloc() : memref<200xi8>
    memref.dealloc %x : memref<200xi8>
    memref.dealloc %a : memref<64xi8>
  }
  return
}
