// Package order finds an order of steps that needs little memory: given what each step makes and uses, and what must come
// before what, it computes an order in which what is alive at a time is small, and a bound that no order is below.
//
// The problem is NP-hard, as register sufficiency is (Sethi 1975). [Solve] takes away what doesn't matter, cuts the rest
// where all orders meet, and searches each part through the sets of steps that can be done at a time, best first (as
// dynamic programming over downsets does; Ahn et al., "Ordering Chaos", 2020), with a rule of dominance: since what is
// alive is a submodular function of what is done, a chain of steps that needs no more than is needed anyway and leaves
// less behind can always be done at once (Liu 1987 has it for trees). Where that takes too long, the best of beam
// searches of growing width is improved within windows.
//
// The package depends on nothing but the standard library.
package order
