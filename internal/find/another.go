// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"go/types"
	"regexp"
	"slices"

	"pangolin/internal/collection"
)

// aboutAnother matches sentences of a method's documentation that restrict how it, or what it is given, is used while others do. Words that may be about anything count with
// what they are about: "only one of them is used", "callers hold the lock", but not "only new items are copied", "the distinct items".
var aboutAnother = regexp.MustCompile(`(?i)\b(must|should|shall|may|can|has to|have to)(not| not|n't| never| only)\b|\b(must|nobody|no one|ensure|exclusive\w*|own(s|er|ers|ed|ership)|caller's own|concurren\w*|simultaneous\w*|` +
	`meanwhile|goroutines?|threads?|unsafe|deadlocks?|cycles?|cyclic|acyclic)\b|\bnot[^;:]*\bsafe\b|` +
	`\bonly (be |ever |when |if |while )*(calls?|called|uses?|used|given|passed|merged|safe|valid|allowed|permitted|works?|one goroutine|one thread|the caller|the owner|not in use)\b|\bonly (if|when|while)\b[^;:]*\b(use|uses|used|lock\w*|changes?|changed|modif\w+|written)\b|` +
	`\bcallers? (\w+ )?(holds?|locks?|owns?|uses?|keeps?|passes|pass|gives?|avoids?|needs? to|orders?|synchroni\w+|seriali\w+|(is|are) responsible|makes? sure|takes? care)\b|` +
	`\b(is|are|be) distinct\b|\b(distinct|unique) (objects?|instances?|from|collections?|receivers?)\b|\bunlike\b[^;:]*\b(lock\w*|safe|synchroni\w+|atomic\w*)\b`)

// restrictsAnother reports whether a sentence restricts how a collection that a method is given is used, and does not only promise that it ends well.
func restrictsAnother(sentence string) bool {
	return aboutAnother.MatchString(noDeadlock.ReplaceAllString(neverFails.ReplaceAllString(sentence, ""), ""))
}

// neverFails are words for what a method does not do: "can not fail".
var neverFails = regexp.MustCompile(`(?i)\b(can|may|could)(not| not|n't| never) (\w+ )?(fail|block|wait|lose|see|find|panic|return|miss|overflow)\w*\b`)

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
			case restrictsAnother(s):
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

var (
	// sharing matches sentences by which a copy and its original have something in common. The same items are in any copy; the same memory is not.
	sharing = regexp.MustCompile(`(?i)\b(shar(e|es|ed|ing)|shallow\w*|alias\w*|(a|an|the|as|is|returns|gives|read-only|live|lazy|mere) ([\w-]+ )?views?|views (of|on|onto|over|into)|same (\w+ )?(underlying|backing|memory|storage|array|slice|map|buffer|nodes?|pointers?|objects?|locks?|mutex|data|state)|` +
		`(refers?|points?|referring|pointing|backed|belongs?|uses|using|keeps?|on|over) (to |by )?(the |an )?(same )?underlying|read.?only|lazily)\b`)
	// withNothing follows a word for sharing that is denied, unshared stands in front of one.
	withNothing = regexp.MustCompile(`(?i)^\s+((with )?(nothing|none|no|neither)|(by|between|among) (\w+ ){0,2}(goroutines|threads|callers|users))\b`)
	unshared    = regexp.MustCompile(`(?i)(\b(not|never|no|none|nothing|without|cannot|neither|nor|instead of|rather than|avoids?|avoiding|prevents?|free of|what)\b|n't\b)(\s+(be|is|are|a|an|the|any|of|that|which|merely|just|ever|been|it|them|mere|kept|items?|elements?|state|memory|storage|data|return|returns|give|gives|make|makes|affecting|changing|touching))*\s*$`)
	onlyNot     = regexp.MustCompile(`(?i)\bnot (only|just|merely)\s*$`)
)

// shares reports whether a sentence says, and does not deny, that a copy and its original have something in common.
func shares(sentence string) bool {
	for _, at := range sharing.FindAllStringIndex(sentence, -1) {
		before := sentence[:at[0]]
		if !withNothing.MatchString(sentence[at[1]:]) && (!unshared.MatchString(before) || onlyNot.MatchString(before)) {
			return true
		}
	}
	return false
}

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
		if shares(s) || restrictsAnother(s) && !safeUse.MatchString(s) {
			return Contract{Operation: operation, Sentence: s, At: docs.DocAt(key, s)}, true
		}
	}
	return Contract{}, false
}
