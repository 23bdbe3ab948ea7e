// Package tile computes chains of operations on tensors tile by tile: some rows of the last one at a time, for which the others compute the rows that
// are needed. So what is between them never exists as a whole.
//
// Rows are the slices of a tensor along one dimension, such as the lines of an image, the tokens of a text, or the heads of attention. Which rows of
// its operands an operation needs follows from its indexing maps, from the border of a padding, and from how a reshape divides dimensions. An operation takes part
// if each row of its result can be computed alone; no reduction is divided, so that results are the same bit for bit.
//
// No row is computed twice. What a tile computes and the next one needs as well, such as the lines above those that come next under the window of a convolution, is
// kept between the two. So what is in a group of operations is a pipeline: in each step, every operation computes the rows for which there is what
// it reads, as few as possible. At the borders steps differ; those that do the same become a loop, also if only every so many-th does the same.
//
// Which operations to take together is found by dynamic programming over the order of a block: each group is a range of it, and what a group needs follows from
// the buffers that package [freehold/transform/memory/schedule] finds in the block, of as many rows as a tile has.
package tile
