// SPDX-License-Identifier: BSD-3-Clause

package verdict_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pangolin/verdict"
)

// A verdict in which every field has a value of its own comes out of its record as it went in: a new field that neither
// its line nor its record has is found here.
func TestRecord_LosesNoField(t *testing.T) {
	var v verdict.Verdict
	n := 0
	fill(reflect.ValueOf(&v).Elem(), &n)
	text, err := verdict.Encode(&v)
	if err != nil {
		t.Fatal(err)
	}
	got, err := verdict.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(*got, v) {
		differs(t, "Verdict", reflect.ValueOf(*got), reflect.ValueOf(v))
	}
	if again, err := verdict.Encode(got); err != nil || string(again) != string(text) {
		t.Errorf("the record of what was read is another one: %v", err)
	}
	t.Logf("%d values", n)
}

// An empty list is not nil in a line, and nothing is made of nothing.
func TestRecord_KeepsWhatIsMissing(t *testing.T) {
	for _, v := range []verdict.Verdict{{}, {LeftOut: []verdict.LeftOut{}, Assumptions: []string{}, Findings: verdict.Findings{Outcomes: &verdict.Outcomes{List: []verdict.Outcome{{}}}}},
		{Effort: verdict.Effort{Clients: "0"}, Findings: verdict.Findings{Proof: &verdict.Proof{}, Violation: &verdict.Violation{}}}} {
		text, err := verdict.Encode(&v)
		if err != nil {
			t.Fatal(err)
		}
		got, err := verdict.Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(*got, v) {
			t.Errorf("%+v\nwant %+v", *got, v)
		}
	}
	if _, err := verdict.Decode([]byte("{")); err == nil {
		t.Error("half a record is read")
	}
}

// fill gives every field another value; what would hold something of its own type stays nil.
func fill(v reflect.Value, n *int, within ...reflect.Type) {
	*n++
	within = append(within[:len(within):len(within)], v.Type())
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n, within...)
		}
	case reflect.Pointer:
		if slices.Contains(within, v.Type().Elem()) {
			return
		}
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n, within...)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(v.Index(i), n, within...)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), n, within...)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, n, within...)
		fill(value, n, within...)
		v.SetMapIndex(key, value)
	case reflect.String:
		v.SetString(fmt.Sprint("text ", *n))
		if v.Type() == reflect.TypeFor[json.Number]() {
			v.SetString(fmt.Sprint(*n))
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(float64(*n) / 3)
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(*n) % 251)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*n))
	default:
		panic(v.Type().String())
	}
}

// differs names the fields that differ.
func differs(t *testing.T, at string, got, want reflect.Value) {
	switch {
	case got.Kind() == reflect.Pointer && !got.IsNil() && !want.IsNil():
		differs(t, at, got.Elem(), want.Elem())
	case got.Kind() == reflect.Struct:
		for i := range got.NumField() {
			differs(t, at+"."+got.Type().Field(i).Name, got.Field(i), want.Field(i))
		}
	case got.Kind() == reflect.Slice && got.Len() == want.Len():
		for i := range got.Len() {
			differs(t, fmt.Sprintf("%s[%d]", at, i), got.Index(i), want.Index(i))
		}
	case !reflect.DeepEqual(got.Interface(), want.Interface()):
		t.Errorf("%s: %v, want %v", at, got, want)
	}
}
