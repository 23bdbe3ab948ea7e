package check

// Lemmas finds those of certificates.
var Lemmas = lemmas
