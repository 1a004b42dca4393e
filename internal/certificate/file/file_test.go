// SPDX-License-Identifier: BSD-3-Clause

package file

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

// sample is a certificate of no method.
type sample struct {
	Head   sampleHead `json:"head"`
	Words  []string   `json:"word"`
	Points []point    `json:"point"`
}

type sampleHead struct {
	Head
	Most int `json:"most"`
}

type point struct {
	X int `json:"x"`
	Y int `json:"y"`
}

const text = `{"type":"certificate","head":{"version":4,"method":"sample","source":{"module":"","package":"","patterns":null,"type":"","new":"","ops":null,"kind":"","protocol":"","oracle":""},"digest":"sha256:0","most":7}}
{"word":"a<b"}
{"word":""}
{"point":{"x":1,"y":2}}
{"end":{"head":"sha256:3ebda21d53b9e8f11cfd9694cb099eaa8f9f3730a0cc99c37afa548197529cb0","lines":{"point":1,"word":2}}}
`

var whole = sample{Head: sampleHead{Head{Version: Version, Method: "sample", Digest: "sha256:0"}, 7}, Words: []string{"a<b", ""}, Points: []point{{1, 2}}}

func TestRead_GivesWhatWasWritten(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, &whole); err != nil {
		t.Fatal(err)
	}
	first, rest, _ := strings.Cut(b.String(), "\n")
	if _, want, _ := strings.Cut(text, "\n"); rest != want || !strings.HasPrefix(first, `{"type":"certificate","head":{"version":4,"method":"sample",`) {
		t.Errorf("it writes\n%s", b.String())
	}
	var again sample
	if err := Read(b.Bytes(), "sample", &again); err != nil || !reflect.DeepEqual(again, whole) {
		t.Errorf("%+v, %v", again, err)
	}
}

// TestRead_RefusesOtherFiles changes a file in one place each, and wants a sentence that says what is wrong.
func TestRead_RefusesOtherFiles(t *testing.T) {
	for _, c := range []struct{ old, now, want string }{
		{text, "", "this is not a certificate"},
		{text, "package queue\n", "this is not a certificate"},
		{`"version":4`, `"version":2`, "the certificate has version 2 and this program reads version 4: prove it again"},
		{`"version":4,`, "", "the certificate has version 0 and this program reads version 4: prove it again"},
		{`"sample"`, `"cmp"`, `the certificate is of the method "cmp", not "sample"`},
		{`{"type":"certificate",`, "{", "line 1: the head of a certificate is its first line"},
		{`"most":7`, `"least":7`, `unknown field "least"`},
		{`{"word":""}`, `{"word":"","point":{"x":1,"y":2}}`, "line 3: want one of the members"},
		{`{"word":""}`, `{"sentence":""}`, `line 3: want one of the members ["word" "point"] or "end", not "sentence"`},
		{`{"word":""}`, `{"word":7}`, "line 3: "},
		{`{"word":""}`, `{"word":""`, "line 3: "},
		{`{"word":""}`, `{"word":""} {}`, "line 3: "},
		{`{"word":""}`, `{"word":"b","word":""}`, "line 3: it is not in the form in which certificates are written"},
		{`{"word":""}`, `{"word": ""}`, "line 3: it is not in the form in which certificates are written"},
		{`{"word":""}`, `{"word":null}`, "line 3: it is not in the form in which certificates are written"},
		{`"x":1`, `"x":3,"x":1`, "line 4: it is not in the form in which certificates are written"},
		{`"x":1`, `"X":1`, "line 4: it is not in the form in which certificates are written"},
		{`"most":7`, `"most":8,"most":7`, "line 1: it is not in the form in which certificates are written"},
		{`"most":7`, `"most":8`, "the head of the certificate was edited"},
		{`"digest":"sha256:0"`, `"digest":"sha256:1"`, "the head of the certificate was edited"},
		{`"y":2`, `"z":2`, `line 4: json: unknown field "z"`},
		{"{\"word\":\"\"}\n", "", `the certificate is incomplete: it has 1 lines "word", and its last line counts 2`},
		{`"point":1,`, "", "the certificate is incomplete"},
		{`{"end":{"head":"sha256:3ebda21d53b9e8f11cfd9694cb099eaa8f9f3730a0cc99c37afa548197529cb0","lines":{"point":1,"word":2}}}`, "", "line 5: "},
		{"{\"end\":{\"head\":\"sha256:3ebda21d53b9e8f11cfd9694cb099eaa8f9f3730a0cc99c37afa548197529cb0\",\"lines\":{\"point\":1,\"word\":2}}}\n", "", "the certificate is incomplete"},
		{`{"word":"a<b"}`, `{"end":{"head":"sha256:3ebda21d53b9e8f11cfd9694cb099eaa8f9f3730a0cc99c37afa548197529cb0","lines":{"point":1,"word":2}}}`, "line 2: there are lines after the last one"},
	} {
		broken := strings.Replace(text, c.old, c.now, 1)
		if broken == text {
			t.Fatalf("%q is not in the file", c.old)
		}
		var x sample
		if err := Read([]byte(broken), "sample", &x); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q instead of %q: %v, want %q", c.now, c.old, err, c.want)
		}
	}
}
