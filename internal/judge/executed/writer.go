// SPDX-License-Identifier: BSD-3-Clause

package executed

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"pangolin/internal/judge"
)

// writer writes the functions through which the machine calls an object: each takes the number of a list of arguments, and returns the number of what was
// recorded as a result, -1 for any other result.
type writer struct {
	spec    *Spec
	pkg     *types.Package
	imports map[string]bool
	body    strings.Builder
	depth   int // of loops
}

// qualified is the name of a package in the file.
func (w *writer) qualified(p *types.Package) string {
	if p == w.pkg {
		return ""
	}
	w.imports[p.Path()] = true
	return p.Name()
}

// operation writes the function of a method, and its tables.
func (w *writer) operation(object types.Type, typ, op string, has *operation) error {
	first, size := utf8.DecodeRuneInString(op)
	name := string(unicode.ToUpper(first)) + op[size:]
	found, _, _ := types.LookupFieldOrMethod(object, true, w.pkg, name)
	method, ok := found.(*types.Func)
	if !ok {
		return fmt.Errorf("%s has no method for the operation %q: want %s", typ, op, name)
	}
	sig := method.Signature()
	if sig.Variadic() {
		return fmt.Errorf("%s.%s takes any number of arguments: want a fixed one", typ, name)
	}
	n := has.number
	fmt.Fprintf(&w.body, "var pangolinArgs%d = []struct {\n", n)
	for i := range sig.Params().Len() {
		fmt.Fprintf(&w.body, "\ta%d %s\n", i, types.TypeString(sig.Params().At(i).Type(), w.qualified))
	}
	w.body.WriteString("}{\n")
	for _, call := range has.order {
		args := w.spec.values.Items(call)[1:]
		if len(args) != sig.Params().Len() {
			return fmt.Errorf("%s of %s has %d parameters; a call has %d arguments", name, typ, sig.Params().Len(), len(args))
		}
		var list []string
		for i, a := range args {
			text, err := w.literal(a, sig.Params().At(i).Type())
			if err != nil {
				return fmt.Errorf("argument %d of %s: %w", i+1, op, err)
			}
			list = append(list, text)
		}
		fmt.Fprintf(&w.body, "\t{%s},\n", strings.Join(list, ", "))
	}
	fmt.Fprintf(&w.body, "}\n\nvar pangolinResults%d = map[string]int{\n", n)
	for i, v := range has.values {
		if err := noNull(w.spec.values, v, sig.Results()); err != nil {
			return fmt.Errorf("the result of %s: %w", op, err)
		}
		fmt.Fprintf(&w.body, "\t%q: %d,\n", w.spec.text(v), i)
	}
	fmt.Fprintf(&w.body, "}\n\nfunc pangolinOp%d(c %s, call int) int {\n", n, typ)
	var args, results []string
	for i := range sig.Params().Len() {
		args = append(args, fmt.Sprintf("pangolinArgs%d[call].a%d", n, i))
	}
	for i := range sig.Results().Len() {
		results = append(results, fmt.Sprintf("r%d", i))
	}
	w.body.WriteString("\t")
	if len(results) > 0 {
		fmt.Fprintf(&w.body, "%s := ", strings.Join(results, ", "))
	}
	fmt.Fprintf(&w.body, "c.%s(%s)\n\tvar b []byte\n", name, strings.Join(args, ", "))
	switch len(results) {
	case 0:
		w.body.WriteString("\tb = append(b, 'n')\n")
	case 1:
		if err := w.append("r0", sig.Results().At(0).Type()); err != nil {
			return fmt.Errorf("the result of %s: %w", op, err)
		}
	default:
		w.body.WriteString("\tb = append(b, '[')\n")
		for i := range results {
			if err := w.append(results[i], sig.Results().At(i).Type()); err != nil {
				return fmt.Errorf("result %d of %s: %w", i+1, op, err)
			}
		}
		w.body.WriteString("\tb = append(b, ']')\n")
	}
	fmt.Fprintf(&w.body, "\tif n, ok := pangolinResults%d[string(b)]; ok {\n\t\treturn n\n\t}\n\treturn -1\n}\n\n", n)
	return nil
}

// noNull refuses null where a method gives a slice: whether a slice is nil is no part of a result, so null would be none.
func noNull(vs *judge.Values, v judge.Value, results *types.Tuple) error {
	items := []judge.Value{v}
	if results.Len() > 1 {
		items = vs.Items(v)
	}
	for i, one := range items {
		if i < results.Len() && one == judge.Nil {
			if _, is := results.At(i).Type().Underlying().(*types.Slice); is {
				return fmt.Errorf("null is no %s: an empty or nil slice is recorded as []", results.At(i).Type())
			}
		}
	}
	return nil
}

