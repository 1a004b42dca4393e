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

// asksForLock reports whether a sentence of a method's documentation asks its callers to hold a lock.
func asksForLock(sentence string) bool {
	return slices.ContainsFunc(holders, func(r *regexp.Regexp) bool {
		at := r.FindStringIndex(sentence)
		if at == nil {
			return false
		}
		before := sentence[:at[0]]
		return !unheld.MatchString(before[strings.LastIndexAny(before, ",;:(")+1:])
	})
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
		if i := slices.IndexFunc(sentencesOf(s.directives.Docs[key]), asksForLock); i >= 0 {
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
