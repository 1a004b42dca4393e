// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"go/types"
	"regexp"
	"slices"

	"pangolin/internal/collection"
)

// aboutAnother matches sentences of a method's documentation that restrict how it, or what it is given, is used while others do.
var aboutAnother = regexp.MustCompile(`(?i)\b(must|should|shall|may|can|has to|have to)(not| not|n't| never| only)\b|\b(must|only|nobody|no one|callers?|ensure|exclusive\w*|own(s|er|ers|ed|ership)?|concurren\w*|simultaneous\w*|` +
	`meanwhile|goroutines?|threads?|unsafe|deadlocks?|cycles?|cyclic|acyclic|distinct|unique|unlike)\b|\bnot[^;:]*\bsafe\b`)

// RestrictsAnother is the sentence of the documentation by which an operation may not be given any collection of its own type at any time; ok is false
// if there is none. It stands at the method, or at the type if it names the method. What promises safety restricts nothing.
func (t *Target) RestrictsAnother(operation string) (c Contract, ok bool) {
	docs := t.directed.Directives
	if docs == nil {
		return Contract{}, false
	}
	for _, key := range []string{t.typeName() + "." + operation, t.typeName()} {
		for _, s := range sentencesOf(docs.Docs[key]) {
			switch {
			case key == t.typeName() && !slices.Contains(words.FindAllString(s, -1), operation):
			case safeUse.MatchString(s) && !denies(s) && !restricted.MatchString(s):
			case aboutAnother.MatchString(s):
				return Contract{Operation: operation, Sentence: s, At: docs.DocAt(key, s)}, true
			}
		}
	}
	return Contract{}, false
}

// Names by which what a method is given is the caller's own, for it is written: CopyTo(dst), DeepCopyInto(out), Snapshot(s).
var (
	filled = regexp.MustCompile(`(?i)^(dst|dest|destination|target|out|output|into|snap|snapshot|result|res|copy|cp|clone|scratch|tmp)$`)
	fills  = regexp.MustCompile(`(Into|CopyTo|Snapshot|DeepCopy|CloneTo)$`)
)

// FillsAnother reports whether an operation fills what it is given, by the name of either.
func (t *Target) FillsAnother(operation string) bool {
	m := types.NewMethodSet(types.NewPointer(t.Found.Subject.Type)).Lookup(t.Found.Subject.Name.Pkg(), operation)
	if m == nil {
		return false
	}
	for p := range m.Obj().(*types.Func).Signature().Params().Variables() {
		if filled.MatchString(p.Name()) {
			return true
		}
	}
	return fills.MatchString(operation)
}

// TellsApart reports whether the package puts objects of the type in an order.
func (t *Target) TellsApart() (bool, error) { return t.Listed.TellsApart(t.typeName()) }

// KeepsAnother reports whether an object of the type may keep another one, as a tree does: in a field that leads to the type itself, to an interface that it
// implements, or to a function.
func (t *Target) KeepsAnother() bool {
	self := t.Found.Subject.Name
	seen := map[types.Type]bool{}
	var leads func(of types.Type) bool
	leads = func(of types.Type) bool {
		if n, ok := types.Unalias(of).(*types.Named); ok && n.Origin().Obj() == self {
			return true
		}
		if seen[of] {
			return false
		}
		seen[of] = true
		switch u := of.Underlying().(type) {
		case *types.Signature:
			return true
		case *types.Interface:
			return types.Implements(types.NewPointer(t.Found.Subject.Type), u)
		case *types.Pointer:
			return leads(u.Elem())
		case *types.Slice:
			return leads(u.Elem())
		case *types.Array:
			return leads(u.Elem())
		case *types.Chan:
			return leads(u.Elem())
		case *types.Map:
			return leads(u.Key()) || leads(u.Elem())
		case *types.Struct:
			for f := range u.Fields() {
				if leads(f.Type()) {
					return true
				}
			}
		}
		return false
	}
	return leads(t.Found.Subject.Type.Underlying())
}

// sharing matches sentences by which a copy and its original have something in common.
var sharing = regexp.MustCompile(`(?i)\b(shar\w*|shallow\w*|alias\w*|views?|same|underlying|read.?only|lazily)\b`)

// GivesCopies lists the operations that give a copy of the collection, by their names: methods without parameters whose first result is a pointer to its type.
func (t *Target) GivesCopies() (names []string) {
	for sel := range types.NewMethodSet(types.NewPointer(t.Found.Subject.Type)).Methods() {
		sig := sel.Obj().(*types.Func).Signature()
		if !collection.NamesCopy(sel.Obj().Name()) || sig.Params().Len() > 0 || sig.Results().Len() == 0 {
			continue
		}
		p, ok := types.Unalias(sig.Results().At(0).Type()).(*types.Pointer)
		if !ok {
			continue
		}
		if n, ok := types.Unalias(p.Elem()).(*types.Named); ok && n.Origin().Obj() == t.Found.Subject.Name {
			names = append(names, sel.Obj().Name())
		}
	}
	return names
}

// SharesCopies is the sentence of the documentation by which the copy that an operation gives may not be used like any other collection, or has something in common with the original.
func (t *Target) SharesCopies(operation string) (c Contract, ok bool) {
	docs := t.directed.Directives
	if docs == nil {
		return Contract{}, false
	}
	key := t.typeName() + "." + operation
	for _, s := range sentencesOf(docs.Docs[key]) {
		if sharing.MatchString(s) || aboutAnother.MatchString(s) && !safeUse.MatchString(s) {
			return Contract{Operation: operation, Sentence: s, At: docs.DocAt(key, s)}, true
		}
	}
	return Contract{}, false
}
