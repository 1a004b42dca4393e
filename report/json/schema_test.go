// SPDX-License-Identifier: BSD-3-Clause

package json_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"pangolin/internal/study"
	"pangolin/internal/test/flags"
	printer "pangolin/report/json"
	"pangolin/verdict"
)

// The schema is made from the types, and what is printed obeys it.

const schemaFile = "../../doc/schema.json"

// lines are all kinds of lines, by their type's name.
var lines = []struct {
	name string
	of   any
}{
	{"verdict", verdict.Verdict{}}, {"collection", verdict.Collection{}}, {"clients", verdict.Clients{}}, {"histories", verdict.Histories{}}, {"cell", study.Cell{}},
	{"gone", verdict.Gone{}}, {"shard", verdict.Shard{}}, {"baseline", verdict.Baseline{}},
	{"mutant", verdict.Mutant{}}, {"test", verdict.Tested{}}, {"summary", verdict.MutationSummary{}}, {"system", verdict.System{}}, {"comparison", verdict.Comparison{}},
	{"check", verdict.Checked{}}, {"reproduction", verdict.Reproduction{}}, {"points", verdict.Points{}}, {"composition", verdict.Composition{}},
	{"cell", study.Refinement{}}, {"mutants", study.MutantRow{}}, {"outcome", printer.OutcomeLine{}}, {"summary", printer.SummaryLine{}}, {"witness", verdict.Witness{}},
}

// The committed schema is the one that the types of the lines have.
func TestSchema_IsThatOfTheTypes(t *testing.T) {
	s := &schemas{defs: map[string]any{}}
	var any []map[string]any
	for _, l := range lines {
		s.of(reflect.TypeOf(l.of))
		name := reflect.TypeOf(l.of).Name()
		if def := s.defs[name].(map[string]interface{}); def["properties"].(map[string]interface{})["type"] != nil {
			def["properties"].(map[string]interface{})["type"] = map[string]interface{}{"const": l.name}
		}
		any = append(any, map[string]interface{}{"$ref": "#/$defs/" + name})
	}
	text, err := json.MarshalIndent(map[string]interface{}{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "What pangolin prints with -json, a line each, and its witness files",
		"anyOf": any, "$defs": s.defs}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, '\n')
	if flags.Update() {
		if err := os.WriteFile(schemaFile, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(schemaFile); err != nil || !bytes.Equal(want, text) {
		t.Errorf("%s is not the schema of the types (%v); -update writes it", schemaFile, err)
	}
}

// schemas describes Go types, each with a name once.
type schemas struct{ defs map[string]any }

func (s *schemas) of(t reflect.Type) any {
	switch {
	case t == reflect.TypeFor[json.Number]():
		return map[string]any{"type": "integer"}
	case t.Kind() == reflect.Pointer:
		return map[string]any{"anyOf": []any{s.of(t.Elem()), map[string]any{"type": "null"}}}
	}
	switch t.Kind() {
	case reflect.Struct:
		if _, known := s.defs[t.Name()]; !known {
			s.defs[t.Name()] = nil // it may contain itself
			properties, required := map[string]any{}, []string{}
			s.fields(t, properties, &required)
			s.defs[t.Name()] = map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
		}
		return map[string]any{"$ref": "#/$defs/" + t.Name()}
	case reflect.Slice:
		return map[string]any{"type": []string{"array", "null"}, "items": s.of(t.Elem())}
	case reflect.Array:
		return map[string]any{"type": "array", "items": s.of(t.Elem()), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": s.of(t.Elem())}
	}
	return map[string]any{"type": "integer"}
}

// fields adds those of a struct, embedded ones as its own.
func (s *schemas) fields(t reflect.Type, properties map[string]any, required *[]string) {
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported() && !f.Anonymous:
		case f.Anonymous && name == "":
			inner := f.Type
			optional := []string{}
			into := required
			if inner.Kind() == reflect.Pointer {
				inner, into = inner.Elem(), &optional
			}
			s.fields(inner, properties, into)
		default:
			if name == "" {
				name = f.Name
			}
			properties[name] = s.of(f.Type)
			if !strings.Contains(options, "omit") {
				*required = append(*required, name)
			}
		}
	}
}

// What is printed obeys the schema: witness files, and lines that lack or have too much do
// not.
func TestSchema_IsObeyed(t *testing.T) {
	compiled, err := jsonschema.NewCompiler().Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	check := func(text []byte) error {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			return err
		}
		return compiled.Validate(v)
	}
	files, err := filepath.Glob("../testdata/*.json")
	if err != nil || len(files) < 7 {
		t.Fatal(err, files)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		w, err := verdict.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		l := printer.New(&b)
		exit := 2
		for _, result := range []any{w, verdict.Verdict{Effort: verdict.Effort{Clients: "8108"}, Scope: w.Scope, Findings: verdict.Findings{Violation: &verdict.Violation{Steps: w.Steps, Execution: w}}},
			verdict.Collection{}, verdict.Clients{Count: "1"}, verdict.Histories{List: []verdict.History{{Events: []string{"1:Len()"}, Has: []verdict.Property{}}}}, verdict.Verdict{Findings: verdict.Findings{Outcomes: &verdict.Outcomes{List: []verdict.Outcome{{Exit: &exit, Race: w.Race, Involved: w.Waiting}}}}}} {
			if err := l.Show(result); err != nil {
				t.Fatal(err)
			}
		}
		for line := range bytes.Lines(b.Bytes()) {
			if err := check(line); err != nil {
				t.Errorf("%s: %.200s: %v", file, line, err)
			}
		}
	}
	for _, bad := range []string{`{"type":"verdict"}`, `{}`, `[]`, `{"type":"nonsense","schema":2}`} {
		if check([]byte(bad)) == nil {
			t.Errorf("%s obeys the schema", bad)
		}
	}
}
