package irgen

import "strings"

// tensorPieces are about operations on tensors that bufferization may refuse.
func (g *rareGen) tensorPieces() []func() {
	return []func(){g.fromBuffer, g.toBuffer, g.unusual, g.unranked, g.emptyPlace, g.maskRegion, g.tensorCondition, g.loopCarried}
}

// slicePieces are about what it does with parts and shapes of tensors.
func (g *rareGen) slicePieces() []func() {
	return []func(){g.dynamicSlices, g.sameSlice, g.reshapes, g.constants, g.argumentAttributes, g.emptyPlace, g.emptyPlace, g.rankZero, g.insertChain, g.fromNothing, g.nestedSlices}
}

// fromBuffer takes a tensor from a buffer, with or without the promise that nothing else
// does.
func (g *rareGen) fromBuffer() {
	layout := g.some(", strided<[?], offset: ?>", ", strided<[2]>", ", 1")
	m := "memref<" + g.one("4x", "?x") + "f32" + layout + ">"
	t := strings.ReplaceAll(strings.Split(m, ",")[0]+">", ">>", ">")
	t = strings.Replace(t, "memref", "tensor", 1)
	g.fn("%m: "+m+", %i: index, %x: f32", t, func() {
		v := g.let("bufferization.to_tensor %%m%s%s : %s", g.one(" restrict", " restrict", ""), g.some(" writable"), m)
		if g.flip() {
			g.line("memref.store %%x, %%m[%%i] : %s", m)
		}
		w := g.maybeChange(v, t)
		if g.flip() {
			w = g.let("tensor.insert %%x into %s[%%i] : %s", w, t)
		}
		if g.flip() {
			g.line("%s = tensor.extract %s[%%i] : %s", g.fresh(), v, t)
		}
		if g.choose(3) == 2 {
			g.line("bufferization.materialize_in_destination %s in restrict writable %%m : (%s, %s) -> ()", w, t, m)
		}
		g.line("return %s : %s", w, t)
	})
}

// toBuffer makes a buffer of a tensor, and goes on with both.
func (g *rareGen) toBuffer() {
	t := "tensor<" + g.one("4x", "?x") + "f32>"
	m := strings.Replace(strings.TrimSuffix(t, ">"), "tensor", "memref", 1) + g.one(">", ", strided<[?], offset: ?>>", ", 1>", ", affine_map<(d0) -> (d0 * 2)>>")
	g.fn("%t: "+t+", %i: index, %x: f32", t, func() {
		v := g.maybeChange("%t", t)
		b := g.let("bufferization.to_memref %s%s : %s", v, g.some(" read_only"), m)
		w := g.maybeChange(v, t)
		g.line("%s = memref.load %s[%%i] : %s", g.fresh(), b, m)
		g.line("return %s : %s", w, t)
	})
}

// unusual has operations that are not bufferized, or in a way of their own.
func (g *rareGen) unusual() {
	g.fn("%t: tensor<4xf32>, %n: index, %x: f32, %c: tensor<4xi1>, %z: tensor<2xcomplex<f32>>, %d: tensor<?x?xf32>", "", func() {
		pick(&g.writer, []func(){
			func() { g.let("tensor.bitcast %%t : tensor<4xf32> to tensor<4xi32>") },
			func() { g.let("tensor.rank %%t : tensor<4xf32>") },
			func() { g.let("tensor.concat dim(0) %%t, %%t : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>") },
			func() { g.let("tensor.dim %%d, %%n : tensor<?x?xf32>") },
			func() { g.let("tensor.empty(%%n) : tensor<?x2xf32>") },
			func() { g.let("bufferization.alloc_tensor(%%n) size_hint=%%n : tensor<?x2xf32>") },
			func() {
				v := g.let("tensor.empty() : tensor<4xf32>")
				g.line("bufferization.dealloc_tensor %s : tensor<4xf32>", v)
			},
			func() {
				i := g.constant(1)
				g.let("tensor.extract %%z[%s] : tensor<2xcomplex<f32>>", i)
			},
			func() {
				v := g.let("tensor.pad %%d low[%%n, 0] high[1, %%n] {\n  ^bb0(%%i: index, %%j: index):\n    tensor.yield %%x : f32\n  } : tensor<?x?xf32> to tensor<?x?xf32>")
				g.change(v, "tensor<?x?xf32>")
			},
			func() {
				g.let("tensor.generate %%n {\n  ^bb0(%%i: index, %%j: index):\n    %%a = tensor.extract %%t[%%j] : tensor<4xf32>\n    tensor.yield %%a : f32\n  } : tensor<?x4xf32>")
			},
		})()
		g.line("return")
	})
}

