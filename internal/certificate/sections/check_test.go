// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/certificate/file"
	"pangolin/internal/ir"
	"pangolin/internal/subject"
	"pangolin/internal/test/level"
	"pangolin/internal/test/proving"
)

// Whole certificates: those that the checker's own steps lead to are accepted, and nothing leads to one of what is wrong; damaged ones are refused, and others have an answer.

const (
	rights = "../../engine/sections/testdata/subjects/right"
	wrongs = "../../engine/sections/testdata/subjects/wrong"
)

func refuses(err error) bool {
	var r *file.Rejection
	return errors.As(err, &r)
}

// refused are the right types of which there is no proof, with what is said.
var refused = map[string]string{
	"Retries": "Lock in the phase after", "TwoLocks": "is not the lock", "Recovers": "where a panic may be recovered", "Tries": "TryLock", "Once": "unsafe.Pointer",
	"Table": "some int is read", "RecoversOuter": "defers a call, and a caller may recover",
}

// because has what is said of wrong types that are refused for one reason alone.
var because = map[string]string{
	"CastByMaker": "unsafe.Pointer", "GivesGlobal": "in the harness", "ReadsGlobal": "package variable", "InField": "an element or variable of type *wrong.inField", "Formats": "formats shared memory",
	"FormatsDeep": "formats shared memory", "FormatsLock": "with a lock", "FormatsGlobal": "may be formatted without the lock", "StartsLater": "the instruction go", "Starts": "the instruction go", "Timed": "the instruction go",
	"HeldName": "in the harness", "RecoversLate": "where a panic may be recovered", "Unwound": "a caller may recover a panic of it", "Watched": "start a goroutine", "Twofold": "unsafe.Pointer",
	"FormatMethod": "the method Format of wrong.countsItself", "FormatVerbose": "the method Format of *wrong.verbose", "FormatRare": "the method Format of *wrong.rare", "FormatLocks": "the method Format of wrong.locksAgain",
	"FormatWithin": "the method Format of wrong.countsWithin", "FormatBehind": "the method Format of wrong.countsBehind",
}

var constructor = regexp.MustCompile(`(?m)^func New(\w+)`)

// typesIn are the types of a directory's file, those of which there are constructors; with -short every fifth one.
func typesIn(t *testing.T, file string) (out []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range constructor.FindAllStringSubmatch(string(text), -1) {
		if !level.Short() || i%5 == 0 {
			out = append(out, m[1])
		}
	}
	return out
}

func TestCheck_AcceptsWhatIsRight(t *testing.T) {
	for _, typ := range typesIn(t, rights+"/right.go") {
		s := proving.Load(t, rights, typ)
		x, err := fill(s)
		if want := refused[typ]; want != "" {
			if !refuses(err) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: want %q, got %v", typ, want, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", typ, err)
			continue
		}
		var b bytes.Buffer
		if err := x.Write(&b); err != nil {
			t.Fatal(err)
		}
		out, err := CheckFile(context.Background(), s, b.Bytes(), io.Discard)
		if err != nil || !out.Holds || out.Views != len(x.States) || !out.Races {
			t.Errorf("%s: %+v, %v", typ, out, err)
		}
	}
}

func TestCheck_RefusesWhatIsWrong(t *testing.T) {
	for _, dir := range []string{wrongs, wrongs + "/started", wrongs + "/cast"} {
		for _, typ := range typesIn(t, dir+"/wrong.go") {
			s := proving.Load(t, dir, typ)
			_, err := fill(s)
			if want := because[typ]; !refuses(err) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: want %q, got %v", typ, want, err)
			}
		}
	}
}

