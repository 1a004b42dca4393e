// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"pangolin/internal/collection"
	"pangolin/internal/recognise"
)

// Some methods are for callers that hold a lock: "The caller must hold the lock", GetLocked beside Get. Two threads that call them at once break
// what they ask for, so they are no operations.

// A sentence asks callers to hold a lock if it
//   - says so of them: "The caller must hold the lock", "for callers that hold mu";
//   - or of the lock: "mu must be held", "it must be called with the lock held", "requires that the lock is held".
//
// Not "The caller must not hold the lock", "if the caller holds the lock it fails", and not "The lock must be held while both words are written", which is
// about what the method does.
const (
	aLock = "[`*]*((the|its|a|this|that|their|both|all|\\w+'s) )?((read|write|reader|writer|internal|exclusive|shared|\\w+'s) )?[`*]*" + lockName + "[`*]*"
	// lockName is a word for a lock, or the name of one: q.mu, tableLock.
	lockName = `(\w+\.)*([Ll]ocks?|\w*(Lock|Mutex|Mu)|[Mm]utex|rwlock|spinlock|mu|rwmu|\w+_mu)\b(\(\))?`
	hasTo    = `(must|should|has to|have to|needs? to|(is|are) (required|expected|obliged) to|(is|are) responsible for)`
	isHeld   = ` (held|locked|acquired|taken)\b`
)

var (
	holders = []*regexp.Regexp{
		regexp.MustCompile(`\b([Cc]allers?|[Yy]ou|[Uu]sers?|[Cc]lients?) ` + hasTo + ` ((already|first|also|always|either|only) )?((be )?holding|hold|own|have|lock|acquire|acquired|have locked|have acquired) ` + aLock),
		regexp.MustCompile(`\b[Cc]allers? (already )?(holds?|owns?) ` + aLock),
		regexp.MustCompile(`^Must (already )?hold ` + aLock),
		regexp.MustCompile(`\bfor (use by )?callers? (that|who|which) (already )?(holds?|owns?|have|has) ` + aLock),
		regexp.MustCompile(`(\b(must|should|has to|have to|may only|can only|only)( only)? be (called|used|invoked)|^(It is |\w+ is )?([Oo]nly )?[Cc]alled)( only)? ((with|while|when) ` + aLock + `( is| being)?( already)?` + isHeld + `|(while |when )?holding ` + aLock + `|under ` + aLock + `)`),
		regexp.MustCompile(`\b` + lockName + "[`*]* (must|should|has to|needs to)( already)? be" + isHeld + `( exclusively| for (reading|writing))?( already| first| by (the|its) callers?| (when|before|on|upon) (calling|entry|the call|entering|it is called)( this)?( method| function| it)?)*([.,;)]|$)`),
		regexp.MustCompile(`\b` + lockName + "[`*]* is" + isHeld + ` by (the|its) callers?`),
		regexp.MustCompile(`\b([Rr]equires?|[Aa]ssumes?|[Ee]xpects?|[Nn]eeds?) (that )?` + aLock + `( to be| is| be| being)?( already)?` + isHeld),
		regexp.MustCompile(`^([Ii]t )?[Rr]equires [` + "`*]*" + lockName + "[`*]*\\.?$"),
		regexp.MustCompile(`\b` + lockName + "[`*]* (is|are) (assumed|supposed|expected) to be" + isHeld),
		regexp.MustCompile(`^([Pp]recondition: )?` + lockName + "[`*]* is (held|locked)\\.?$"),
		regexp.MustCompile(`^[Cc]all (it|this|\w+) (only )?with ` + aLock + isHeld),
		regexp.MustCompile(`\b([Rr]equires?|[Aa]ssumes?|[Ee]xpects?) (that )?(the )?callers? (to )?(already )?(holds?|has|have|owns?) ` + aLock),
	}
	unheld = regexp.MustCompile(`(?i)\b(not|never|without|unless|neither|nor|cannot|if|when|whether|while|until|because)\b|n't\b`)
	half   = regexp.MustCompile(`(?i)^(try)?[rw]?(lock|unlock|acquire|release)$`)
)

var (
	// afterwards are words of a sentence that tells who holds the lock behind the call: "On return the caller holds the lock".
	afterwards = regexp.MustCompile(`(?i)\b(on|upon|at|after|before|when it|once it) (a )?(successful )?(return\w*|success|exit|completion)\b|\b(returns?|then|afterwards?|thereafter|so|such|ensures?|(makes?|making) sure|guarantees?|after)\b`)
	// heldBehind is what follows if such a sentence begins with the caller: "The caller holds the lock when it returns".
	heldBehind = regexp.MustCompile(`(?i)^[^.;:]*\b((on|upon|after|when it|once it)( has)? return\w*|afterwards?|thereafter|until|after (it|the call|that))\b`)
	// lockOf and ownerOf match the thing whose lock it is: "of the file system", "the file's".
	lockOf  = regexp.MustCompile(`(?i)^[` + "`*" + `]* of ((?:the|an?|its|their|another|other|each|every|all|both|this|that) )?([\w .]*)`)
	ownerOf = regexp.MustCompile(`(?i)\bthe (\w+)'s [\w ]*$`)
	wordEnd = regexp.MustCompile(`(?i)\b(while|when|as|before|for|to|during|and|or|in|on|with|if|that|which|it|is)\b.*$`)
	anyType = regexp.MustCompile(`(?i)^(receiver|object|type|structure|collection|container|instance|caller|method|[a-z]{1,2}|)$`)
)