// fromNothing makes tensors of numbers.
func (g *rareGen) fromNothing() {
	g.fn("%n: index, %x: f32", "", func() {
		for range 1 + g.choose(2) {
			switch g.choose(4) {
			case 0:
				g.let("tensor.splat %%x[%%n] : tensor<?xf32>")
			case 1:
				g.let("tensor.splat %%x : tensor<%sf32>", g.one("2x3x", "4x", ""))
			case 2:
				shape := g.one("4x", "2x2x")
				g.maybeChange(g.let("tensor.from_elements %s : tensor<%sf32>", strings.Join(repeat("%x", 4), ", "), shape), "tensor<"+shape+"f32>")
			default:
				g.let("tensor.from_elements %%x : tensor<%sf32>", g.one("", "1x", "1x1x"))
			}
		}
		g.line("return")
	})
}

func (g *rareGen) unranked() {
	g.fn("%u: tensor<*xf32>, %t: tensor<4xf32>, %c: i1, %i: index, %x: f32", "tensor<*xf32>, tensor<4xf32>", func() {
		v := g.let("tensor.cast %%t : tensor<4xf32> to tensor<*xf32>")
		w := "%u"
		switch g.choose(4) {
		case 1:
			w = g.let("arith.select %%c, %s, %%u : tensor<*xf32>", v)
		case 2:
			w = g.fresh()
			g.line("%s = scf.if %%c -> (tensor<*xf32>) {", w)
			g.line("  scf.yield %s : tensor<*xf32>", v)
			g.line("} else {")
			g.line("  scf.yield %%u : tensor<*xf32>")
			g.line("}")
		case 3:
			w = v
		}
		r := g.let("tensor.cast %s : tensor<*xf32> to tensor<4xf32>", g.one(v, w, "%u"))
		r = g.maybeChange(r, "tensor<4xf32>")
		if g.flip() {
			g.line("%s = tensor.dim %s, %%i : tensor<*xf32>", g.fresh(), w)
		}
		g.line("return %s, %s : tensor<*xf32>, tensor<4xf32>", w, r)
	})
}

// place writes the offsets, sizes and strides of a part of one dimension.
func (g *rareGen) place() (text string, dynamic bool) {
	size := g.one("2", "%n", "%n")
	return "[" + g.one("0", "1", "%i", "%j") + "] [" + size + "] [" + g.one("1", "1", "2", "%k") + "]", size == "%n"
}

const sliceParams = "%t: tensor<?xf32>, %s: tensor<?xf32>, %i: index, %j: index, %k: index, %n: index, %x: f32, %c: i1"

// dynamicSlices takes parts whose places are computed, changes them, and puts them
// somewhere.
func (g *rareGen) dynamicSlices() {
	g.fn(sliceParams, "tensor<?xf32>", func() {
		last := "%t"
		for range 1 + g.choose(3) {
			at, dynamic := g.place()
			typ := "tensor<2xf32>"
			if dynamic {
				typ = "tensor<?xf32>"
			}
			v := g.let("tensor.extract_slice %s%s : tensor<?xf32> to %s", g.one(last, "%t", "%s"), at, typ)
			v = g.maybeChange(v, typ)
			if g.flip() {
				if other, d := g.place(); d == dynamic && g.flip() {
					at = other
				}
				last = g.let("tensor.insert_slice %s into %s%s : %s into tensor<?xf32>", v, g.one(last, "%t"), at, typ)
			}
		}
		g.line("return %s : tensor<?xf32>", last)
	})
}

