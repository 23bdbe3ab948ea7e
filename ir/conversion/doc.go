// Package conversion converts programs from operations that are illegal in a target
// to operations that are legal there, and from one type system to another. It is the
// counterpart of MLIR's dialect conversion framework.
//
// A [Target] says what is legal. Patterns are those of package rewrite; patterns that
// [Pattern] makes get their operands as they are after conversion (an [Adaptor]).
// [Partial], [Full] and [Analyze] visit operations before what is nested in them and
// before their users, and apply patterns to what isn't legal. What a pattern creates
// must be legal, or be made legal by further patterns; else what the pattern did is
// undone, and another one is tried.
//
// Values that patterns replace keep their uses until the end, so that patterns see
// the original program with its types. A [TypeConverter] says what types become.
// Where a value is used in another type than its own, an unresolved materialization
// stands between: a builtin.unrealized_conversion_cast, which in the end folds away, or
// is replaced by what the converter's materializations create.
package conversion