// The certificate of a type is refused for another one, and if any line of it is missing that is needed, or says too much.
func TestCheck_RefusesDamage(t *testing.T) {
	s := proving.Load(t, rights, "Registry")
	whole, err := fill(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(context.Background(), proving.Load(t, rights, "Ages"), whole); !refuses(err) {
		t.Errorf("it is one of another type: %v", err)
	}
	made := len(s.Operations)
	damages := map[string]func(x *Certificate){
		"no lock":            func(x *Certificate) { x.Head.Lock = "" },
		"another lock":       func(x *Certificate) { x.Head.Lock = "path +6" },
		"a lock of no place": func(x *Certificate) { x.Head.Lock = "path +0 is 1+0" },
		"no calls":           func(x *Certificate) { x.Calls = nil },
		"no states":          func(x *Certificate) { x.States = nil },
		"operations swapped": func(x *Certificate) { x.Calls[0], x.Calls[1] = x.Calls[1], x.Calls[0] },
		"no end":             func(x *Certificate) { x.Calls[0].Ends = nil },
		"an end with the lock": func(x *Certificate) {
			x.Calls[0].Ends = append(x.Calls[0].Ends, x.Calls[0].Ends[0])
			x.Calls[0].Ends[1].Phase = "writing"
		},
		"an end with the lock, behind its moment": func(x *Certificate) {
			x.Calls[0].Ends = append(x.Calls[0].Ends, x.Calls[0].Ends[0])
			x.Calls[0].Ends[1].Phase = "reading+"
		},
		"an operation that has the lock": func(x *Certificate) { x.Calls[0].Phase = "writing" },
		"an operation with own things":   func(x *Certificate) { x.Calls[0].Given[0] = "o" },
		"a function that is none":        func(x *Certificate) { x.Calls[1].Func = len(s.Prog.Funcs) },
		"a function without code": func(x *Certificate) {
			x.Calls = append(x.Calls, Call{Func: slices.IndexFunc(s.Prog.Funcs, func(f *ir.Func) bool { return f.External }), Phase: "before", Given: []string{"s"}, Ends: []End{}})
		},
		"a state in a block":                              func(x *Certificate) { x.States[0].PC = 1 },
		"a state of no call":                              func(x *Certificate) { x.States[0].Call = -1 },
		"a state with few words":                          func(x *Certificate) { x.States[0].Regs = x.States[0].Regs[1:] },
		"no constructor":                                  func(x *Certificate) { x.Calls[made].Func = x.Calls[0].Func },
		"a constructor that is an operation":              func(x *Certificate) { x.Calls[made].Phase = "before" },
		"a constructor that returns what others have":     func(x *Certificate) { x.Calls[made].Ends[0].Results[0] = "os" },
		"a constructor that returns what it has not made": func(x *Certificate) { x.Calls[made].Ends[0].Results[0] = "of" },
		"a constructor that publishes":                    func(x *Certificate) { x.Calls[made].Ends[0].Published = true },
		"a constructor that ends as an operation":         func(x *Certificate) { x.Calls[made].Ends[0].Phase = "after" },
		"an operation that makes":                         func(x *Certificate) { x.Calls[0].Ends[0].Phase = "making" },
		"a collection that is a variable":                 func(x *Certificate) { x.Calls[0].Given[0] += " elem 1" },
		"a state with the lock":                           func(x *Certificate) { x.States[0].Phase = "reading" },
		"own memory with own words":                       func(x *Certificate) { x.States[0].Holds = "o" },
		"too many fixed":                                  func(x *Certificate) { x.Head.Fixed = everyClass(newTypes(s.Prog)) },
		"nonsense fixed":                                  func(x *Certificate) { x.Head.Fixed = []string{"field 3"} },
	}
	for name, damage := range damages {
		x := copyOf(whole)
		if damage(x); !refuses(Check(context.Background(), s, x)) {
			t.Errorf("%s: %v", name, Check(context.Background(), s, x))
		}
	}
	needed := 0
	for i := range whole.States {
		x := copyOf(whole)
		x.States = slices.Delete(x.States, i, i+1)
		if refuses(Check(context.Background(), s, x)) {
			needed++
		}
	}
	if needed < len(whole.States)*9/10 {
		t.Errorf("of %d states %d are needed", len(whole.States), needed)
	}
	text := fileOf(t, whole)
	if _, err := CheckFile(context.Background(), s, text[:len(text)/2], nil); err == nil {
		t.Error("half of a certificate is read")
	}
}

func fileOf(t *testing.T, x *Certificate) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := x.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A certificate that leaves out what is written is refused, wherever it says that a class is fixed.
func TestCheck_RefusesFixedClassesThatAreWritten(t *testing.T) {
	s := proving.Load(t, rights, "Limits")
	whole, err := fill(s)
	if err != nil {
		t.Fatal(err)
	}
	missing := 0
	for _, text := range everyClass(newTypes(s.Prog)) {
		if slices.Contains(whole.Head.Fixed, text) {
			continue
		}
		missing++
		x := copyOf(whole)
		x.Head.Fixed = append(x.Head.Fixed, text)
		if err := Check(context.Background(), s, x); !refuses(err) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if missing == 0 {
		t.Error("nothing is written")
	}
}

// Subjects of which there are no such proofs are refused.
func TestFits(t *testing.T) {
	s := proving.Load(t, rights, "Early")
	for name, change := range map[string]func(s *subject.Subject){
		"another oracle": func(s *subject.Subject) { s.Self = false },
		"no constructor": func(s *subject.Subject) { s.New = nil },
		"who executes it": func(s *subject.Subject) {
			s.Operations = slices.Clone(s.Operations)
			s.Operations[0].Asks = true
		},
	} {
		other := *s
		if change(&other); !refuses(fits(&other)) {
			t.Error(name)
		}
	}
	if err := fits(s); err != nil {
		t.Error(err)
	}
}

// copyOf is a copy that shares nothing.
func copyOf(x *Certificate) *Certificate {
	out := *x
	copyLists(reflect.ValueOf(&out).Elem())
	return &out
}

func copyLists(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			copyLists(v.Field(i))
		}
	case reflect.Slice:
		list := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(list, v)
		v.Set(list)
		if k := v.Type().Elem().Kind(); k == reflect.Struct || k == reflect.Slice {
			for i := range v.Len() {
				copyLists(v.Index(i))
			}
		}
	}
}