// sameSlice puts a part back to where it is from, with the place computed twice, or to a
// place that only looks like it.
func (g *rareGen) sameSlice() {
	g.fn(sliceParams, "tensor<?xf32>", func() {
		one := g.constant(1)
		from := g.let("arith.addi %%i, %s : index", one)
		again := from
		if g.flip() {
			again = g.let("arith.%s %%i, %s : index", g.one("addi", "addi", "subi"), one)
		}
		v := g.let("tensor.extract_slice %%t[%s] [%%n] [1] : tensor<?xf32> to tensor<?xf32>", from)
		w := g.change(v, "tensor<?xf32>")
		if g.flip() {
			w = g.let("tensor.cast %s : tensor<?xf32> to tensor<4xf32>", w)
			w = g.let("tensor.cast %s : tensor<4xf32> to tensor<?xf32>", w)
		}
		into := "%t"
		if g.choose(3) == 2 {
			into = g.let("tensor.insert %%x into %%t[%%j] : tensor<?xf32>")
		}
		r := g.let("tensor.insert_slice %s into %s[%s] [%s] [1] : tensor<?xf32> into tensor<?xf32>", w, into, again, g.one("%n", "%n", "%k"))
		if g.flip() {
			g.line("%s = tensor.extract %%t[%%j] : tensor<?xf32>", g.fresh())
		}
		g.line("return %s : tensor<?xf32>", r)
	})
}

// reshapes changes the shape of tensors whose sizes are not known, or of parts that don't
// lie close together.
func (g *rareGen) reshapes() {
	g.fn("%t: tensor<?x4xf32>, %f: tensor<?xf32>, %i: index, %n: index, %o: tensor<f32>, %l: tensor<1x1xf32>, %h: tensor<2xindex>, %c: i1", "", func() {
		pick(&g.writer, []func(){
			func() {
				v := g.let("tensor.collapse_shape %%t [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>")
				g.change(v, "tensor<?xf32>")
				g.let("tensor.extract_slice %%t[0, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<4xf32>")
			},
			func() {
				v := g.let("tensor.extract_slice %%t[0, %%i] [4, 2] [1, 1] : tensor<?x4xf32> to tensor<4x2xf32>")
				v = g.maybeChange(v, "tensor<4x2xf32>")
				w := g.let("tensor.collapse_shape %s [[0, 1]] : tensor<4x2xf32> into tensor<8xf32>", v)
				g.maybeChange(w, "tensor<8xf32>")
			},
			func() {
				v := g.let("tensor.extract_slice %%t[%%i, 0] [%%n, 4] [2, 1] : tensor<?x4xf32> to tensor<?x4xf32>")
				w := g.let("tensor.expand_shape %s [[0], [1, 2]] output_shape [%%n, 2, 2] : tensor<?x4xf32> into tensor<?x2x2xf32>", v)
				g.maybeChange(w, "tensor<?x2x2xf32>")
			},
			func() {
				v := g.let("tensor.expand_shape %%f [[0, 1]] output_shape [%%n, 4] : tensor<?xf32> into tensor<?x4xf32>")
				g.change(v, "tensor<?x4xf32>")
				g.line("%s = tensor.extract %%f[%%i] : tensor<?xf32>", g.fresh())
			},
			func() {
				v := g.let("tensor.expand_shape %%f [[0, 1, 2]] output_shape [2, %%n, 3] : tensor<?xf32> into tensor<2x?x3xf32>")
				g.maybeChange(v, "tensor<2x?x3xf32>")
			},
			func() {
				v := g.let("tensor.expand_shape %%t [[0, 1], [2]] output_shape [%%i, %%n, 4] : tensor<?x4xf32> into tensor<?x?x4xf32>")
				g.maybeChange(v, "tensor<?x?x4xf32>")
			},
			func() { g.let("tensor.expand_shape %%o [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>") },
			func() {
				v := g.let("tensor.collapse_shape %%l [] : tensor<1x1xf32> into tensor<f32>")
				g.maybeChange(v, "tensor<f32>")
			},
			func() {
				v := g.let("tensor.reshape %%f(%%h) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>")
				g.maybeChange(v, "tensor<?x?xf32>")
			},
			func() {
				v := g.let("tensor.extract_slice %%t[%%i, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<%s4xf32>", g.one("", "1x"))
				_ = v
			},
		})()
		g.line("return")
	})
}

