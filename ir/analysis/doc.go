// Package analysis computes facts about programs without changing them: liveness,
// cycles of the control flow, the call graph. Dominance is part of package ir,
// whose verifier needs it (see [ir.Dominance]).
package analysis
