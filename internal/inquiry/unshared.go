// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import "pangolin/verdict"

// Unshared answers that a type is not one that goroutines share.
var Unshared = Rule{
	Name: "not shared",
	Doc: "Nobody has named the type or its package: a pattern such as ./... matched the package. It is for one goroutine at a time, as its documentation says, or as it has no atomic access, " +
		"lock, channel, goroutine or anything else of package sync in it, and nothing in its documentation says that goroutines may share it. Then it is not " +
		"verified, which its line says; it is if it is named, or its package is (-type, PKG, PKG.Type, a directive in its comment).",
	Before: true, First: true,
	When: func(c Case) bool { return c.open() && c.Reading.Offered && unshared(c) != "" },
	Conclude: func(c Case, so []Answer) Case {
		c.Verdict = c.Reading.answer(verdict.NotShared, unshared(c))
		return c
	},
}

// unshared is why a type is not one that goroutines share; "" if it may be.
func unshared(c Case) string {
	switch said := c.Reading.Unshared(); {
	case said != "":
		return "its documentation says: " + said
	case !c.Reading.Shared() && !c.Facts.Synchronizes():
		return "there is no synchronisation in it"
	}
	return ""
}
