// Package play is a collection under its clients as a transition system.
//
// It takes what a search is about (the compiled collection, its operations, the calls that threads may make) and gives the
// states that it comes to and the moves between them. What a state holds is in words that equal states
// share: those of the listener, of the plan with the counts of names, and of the place.
//
// It judges nothing and knows no property: whoever searches listens.
package play
