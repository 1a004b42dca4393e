// SPDX-License-Identifier: BSD-3-Clause

package story

import (
	"strings"

	"pangolin/verdict"
)

// names are how memory is called: the collection under test has no name of its own, what it
// holds is named by the field alone.
type names struct{ subject string }

func namesOf(w *verdict.Witness) names {
	typ := w.Source.Type
	if typ == "" {
		_, typ, _ = strings.Cut(w.Subject.Collection, ".")
	}
	typ, _, _ = strings.Cut(typ, "[")
	if typ == "" {
		return names{}
	}
	// Of several objects of the type, the collection is that with the least number.
	subject := ""
	for i := range w.Steps {
		if a := w.Steps[i].Access; a != nil && strings.HasPrefix(a.Object, typ+"#") &&
			(subject == "" || len(a.Object) < len(subject) || len(a.Object) == len(subject) && a.Object < subject) {
			subject = a.Object
		}
	}
	return names{subject}
}

// Memory names what is accessed: "n", "node#3.next".
func (n names) memory(a *verdict.Access) string {
	if a.Object == n.subject && n.subject != "" && a.Field != "" {
		return strings.TrimPrefix(a.Field, ".")
	}
	return a.Object + a.Field
}

// access is an access in a few words, much as Go writes it.
func (n names) access(w *verdict.Witness, s *verdict.Step) string {
	a := s.Access
	if _, function := libraryCall(w, s); function != "" {
		return n.called(function, a)
	}
	m := n.memory(a)
	switch a.Kind {
	case verdict.Read:
		if a.Atomic {
			return m + ".Load() = " + a.Old
		}
		return m + " is " + a.Old
	case verdict.Write:
		if a.Atomic {
			return m + ".Store(" + a.New + "), was " + a.Old
		}
		return m + " = " + a.New + ", was " + a.Old
	case verdict.Swap:
		return m + ".Swap(" + a.New + ") = " + a.Old
	case verdict.CompareAndSwap:
		text := m + ".CompareAndSwap(" + a.Expected + ", " + a.Proposed + ")"
		if a.Done {
			return text + " done"
		}
		return text + " fails, it is " + a.Old
	case verdict.Add, verdict.And, verdict.Or:
		return m + "." + strings.ToUpper(string(a.Kind[:1])) + string(a.Kind[1:]) + "(…) = " + a.New + ", was " + a.Old
	case verdict.Send:
		return strings.TrimSuffix(m+" <- "+a.New, " ")
	case verdict.Receive:
		return "<-" + m
	case verdict.Close:
		return "close(" + m + ")"
	case verdict.LibraryCall:
		if m == "" {
			return a.Function + "()"
		}
		return m + "." + a.Function + "()"
	}
	return a.String()
}

// called is a call of the library: "m.Store(…)" for (*Map).Store on the field m.
func (n names) called(function string, a *verdict.Access) string {
	receiver, name, method := strings.Cut(function, ").")
	if !method {
		return function + "(…)"
	}
	if m := n.memory(a); m != "" && strings.Contains(a.Object, "#") && a.Field != "" && a.Object == n.subject {
		return m + "." + name + "(…)"
	}
	return strings.TrimLeft(receiver, "(*") + "." + name + "(…)"
}
