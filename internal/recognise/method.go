// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"pangolin/history"
	"pangolin/internal/collection"
)

// method is a method with codecs for all it takes and returns.
type method struct {
	name    string
	fn      *types.Func
	sig     *types.Signature // of the instantiated type
	generic *types.Signature // as declared: tells type parameters apart
	params  []*collection.Codec
	args    []int // indices of the parameters that clients choose
	results []*collection.Codec
	watched bool // it takes a func(), which is made to count its calls
	waits   bool // it takes a context: it waits rather than refuse
	seen    bool // to wait rather than refuse, whatever its results could tell (collection.Overrides.Waits)

	wide     bool              // it is read as only the oracle self can judge it, see wide.go
	called   bool              // it takes functions
	noted    bool              // what they note is a result
	observed bool              // the calls of stand-ins are a result, the same as those of functions, or one more
	keeps    bool              // it takes or gives handles
	which    bool              // it is called on one of two collections
	leave    *collection.Leave // what it begins; nil: nothing, or it is not known to be ended
	use      *collection.Use   // of a handle; nil: the method is the collection's
}

// receives says that the operation receives from a channel that a method has given.
func (m *method) receives() bool {
	return m.fn == nil && m.use != nil && m.use.Method == "" && !m.use.Ends
}

// narrowed says that the method could be given more than it is, or that more of what it returns could be compared: of an error, or of what a pointer leads to, more than whether it is nil.
func (m *method) narrowed() bool {
	return !m.wide && (m.waits || m.watched || m.sig.Variadic() || slices.ContainsFunc(m.results, onlyNil))
}

// onlyNil says that a result is told by whether it is nil.
func onlyNil(c *collection.Codec) bool {
	return c.Shape == collection.AsError || c.Shape == collection.AsOpaque && !isBool(c.Type)
}

// methodsOf sorts a type's methods, by name, into those that a harness can call and those
// that it cannot. Unexported methods of the package are included. What only the oracle
// self can judge is wide.
func methodsOf(pkg *types.Package, s *collection.Subject, o *collection.Overrides) (usable []*method, skipped []collection.Skipped, k *coder) {
	set := types.NewMethodSet(s.Receiver())
	k = &coder{pkg: pkg, self: s.Name, known: map[place]answer{}, standIns: map[string]*collection.Codec{}, agreeing: o.Agreeing, given: o.Given, shown: o.Known}
	for sel := range set.Methods() {
		fn := sel.Obj().(*types.Func)
		if !fn.Exported() && fn.Pkg().Path() != pkg.Path() {
			continue
		}
		sig := sel.Type().(*types.Signature)
		for v := range sig.Results().Variables() {
			k.returned = append(k.returned, v.Type())
		}
		for v := range sig.Params().Variables() {
			k.taken = append(k.taken, v.Type())
		}
		k.methods = append(k.methods, &method{name: fn.Name(), fn: fn, sig: sig, generic: fn.Origin().Signature()})
	}
	slices.SortFunc(k.methods, func(a, b *method) int { return strings.Compare(a.name, b.name) })
	for _, m := range k.methods {
		why := conventional(m)
		if o.Whole && slices.Contains(shows, m.name) {
			why = ""
		}
		if why == "" && m.encode(k) != "" {
			why = string(m.widen(k))
		}
		why = cmp.Or(why, o.Without[m.name])
		if why != "" {
			skipped = append(skipped, collection.Skipped{Name: m.name, Why: why})
			continue
		}
		usable = append(usable, m)
	}
	return usable, skipped, k
}

// encode finds the codecs of a method, or says why it has none.
func (m *method) encode(k *coder) (why string) {
	m.params, m.args, m.results = nil, nil, nil
	for i := range m.sig.Params().Len() {
		c, why := k.param(m.sig.Params().At(i).Type(), m.generic.Params().At(i).Type())
		k.showing(m, i, c)
		if c == nil {
			return "takes " + string(why)
		}
		if t := m.sig.Params().At(i).Type(); c.HasStandIn() && !k.returns(t) && k.takers(t) < 2 {
			return fmt.Sprintf("takes an interface (%s) that no other method takes or returns", k.show(t))
		}
		switch c.Shape {
		case collection.AsConstant:
			m.waits = m.waits || c.Constant == background
		case collection.AsCallback:
			m.watched = true
		default:
			m.args = append(m.args, i)
		}
		m.params = append(m.params, c)
	}
	for v := range m.sig.Results().Variables() {
		c, why := k.result(v.Type())
		if c == nil {
			return "returns " + string(why)
		}
		m.results = append(m.results, c)
	}
	if len(m.args) > history.MaxArity || m.slots() > history.MaxArity {
		return fmt.Sprintf("has more than %d arguments or results", history.MaxArity)
	}
	return ""
}

// slots is the number of results, with the count of calls.
func (m *method) slots() int {
	if m.counts() {
		return len(m.results) + 1
	}
	return len(m.results)
}

// counts reports whether the calls of what the method is given, functions or stand-ins, are one more result.
func (m *method) counts() bool { return m.watched || m.noted || m.observed }

// shows are the methods that show a value as text or bytes: what they read is often guarded, or should be. The whole
// collection has them.
var shows = []string{"String", "GoString", "Error", "MarshalJSON", "MarshalText", "MarshalBinary", "GobEncode"}

// conventionally is why the methods of well-known interfaces are left out.
const conventionally = "is for formatting or encoding"

// conventional recognises the methods of well-known interfaces, which show a value
// to people or machines and are no operations on it.
func conventional(m *method) string {
	known := map[string]string{
		"String":          "func() string",
		"GoString":        "func() string",
		"Error":           "func() string",
		"MarshalJSON":     "func() ([]byte, error)",
		"UnmarshalJSON":   "func([]byte) error",
		"MarshalText":     "func() ([]byte, error)",
		"UnmarshalText":   "func([]byte) error",
		"MarshalBinary":   "func() ([]byte, error)",
		"UnmarshalBinary": "func([]byte) error",
		"GobEncode":       "func() ([]byte, error)",
		"GobDecode":       "func([]byte) error",
	}
	if want, ok := known[m.name]; ok && unnamed(m.sig) == want {
		return conventionally
	}
	return ""
}

// unnamedType is unnamed for a type that need not be a function.
func unnamedType(t types.Type) string {
	if sig, ok := t.Underlying().(*types.Signature); ok {
		return unnamed(sig)
	}
	return ""
}

// unnamed is a signature without the names of parameters and results.
func unnamed(sig *types.Signature) string {
	strip := func(t *types.Tuple) *types.Tuple {
		var vars []*types.Var
		for v := range t.Variables() {
			vars = append(vars, types.NewVar(0, nil, "", v.Type()))
		}
		return types.NewTuple(vars...)
	}
	bare := types.NewSignatureType(nil, nil, nil, strip(sig.Params()), strip(sig.Results()), sig.Variadic())
	return types.TypeString(bare, nil)
}

// arg is the i-th parameter that is not constant.
func (m *method) arg(i int) *types.Var { return m.sig.Params().At(m.args[i]) }

// genericArg is the same parameter as declared.
func (m *method) genericArg(i int) *types.Var { return m.generic.Params().At(m.args[i]) }

func (m *method) result(i int) *types.Var { return m.sig.Results().At(i) }
