// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"pangolin/internal/collection"
	"pangolin/internal/front"
)

// Documentation may send its readers to that of another type: "See sync.WaitGroup documentation for more information." What is said there of a method
// of the same name holds here as well: AddWithContext of a wrapper is an Add.

// elsewhere are sentences that refer to a type of another package, and name it.
var elsewhere = regexp.MustCompile(`(?i:\b(?:see|documentation|semantics|same as|contract|restrictions)\b)[^;]*?\b([a-z]\w*)\.([A-Z]\w*)\b|\b([a-z]\w*)\.([A-Z]\w*)\b[^;]*?(?i:\b(?:documentation|semantics|contract|restrictions)\b)`)

// behindIt are sentences that ask for calls behind those of another operation: "new Add calls must happen after all previous Wait calls have
// returned".
var behindIt = regexp.MustCompile(`\b(\w+) calls? ` + must + ` (?:happen|occur|be made|come) after (?:all |any |the )?(?:previous |earlier )?(\w+) calls? (?:have|has) returned`)

// referred lists what the documentation of another type, to which that of an operation refers, asks of the operation: that no call of it is in
// progress while one of another is.
func (t *Target) referred() (list []Contract) {
	docs := t.directed.Directives
	for i := range t.Found.Operations {
		name := t.Found.Operations[i].Name
		for _, s := range sentencesOf(docs.Docs[t.typeName()+"."+name]) {
			m := elsewhere.FindStringSubmatch(s)
			if m == nil {
				continue
			}
			other := docs.Imported(func(p string) bool { return path.Base(p) == m[1]+m[3] })
			if other == nil {
				continue
			}
			typ := m[2] + m[4]
			list = append(list, t.behind(name, typ+"."+longest(other, typ, name), other)...)
		}
	}
	return list
}

// longest is the longest name of a documented method of a type with which a name begins; "" if there is none.
func longest(docs *front.Directives, typ, name string) (method string) {
	for key := range docs.Docs {
		if m, ok := strings.CutPrefix(key, typ+"."); ok && strings.HasPrefix(name, m) && len(m) > len(method) {
			method = m
		}
	}
	return method
}

// behind lists the sentences of a method's documentation by which calls of it come behind those of an operation that the type has as well.
func (t *Target) behind(name, key string, docs *front.Directives) (list []Contract) {
	_, method, _ := strings.Cut(key, ".")
	for _, s := range sentencesOf(docs.Docs[key]) {
		m := behindIt.FindStringSubmatch(s)
		if m == nil || m[1] != method {
			continue
		}
		for k := range t.Found.Operations {
			if o := t.Found.Operations[k].Name; o == m[3] && !slices.ContainsFunc(list, func(c Contract) bool { return c.Sentence == s }) {
				list = append(list, Contract{Operation: name, Sentence: s, At: docs.DocAt(key, s), Roles: []string{"not-" + o}, Elsewhere: true})
			}
		}
	}
	return list
}

// Waited is what the documentation of sync.WaitGroup asks of an operation that adds to one, with that of another that waits for it.
func (t *Target) Waited(adds, waits string) (list []Contract) {
	other := t.directed.Directives.Imported(func(p string) bool { return p == "sync" })
	if other == nil {
		return nil
	}
	for _, s := range sentencesOf(other.Docs["WaitGroup.Add"]) {
		if m := behindIt.FindStringSubmatch(s); m != nil && m[1] == "Add" && m[3] == "Wait" {
			list = append(list, Contract{Operation: adds, Sentence: s, At: other.DocAt("WaitGroup.Add", s), Roles: []string{"not-" + waits}, Elsewhere: true})
		}
	}
	return list
}

// shared are words for a result that several callers get.
var shared = regexp.MustCompile(`(?i)\b(shared?|sharing|deduplicated|coalesced|joined)\b`)

// ofOwn are names of a bool that says the opposite: the result is that of the caller's own function.
var ofOwn = regexp.MustCompile(`(?i)^(fresh|executed|ran|leader)$`)

// TellsSharing reports whether an operation returns a bool that tells whether other callers get the same result, by its name or by the operation's documentation.
func (t *Target) TellsSharing(operation string) bool {
	at := slices.IndexFunc(t.Found.Operations, func(o collection.Operation) bool { return o.Name == operation })
	if at < 0 {
		return false
	}
	said := shared.MatchString(t.directed.Directives.Docs[t.typeName()+"."+operation])
	return slices.ContainsFunc(t.Found.Operations[at].Results, func(r collection.Result) bool {
		return r.Codec != nil && r.Codec.Shape == collection.AsBool && (said || shared.MatchString(r.Name) || ofOwn.MatchString(r.Name))
	})
}