// constants has several, of several types, some equal.
func (g *rareGen) constants() {
	g.fn("%i: index", "", func() {
		for range 1 + g.choose(4) {
			c := g.one("dense<1.0> : tensor<4xf32>", "dense<[1.0, 2.0]> : tensor<2xf32>", "dense<true> : tensor<4xi1>", "dense<[1, 2]> : tensor<2xindex>",
				"dense<0> : tensor<0xi32>", "dense<3> : tensor<i32>", "dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>", "dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>")
			v := g.let("arith.constant %s", c)
			if strings.HasSuffix(c, "tensor<4xf32>") || strings.HasSuffix(c, "tensor<2xf32>") {
				_, typ, _ := strings.Cut(c, " : ")
				if w := g.maybeChange(v, typ); g.flip() {
					g.line("%s = tensor.extract %s[%%i] : %s", g.fresh(), g.one(v, w), typ)
				}
			}
		}
		g.line("return")
	})
}

func (g *rareGen) argumentAttributes() {
	attr := g.one("bufferization.writable = false", "bufferization.writable = true", `bufferization.access = "read"`, `bufferization.access = "none"`, `bufferization.access = "write"`,
		"bufferization.buffer_layout = affine_map<(d0) -> (d0 * 2)>", "bufferization.writable = false, bufferization.buffer_layout = affine_map<(d0) -> (d0)>")
	name := g.fn("%t: tensor<4xf32> {"+attr+"}, %i: index", "tensor<4xf32>", func() {
		v := g.maybeChange("%t", "tensor<4xf32>")
		if g.flip() {
			g.line("%s = tensor.extract %%t[%%i] : tensor<4xf32>", g.fresh())
		}
		g.line("return %s : tensor<4xf32>", v)
	})
	if g.flip() {
		g.fn("%t: tensor<4xf32>, %i: index", "tensor<4xf32>", func() {
			t := g.maybeChange("%t", "tensor<4xf32>")
			v := g.let("call %s(%s, %%i) : (tensor<4xf32>, index) -> tensor<4xf32>", name, t)
			g.line("return %s : tensor<4xf32>", g.one(v, t))
		})
	}
}

// emptyPlace computes a tensor in a place of its own that is then put somewhere, so that
// it could have been computed there, if what says where is there in time.
func (g *rareGen) emptyPlace() {
	g.fn(sliceParams+", %d: memref<?xf32>", "tensor<?xf32>, tensor<?xf32>", func() {
		one := g.constant(1)
		at, size := "%i", "%n"
		early := g.flip()
		compute := func() {
			if g.flip() {
				at = g.let("arith.addi %%i, %s : index", one)
			}
			if g.flip() {
				size = g.let("arith.minsi %%n, %%j : index")
			}
		}
		if early {
			compute()
		}
		typ := "tensor<?xf32>"
		e := g.let("tensor.empty(%s) : %s", g.one("%n", "%k", size), typ)
		if g.flip() {
			c := g.let("tensor.cast %s : %s to tensor<4xf32>", e, typ)
			e = g.let("tensor.cast %s : tensor<4xf32> to %s", c, typ)
		}
		v := g.change(e, typ)
		if g.choose(3) == 2 {
			w := g.fresh()
			g.line("%s = scf.for %%q = %%i to %%j step %%k iter_args(%%a = %s) -> (%s) {", w, g.one(v, e), typ)
			g.indent++
			r := g.let("tensor.insert %%x into %%a[%%q] : %s", typ)
			g.line("scf.yield %s : %s", r, typ)
			g.indent--
			g.line("}")
			v = w
		}
		if !early {
			compute()
		}
		into := "%t"
		if g.flip() {
			into = g.let("tensor.insert %%x into %%t[%%j] : %s", typ)
		}
		r := into
		switch g.choose(5) {
		case 0:
			r = g.let("bufferization.materialize_in_destination %s in %s : (%s, %s) -> %s", v, into, typ, typ, typ)
		case 1:
			g.line("bufferization.materialize_in_destination %s in%s writable %%d : (%s, memref<?xf32>) -> ()", v, g.one(" restrict", " restrict", ""), typ)
		default:
			r = g.let("tensor.insert_slice %s into %s[%s] [%s] [1] : %s into %s", v, into, at, size, typ, typ)
		}
		g.line("return %s, %s : %s, %s", r, g.one(r, "%t", "%s", into), typ, typ)
	})
}