// Whatever a certificate says, the checker has an answer.
func TestCheck_HasAnAnswerToAnything(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	n := 400
	if level.Short() {
		n = 50
	}
	for _, typ := range []string{"Registry", "Callback", "Guarded"} {
		s := proving.Load(t, rights, typ)
		whole, err := fill(s)
		if err != nil {
			t.Fatal(err)
		}
		for range n {
			x := copyOf(whole)
			for range 1 + r.IntN(3) {
				disturb(r, reflect.ValueOf(x).Elem())
			}
			x.Head.Head = whole.Head.Head
			if err := Check(context.Background(), s, x); err != nil && !refuses(err) {
				t.Errorf("an error that is none of a certificate: %v", err)
			}
			if err := x.Draw(io.Discard, s.Prog); err != nil {
				t.Error(err)
			}
		}
	}
}

// disturb changes something somewhere in a value.
func disturb(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		disturb(r, v.Field(r.IntN(v.NumField())))
	case reflect.Slice:
		switch n := v.Len(); {
		case n == 0 || r.IntN(6) == 0:
			v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
		case r.IntN(6) == 0:
			v.Set(reflect.Zero(v.Type()))
		case r.IntN(6) == 0:
			v.SetLen(r.IntN(n))
		default:
			disturb(r, v.Index(r.IntN(n)))
		}
	case reflect.Int:
		v.SetInt([]int64{-1, -2, 0, 1, 2, 3, 5, 62, 63, 64, 1 << 20, math.MaxInt64, math.MinInt64}[r.IntN(13)])
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.String:
		list := strings.Split("|o|f|s|os|ofs|s path +0|s path 6+0|s path 6,0+3|o is 1+0|s elem 2|f global 0+0|f func 0()|of func 5()|of func 7(;s;o)|of func 3(of func 3(of func 3(o)))|before|reading|writing|reading+|writing+|after|making|path +0|is 2+0|elem 1|map 3|x", "|")
		v.SetString(list[r.IntN(len(list))])
	}
}

// What is wrong is said with the place in the code.
func TestCheck_SaysWhere(t *testing.T) {
	s := proving.Load(t, wrongs, "Kept")
	_, err := fill(s)
	var r *file.Rejection
	if !errors.As(err, &r) || !strings.HasPrefix(r.Where, "wrong.go:") {
		t.Errorf("%v", err)
	}
	if l := Limits(); len(l) != 1 || !strings.Contains(l[0].Name, "threads") {
		t.Error(l)
	}
}