// literal is a value as Go text of a type.
func (w *writer) literal(v judge.Value, t types.Type) (string, error) {
	wrong := fmt.Errorf("%s is no %s", w.spec.values.Format(v), t)
	name := types.TypeString(t, w.qualified)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsInteger != 0 && v.IsInteger() && fits(int64(v), u):
			return fmt.Sprintf("%d", v), nil
		case u.Info()&types.IsString != 0 && v.IsString():
			return strconv.Quote(w.spec.values.Text(v)), nil
		case u.Info()&types.IsBoolean != 0 && (v == judge.True || v == judge.False):
			return strconv.FormatBool(v == judge.True), nil
		case u.Info()&(types.IsInteger|types.IsString|types.IsBoolean) == 0:
			return "", fmt.Errorf("a %s: %w", t, errForm)
		}
		return "", wrong
	case *types.Slice:
		if v == judge.Nil {
			return "nil", nil
		}
		if !v.IsList() {
			return "", wrong
		}
		var list []string
		for _, one := range w.spec.values.Items(v) {
			text, err := w.literal(one, u.Elem())
			if err != nil {
				return "", err
			}
			list = append(list, text)
		}
		return name + "{" + strings.Join(list, ", ") + "}", nil
	}
	return "", fmt.Errorf("a %s: %w", t, errForm)
}

// fits reports whether a type holds an integer.
func fits(n int64, t *types.Basic) bool {
	bits := map[types.BasicKind]int{types.Int8: 8, types.Uint8: 8, types.Int16: 16, types.Uint16: 16, types.Int32: 32, types.Uint32: 32}[t.Kind()]
	unsigned := t.Info()&types.IsUnsigned != 0
	switch {
	case unsigned && n < 0:
		return false
	case bits == 0:
		return true
	case unsigned:
		return n < 1<<bits
	}
	return -1<<(bits-1) <= n && n < 1<<(bits-1)
}

// append writes the statements that append a result to b, as Spec.text has it.
func (w *writer) append(x string, t types.Type) error {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsUnsigned != 0:
			fmt.Fprintf(&w.body, "\tb = append(pangolinDigits(b, uint64(%s)), ';')\n", x)
			return nil
		case u.Info()&types.IsInteger != 0:
			fmt.Fprintf(&w.body, "\tb = append(pangolinSigned(b, int64(%s)), ';')\n", x)
			return nil
		case u.Info()&types.IsString != 0:
			w.str("string(" + x + ")")
			return nil
		case u.Info()&types.IsBoolean != 0:
			fmt.Fprintf(&w.body, "\tif %s {\n\t\tb = append(b, 't')\n\t} else {\n\t\tb = append(b, 'f')\n\t}\n", x)
			return nil
		}
	case *types.Slice:
		w.depth++
		one := fmt.Sprintf("x%d", w.depth)
		fmt.Fprintf(&w.body, "\tb = append(b, '[')\n\tfor _, %s := range %s {\n", one, x)
		if err := w.append(one, u.Elem()); err != nil {
			return err
		}
		w.body.WriteString("\t}\n\tb = append(b, ']')\n")
		w.depth--
		return nil
	case *types.Interface:
		if types.Identical(t, types.Universe.Lookup("error").Type()) {
			fmt.Fprintf(&w.body, "\tif %s == nil {\n\t\tb = append(b, 'n')\n\t} else {\n", x)
			w.str(x + ".Error()")
			w.body.WriteString("\t}\n")
			return nil
		}
	}
	return fmt.Errorf("a %s: %w", t, errForm)
}

func (w *writer) str(x string) {
	fmt.Fprintf(&w.body, "\t{\n\t\ts := %s\n\t\tb = append(append(pangolinDigits(append(b, 's'), uint64(len(s))), ':'), s...)\n\t}\n", x)
}

// numbers are functions that write numbers: the package's dependencies may be without strconv.
const numbers = `
func pangolinDigits(b []byte, n uint64) []byte {
	if n >= 10 {
		b = pangolinDigits(b, n/10)
	}
	return append(b, byte('0'+n%10))
}

func pangolinSigned(b []byte, n int64) []byte {
	if n < 0 {
		return pangolinDigits(append(b, '-'), -uint64(n))
	}
	return pangolinDigits(b, uint64(n))
}

`