// maskRegion has masked operations of vectors.
func (g *rareGen) maskRegion() {
	g.fn("%t: tensor<?xf32>, %m: vector<4xi1>, %v: vector<4xf32>, %i: index, %x: f32", "tensor<?xf32>", func() {
		last := g.maybeChange("%t", "tensor<?xf32>")
		switch g.choose(4) {
		case 0:
			last = g.let("vector.mask %%m { vector.transfer_write %%v, %s[%%i] : vector<4xf32>, tensor<?xf32> } : vector<4xi1> -> tensor<?xf32>", last)
		case 1:
			last = g.let("vector.transfer_write %%v, %s[%%i], %%m : vector<4xf32>, tensor<?xf32>", last)
		case 2:
			g.let("vector.mask %%m, %%v { vector.transfer_read %s[%%i], %%x : tensor<?xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>", last)
		default:
			r := g.let("vector.transfer_read %s[%%i], %%x {in_bounds = [true]} : tensor<?xf32>, vector<4xf32>", last)
			last = g.let("vector.transfer_write %s, %s[%s] : vector<4xf32>, tensor<?xf32>", r, g.one(last, "%t"), "%i")
		}
		if g.flip() {
			g.line("%s = tensor.extract %%t[%%i] : tensor<?xf32>", g.fresh())
		}
		g.line("return %s : tensor<?xf32>", last)
	})
}

// rankZero has tensors of one element.
func (g *rareGen) rankZero() {
	g.fn("%t: tensor<f32>, %x: f32, %a: tensor<4xf32>", "tensor<f32>", func() {
		v := g.one("%t", "%t", g.let("tensor.empty() : tensor<f32>"))
		if g.flip() {
			v = g.let("tensor.insert %%x into %s[] : tensor<f32>", v)
		}
		if g.flip() {
			v = g.let("linalg.dot ins(%%a, %%a : tensor<4xf32>, tensor<4xf32>) outs(%s : tensor<f32>) -> tensor<f32>", v)
		}
		if g.flip() {
			g.let("tensor.extract %s[] : tensor<f32>", g.one(v, "%t"))
		}
		v = g.maybeChange(v, "tensor<f32>")
		g.line("return %s : tensor<f32>", v)
	})
}

func (g *rareGen) tensorCondition() {
	g.fn("%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xi1>", "tensor<4xf32>", func() {
		v := g.let("arith.select %%c, %%a, %s : tensor<4xi1>, tensor<4xf32>", g.maybeChange("%b", "tensor<4xf32>"))
		g.line("return %s : tensor<4xf32>", v)
	})
}

