// SPDX-License-Identifier: BSD-3-Clause

package bundle_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pangolin/internal/farm/bundle"
	"pangolin/internal/find"
	"pangolin/internal/front"
	"pangolin/internal/task"
)

// What could lead to another verdict elsewhere is refused where the sources are.
func TestMake_RefusesWhatABundleDoesNotHold(t *testing.T) {
	dir := filepath.Join(module(t, "modules.txtar"), "vendored")
	list := asked{dir: dir, packages: []string{"./..."}}.tasks(t, t.Context())
	file := filepath.Join(dir, "more.go")
	for _, c := range []struct {
		name  string
		flags string
		text  string // of one more file
		want  string
	}{
		{name: "flags of the compiler", flags: "-gcflags=-l", want: "GOFLAGS has -gcflags=-l"},
		{name: "profile", flags: "-pgo=x", want: "GOFLAGS has -pgo=x"},
		{name: "missing import", text: "package vendored\n\nimport _ \"example.org/absent\"\n", want: "cannot find module providing package"},
		{name: "import cycle", text: "package vendored\n\nimport _ \"example.org/vendored\"\n", want: "import cycle"},
		{name: "broken syntax", text: "package", want: "expected 'IDENT'"},
		{name: "two packages", text: "package other\n", want: "found packages"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("GOFLAGS", c.flags)
			if c.text != "" {
				if err := os.WriteFile(file, []byte(c.text), 0o666); err != nil {
					t.Fatal(err)
				}
				defer os.Remove(file)
			}
			_, err := bundle.Make(t.Context(), dir, list...)
			if refused := (*bundle.Refused)(nil); !errors.As(err, &refused) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("want %q, got %v", c.want, err)
			}
			if err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one line: %v", err)
			}
		})
	}
}

// Another Go than the one with which the bundle was made, or another standard library, refuses it.
func TestAnswers_RefuseAnotherGo(t *testing.T) {
	a := asked{dir: filepath.Join(module(t, "modules.txtar"), "vendored"), packages: []string{"./..."}}
	good, err := bundle.Make(t.Context(), a.dir, a.tasks(t, t.Context())...)
	if err != nil {
		t.Fatal(err)
	}
	for want, edit := range map[string]func(*bundle.Manifest){
		"GOVERSION is": func(m *bundle.Manifest) { m.Go["GOVERSION"] = "go1.99" },
		"GOARCH is":    func(m *bundle.Manifest) { m.Go["GOARCH"] = "mips" },
		"GODEBUG is":   func(m *bundle.Manifest) { m.Go["GODEBUG"] = "gotypesalias=0" },
		"is no package": func(m *bundle.Manifest) {
			m.Standard = append(m.Standard, bundle.Digested{Path: "zzz", Digest: m.Standard[0].Digest})
		},
		"not the same": func(m *bundle.Manifest) { m.Standard[0].Digest = strings.Repeat("0", 64) },
		"which is missing": func(m *bundle.Manifest) {
			for i, d := range m.Standard {
				if d.Path == "unsafe" {
					m.Standard = append(m.Standard[:i], m.Standard[i+1:]...)
					return
				}
			}
		},
	} {
		read, err := bundle.Decode(good.Encode())
		if err != nil {
			t.Fatal(err)
		}
		edit(&read.Manifest)
		_, err = standard(t).Answers(t.Context(), read, t.TempDir())
		if refused := (*bundle.Invalid)(nil); !errors.As(err, &refused) || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

// A question whose answer was not recorded has no answer, and is remembered.
func TestReplaying_RemembersUnknownQuestions(t *testing.T) {
	a := asked{dir: filepath.Join(module(t, "modules.txtar"), "oracle"), packages: []string{"./counter"}}
	list := a.tasks(t, t.Context())
	b, err := bundle.Make(t.Context(), a.dir, list...)
	if err != nil {
		t.Fatal(err)
	}
	ctx, replaying, dir := unpacked(t, b)
	other := *list[0]
	other.Wishes.Oracle = find.ParseOracle("./model.Counter") // of which the bundle knows nothing
	for _, r := range (&task.Here{Dir: dir}).Run(ctx, func(yield func(*task.Task) bool) { yield(again(t, &other)) }) {
		if r.Err == nil {
			t.Error("there is a verdict")
		}
	}
	if _, err := front.List(ctx, dir, []string{"./counter"}); err == nil { // recorded by its import path
		t.Error("there is an answer to another pattern")
	}
	if unknown := replaying.Unknown(); len(unknown) != 2 || !strings.Contains(unknown[0], "./model") {
		t.Errorf("%q", unknown)
	}
}