// asksForLock reports whether a sentence of the documentation of a type's method asks its callers to hold a lock, before they call it, and that of the type: not "on return the caller holds the lock",
// not "the lock of the file system".
func asksForLock(sentence, typ string) bool {
	return slices.ContainsFunc(holders, func(r *regexp.Regexp) bool {
		at := r.FindStringIndex(sentence)
		if at == nil {
			return false
		}
		before := sentence[:at[0]]
		if unheld.MatchString(before[strings.LastIndexAny(before, ",;:(")+1:]) || ofAnother(sentence, at, typ) {
			return false
		}
		asked := sentence[at[0]:at[1]]
		return demanded.MatchString(asked) || !gotInside(before[strings.LastIndexAny(before, ";:(")+1:], asked, sentence[at[1]:])
	})
}

// gotInside reports whether a lock that callers are said to hold is one that the call gives them, by what the sentence says before and behind it.
func gotInside(before, held, behind string) bool {
	return afterwards.MatchString(before) || indicative.MatchString(held) && (heldBehind.MatchString(behind) || unheld.MatchString(before))
}

// A demand says what callers must do; what callers hold may be what they have got.
var (
	demanded   = regexp.MustCompile(`(?i)\b(` + hasTo + `|only|requires?|assumes?|expects?)\b`)
	indicative = regexp.MustCompile(`(?i)^callers? |\bis` + isHeld)
)

// ofAnother reports whether the lock that a sentence asks for, at a place, is said to be that of something else than the type.
func ofAnother(sentence string, at []int, typ string) bool {
	if m := ownerOf.FindStringSubmatch(sentence[at[0]:at[1]]); m != nil && !ofTypeOrAny(m[1], typ) {
		return true
	}
	m := lockOf.FindStringSubmatch(sentence[at[1]:])
	if m == nil {
		return false
	}
	switch strings.ToLower(strings.TrimSpace(m[1])) {
	case "its", "their", "another", "other", "each", "every":
		return true
	}
	return !ofTypeOrAny(strings.TrimRight(wordEnd.ReplaceAllString(m[2], ""), " ."), typ)
}

// ofTypeOrAny reports whether words name the type, the end of its name, or any type.
func ofTypeOrAny(words, typ string) bool {
	return anyType.MatchString(words) || (spoken{typ: typ}).isType(words)
}

// heldSuffix are the ends of names of methods for callers that hold the lock: getLocked, sizeUnsafe.
var heldSuffix = regexp.MustCompile(`^(\w+?)(Locked|Unlocked|Unsafe|NoLock)$`)

// guarded maps the methods of a type that are for callers which hold a lock to why. The lock's own halves are not among them, nor what the user has named.
//
// A name alone says so if the method takes no lock itself, and the same without the suffix does (GetLocked beside Get), or callers can take the type's lock.
func (s *surveyor) guarded(typ string, named []string) map[string]string {
	obj := s.pkg.Scope().Lookup(typ)
	if obj == nil || s.q.NoContracts {
		return nil
	}
	methods := types.NewMethodSet(types.NewPointer(obj.Type()))
	var why map[string]string
	add := func(name, reason string) {
		if why == nil {
			why = map[string]string{}
		}
		why[name] = "is called with the lock held, as its " + reason
	}
	offers := slices.ContainsFunc(slices.Collect(methods.Methods()), func(sel *types.Selection) bool { return sel.Obj().Exported() })
	for sel := range methods.Methods() {
		name, key := sel.Obj().Name(), typ+"."+sel.Obj().Name()
		if offers && !sel.Obj().Exported() || half.MatchString(name) || slices.Contains(named, name) {
			continue
		}
		if i := slices.IndexFunc(sentencesOf(s.directives.Docs[key]), func(said string) bool { return asksForLock(said, typ) }); i >= 0 {
			add(name, fmt.Sprintf("documentation says (%s)", s.directives.DocAt(key, sentencesOf(s.directives.Docs[key])[i])))
			continue
		}
		m := heldSuffix.FindStringSubmatch(name)
		if m == nil || s.directives.Locks(key) {
			continue
		}
		switch {
		case methods.Lookup(s.pkg, m[1]) != nil && s.directives.Locks(typ+"."+m[1]):
			add(name, fmt.Sprintf("name says beside %s, which takes it", m[1]))
		case methods.Lookup(s.pkg, "Lock") != nil && !slices.Contains([]string{"Is", "Was", "Has"}, m[1]):
			add(name, "name says beside Lock")
		}
	}
	return why
}

// unguarded is a collection found again without the methods that are for callers which hold a lock, which it adds to the wishes o for the type.
func (s *surveyor) unguarded(c *collection.Collection, o *collection.Overrides) (*collection.Collection, error) {
	if o.Without = s.guarded(c.Type, o.Ops); len(o.Without) == 0 {
		return c, nil
	}
	found, err := recognise.Find(s.pkg, *o)
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// asDocumented is a collection that was found, without the operations that callers may call only while they hold a lock, and with bools read as documentation says.
func (s *surveyor) asDocumented(c *collection.Collection, o *collection.Overrides) (*collection.Collection, error) {
	c, err := s.unguarded(c, o)
	if err != nil {
		return nil, err
	}
	return s.read(c, o)
}