// loopCarried has loops whose iterations don't hand on the buffer that they get.
func (g *rareGen) loopCarried() {
	const t = "tensor<?xf32>"
	g.fn("%a: "+t+", %b: "+t+", %i: index, %j: index, %k: index, %x: f32, %c: i1", t+", "+t, func() {
		g.line("%%r:2 = scf.for %%q = %%i to %%j step %%k iter_args(%%p0 = %s, %%p1 = %s) -> (%s, %s) {", g.one("%a", "%a", "%b"), g.one("%b", "%b", "%a"), t, t)
		g.indent++
		v := g.one("%p0", "%p1", "%a")
		if g.flip() {
			v = g.let("tensor.insert %%x into %s[%%q] : %s", v, t)
		}
		w := g.one("%p0", "%p1", "%b")
		switch g.choose(4) {
		case 1:
			n := g.constant(2)
			e := g.let("tensor.empty(%s) : %s", n, t)
			w = g.change(e, t)
		case 2:
			s := g.let("tensor.extract_slice %%p1[%%q] [%%k] [1] : %s to %s", t, t)
			w = g.let("tensor.insert_slice %s into %s[%s] [%%k] [1] : %s into %s", g.maybeChange(s, t), g.one("%p1", "%p0"), g.one("%q", "%i"), t, t)
		case 3:
			y := g.let("tensor.extract %s[%%q] : %s", g.one("%p0", "%p1", v), t)
			w = g.let("tensor.insert %s into %%p1[%%i] : %s", y, t)
		}
		if g.flip() {
			v, w = w, v
		}
		g.line("scf.yield %s, %s : %s, %s", v, w, t, t)
		g.indent--
		g.line("}")
		v = g.one("%r#0", "%r#1")
		v = g.maybeChange(v, t)
		g.line("return %s, %s : %s, %s", v, g.one("%a", "%b", "%r#0", "%r#1"), t, t)
	})
}

// nestedSlices has two loops that work on the same part each time, or not.
func (g *rareGen) nestedSlices() {
	const t, part = "tensor<?xf32>", "tensor<2xf32>"
	g.fn(sliceParams, t, func() {
		loop := func(iv, arg, init string) {
			g.line("%%r%s = scf.for %s = %%i to %%j step %%k iter_args(%s = %s) -> (%s) {", arg[1:], iv, arg, init, t)
			g.indent++
		}
		end := func(v string) {
			g.line("scf.yield %s : %s", v, t)
			g.indent--
			g.line("}")
		}
		slice := func(v, iv string) string {
			at := g.one("%n", "%n", iv)
			s := g.let("tensor.extract_slice %s[%s] [2] [1] : %s to %s", v, at, t, part)
			return g.let("tensor.insert_slice %s into %s[%s] [2] [1] : %s into %s", g.change(s, part), v, at, part, t)
		}
		loop("%q", "%a", "%t")
		v := "%a"
		if g.flip() {
			v = slice(v, "%q")
		}
		loop("%p", "%b", v)
		end(slice("%b", "%p"))
		v = "%rb"
		if g.flip() {
			v = slice(v, "%q")
		}
		end(v)
		g.line("return %%ra : %s", t)
	})
}

// insertChain writes elements of a tensor one after the other, and reads in between.
func (g *rareGen) insertChain() {
	const t = "tensor<?x?xf32>"
	g.fn("%a: "+t+", %i: index, %j: index, %x: f32, %c: i1", t, func() {
		all := []string{"%a"}
		for range 2 + g.choose(4) {
			from := pick(&g.writer, all)
			switch g.choose(4) {
			case 0:
				all = append(all, g.let("tensor.insert %%x into %s[%%i, %%j] : %s", from, t))
			case 1:
				y := g.let("tensor.extract %s[%%j, %%i] : %s", from, t)
				all = append(all, g.let("tensor.insert %s into %s[%%i, %%i] : %s", y, pick(&g.writer, all), t))
			case 2:
				s := g.let("tensor.extract_slice %s[%%i, 0] [1, 4] [1, 1] : %s to tensor<4xf32>", from, t)
				s = g.maybeChange(s, "tensor<4xf32>")
				all = append(all, g.let("tensor.insert_slice %s into %s[%s, 0] [1, 4] [1, 1] : tensor<4xf32> into %s", s, pick(&g.writer, all), g.one("%i", "%j"), t))
			case 3:
				all = append(all, g.let("arith.select %%c, %s, %s : %s", from, pick(&g.writer, all), t))
			}
		}
		g.line("return %s : %s", pick(&g.writer, all), t)
	})
}
