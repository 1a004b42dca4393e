// SPDX-License-Identifier: BSD-3-Clause

package bundle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/test/level"
)

// small is a bundle of two packages, written by hand.
func small() (Manifest, map[string][]byte) {
	contents := map[string][]byte{}
	file := func(name, text string) File {
		d := sum([]byte(text))
		contents[d] = []byte(text)
		return File{name, d, int64(len(text))}
	}
	return Manifest{
		Go:   map[string]string{"GOVERSION": "go1.26", "GOOS": "linux", "GOARCH": "amd64"},
		Tags: []string{"careful"},
		Answers: []Answer{{Patterns: []string{"example.org/a"}, Roots: []string{"example.org/a"}, Packages: []Package{
			{ID: "example.org/a", Name: "a", Path: "example.org/a", Module: &Module{"example.org/a", "1.26"}, Files: []string{"dir/a.go"},
				Imports: map[string]string{"sync": "sync", "example.org/b": "example.org/b"}},
			{ID: "example.org/b", Name: "b", Path: "example.org/b", Module: &Module{"example.org/b", "1.26"}, Files: []string{"elsewhere/example.org/b/b.go"}, Ignored: []string{"elsewhere/example.org/b/c.go"}},
		}}},
		Standard: []Digested{{"internal/sync", sum([]byte("1"))}, {"sync", sum([]byte("2"))}},
		Files:    []File{file("dir/a.go", "package a"), file("elsewhere/example.org/b/b.go", "package b"), file("elsewhere/example.org/b/c.go", "package b\n")},
	}, contents
}

func encoded(t *testing.T, m Manifest, contents map[string][]byte) []byte {
	t.Helper()
	text, err := json.Marshal(&m)
	if err != nil {
		t.Fatal(err)
	}
	out := append(fmt.Appendf(nil, head, len(text)), text...)
	known := map[string]bool{}
	for _, f := range m.Files {
		if !known[f.Digest] {
			out = append(out, contents[f.Digest]...)
		}
		known[f.Digest] = true
	}
	return out
}

// Each edit of a manifest makes a bundle that is refused, with these words.
func TestDecode_RefusesManifests(t *testing.T) {
	for _, c := range []struct {
		edit func(*Manifest)
		want string
	}{
		{func(m *Manifest) { m.Files[0].Name = "../a.go" }, "no name of a file"},
		{func(m *Manifest) { m.Files[0].Name = "dir/../../a.go" }, "no name of a file"},
		{func(m *Manifest) { m.Files[0].Name = "/etc/passwd" }, "no name of a file"},
		{func(m *Manifest) { m.Files[0].Name = "dir//a.go" }, "no name of a file"},
		{func(m *Manifest) { m.Files[0].Name = "dir/./a.go" }, "no name of a file"},
		{func(m *Manifest) { m.Files[0].Name = "dir" }, "no name of a file"},
		{func(m *Manifest) { m.Files[0].Name = "dir/" }, "no name of a file"},
		{func(m *Manifest) { m.Files[0].Name = "other/a.go" }, "no name of a file"},
		{func(m *Manifest) { m.Files[0].Name = `dir\a.go` }, "no name of a file"},
		{func(m *Manifest) { m.Files[0].Name = `dir/..\a.go` }, "no name of a file"},
		{func(m *Manifest) { m.Files[0].Name = `dir/C:a.go` }, "no name of a file"},
		{func(m *Manifest) { m.Files[0].Name = "dir/a\x00.go" }, "no name of a file"},
		{func(m *Manifest) { m.Files[0].Name = "dir/a\n.go" }, "no name of a file"},
		{func(m *Manifest) { m.Files[0].Name = "dir/" + strings.Repeat("a", 2000) }, "no name of a file"},
		{func(m *Manifest) { m.Files[0].Name = "dir/\u202ea.go" }, "no name of a file"},
		{func(m *Manifest) { m.Files[0].Name = "" }, "no name of a file"},
		{func(m *Manifest) { m.Files = append(m.Files[:1:1], m.Files...) }, "or one is there twice"},
		{func(m *Manifest) { slices.Reverse(m.Files) }, "not in order"},
		{func(m *Manifest) { m.Files[0].Name = "elsewhere/example.org/b" }, "is a file and a directory"},
		{func(m *Manifest) { m.Files[0].Digest = strings.Repeat("a", 64) }, "another digest"},
		{func(m *Manifest) { m.Files[0].Digest = strings.ToUpper(m.Files[0].Digest) }, "is no digest"},
		{func(m *Manifest) { m.Files[0].Digest = "../../x" }, "is no digest"},
		{func(m *Manifest) { m.Files[0].Name = "dir/" + strings.Repeat("a", 256) }, "no name of a file"},
		{func(m *Manifest) { m.Files[0].Size = -1 }, "more than"},
		{func(m *Manifest) { m.Files[0].Size = 1 << 60 }, "more than"},
		{func(m *Manifest) { m.Files[0].Size-- }, "another digest"},
		{func(m *Manifest) { m.Files[1].Digest, m.Files[1].Size = m.Files[0].Digest, 3 }, "has 3 bytes, its content has 9"},
		{func(m *Manifest) { m.Go["PATH"] = "/tmp" }, `"PATH"`},
		{func(m *Manifest) { m.Go["GOVERSION"] = "go1\n" }, `"GOVERSION"`},
		{func(m *Manifest) { m.Tags = []string{"a -exec=x"} }, "no build tag"},
		{func(m *Manifest) { m.Tags = []string{"a,b"} }, "no build tag"},
		{func(m *Manifest) { m.Standard[0].Path = "-toolexec=x y" }, "no import path"},
		{func(m *Manifest) { m.Standard[0].Path = "../fmt" }, "no import path"},
		{func(m *Manifest) { slices.Reverse(m.Standard) }, "not in order"},
		{func(m *Manifest) { m.Standard = m.Standard[:1] }, `imports "sync", which is missing`},
		{func(m *Manifest) { m.Standard[1].Digest = "" }, "no digest"},
		{func(m *Manifest) { m.Answers = nil }, "no answer"},
		{func(m *Manifest) { m.Answers = append(m.Answers, m.Answers[0]) }, "two answers"},
		{func(m *Manifest) { m.Answers[0].Roots = nil }, "about no package"},
		{func(m *Manifest) { m.Answers[0].Roots[0] = "example.org/c" }, "is missing"},
		{func(m *Manifest) { m.Answers[0].Roots = []string{"sync", "sync"} }, "a root twice"},
		{func(m *Manifest) { m.Answers[0].Patterns[0] = "/home/somebody/a.go" }, "the pattern"},
		{func(m *Manifest) { m.Answers[0].Patterns[0] = "" }, "the pattern"},
		{func(m *Manifest) { slices.Reverse(m.Answers[0].Packages) }, "not in order"},
		{func(m *Manifest) { m.Answers[0].Packages[1].ID = "example.org/a" }, "not in order"},
		{func(m *Manifest) { m.Answers[0].Packages[0].Name = "a b" }, "the name"},
		{func(m *Manifest) { m.Answers[0].Packages[0].Path = "../a" }, "the import path"},
		{func(m *Manifest) { m.Answers[0].Packages[0].ForTest = "/" }, "the import path"},
		{func(m *Manifest) { m.Answers[0].Packages[1].Path = "sync" }, "of the standard library"},
		{func(m *Manifest) { m.Answers[0].Packages[0].ID = "a\nb" }, "the import path"},
		{func(m *Manifest) { m.Answers[0].Packages[0].Module = nil }, "no module"},
		{func(m *Manifest) { m.Answers[0].Packages[0].Module.Path = "" }, "the module"},
		{func(m *Manifest) { m.Answers[0].Packages[0].Module.GoVersion = "1.26; x" }, "the module"},
		{func(m *Manifest) { m.Answers[0].Packages[0].Files[0] = "dir/b.go" }, "is missing"},
		{func(m *Manifest) { m.Answers[0].Packages[0].Files[0] = "/etc/passwd" }, "is missing"},
		{func(m *Manifest) {
			m.Answers[0].Packages[0].Files = []string{"dir/a.go", "elsewhere/example.org/b/b.go"}
		}, "one directory"},
		{func(m *Manifest) { m.Answers[0].Packages[0].Files = nil }, "no files"},
		{func(m *Manifest) {
			m.Answers[0].Packages[1].Imports = map[string]string{"example.org/a": "example.org/a"}
		}, "import each other"},
		{func(m *Manifest) { m.Answers[0].Packages[0].Imports["example.org/a"] = "example.org/a" }, "import each other"},
		{func(m *Manifest) { m.Answers[0].Packages[0].Imports["\x01"] = "sync" }, "it imports"},
		{func(m *Manifest) { m.Answers[0].Packages[0].Imports["net"] = "net" }, "is missing"},
	} {
		m, contents := small()
		c.edit(&m)
		_, err := Decode(encoded(t, m, contents))
		var refused *Invalid
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("want %q, got %v", c.want, err)
		}
	}
}

// A content that is there once fills no disk by being that of many files, nor do files by being in as many directories.
func TestDecode_RefusesWhatFillsADisk(t *testing.T) {
	for want, files := range map[string]func(content string, i int) File{
		"more than": func(content string, i int) File { return File{fmt.Sprintf("dir/%06d.go", i), content, 1 << 20} },
		"directories": func(content string, i int) File {
			return File{fmt.Sprintf("dir/%06d/%sx.go", i, strings.Repeat("a/", 400)), content, 1}
		},
	} {
		m, _ := small()
		text := make([]byte, 1<<20)
		if want == "directories" {
			text = text[:1]
		}
		contents := map[string][]byte{sum(text): text}
		m.Files = nil
		for i := range 600 {
			m.Files = append(m.Files, files(sum(text), i))
		}
		if _, err := Decode(encoded(t, m, contents)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

// Each edit of the bytes makes a bundle that is refused.
func TestDecode_RefusesOtherBytes(t *testing.T) {
	m, contents := small()
	good := encoded(t, m, contents)
	if _, err := Decode(good); err != nil {
		t.Fatal(err)
	}
	for n := range good { // cut, one bit changed, one byte too many
		flipped := slices.Clone(good)
		flipped[n] ^= 1
		for _, text := range [][]byte{good[:n], flipped, slices.Insert(slices.Clone(good), n, 'x')} {
			if b, err := Decode(text); err == nil && bytes.Equal(b.Encode(), good) {
				t.Fatalf("a bundle that was changed at byte %d of %d is read as the other one", n, len(good))
			} else if err == nil && !bytes.Equal(b.Encode(), text) {
				t.Fatalf("a bundle that was changed at byte %d is written in another way than it was read", n)
			}
		}
	}
	manifest, err := json.Marshal(&m)
	if err != nil {
		t.Fatal(err)
	}
	space := rewritten(strings.Replace(string(manifest), `"Go":{`, `"Go": {`, 1))
	for name, text := range map[string][]byte{
		"empty":            nil,
		"another version":  bytes.Replace(good, []byte("bundle 1"), []byte("bundle 2"), 1),
		"a space":          space,
		"more bytes":       append(slices.Clone(good), 0),
		"a negative size":  []byte("pangolin bundle 1 -5\n{}"),
		"a leading zero":   bytes.Replace(good, []byte("bundle 1 "), []byte("bundle 1 0"), 1),
		"a huge size":      []byte("pangolin bundle 1 99999999999999999999\n{}"),
		"an unknown field": rewritten(`{"Go":{},"Extra":1}`),
		"a field twice":    rewritten(`{"Go":{},"Go":{}}`),
		"deep":             rewritten(strings.Repeat(`[`, 20_000)),
		"null":             rewritten(`null`),
	} {
		var refused *Invalid
		if _, err := Decode(text); !errors.As(err, &refused) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// rewritten is a bundle with a text for a manifest.
func rewritten(manifest string) []byte { return fmt.Appendf(nil, head+"%s", len(manifest), manifest) }

// Whatever is changed in a bundle, in its text or in its manifest, it is refused, or read as what it is: it is encoded to the bytes that were
// read, and its names lead nowhere else.
func TestDecode_StandsRandomEdits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	m, contents := small()
	good := encoded(t, m, contents)
	manifest, err := json.Marshal(&m)
	if err != nil {
		t.Fatal(err)
	}
	parts := regexp.MustCompile(`"[^"]*"|[0-9]+|[\[\]{}:,]`).FindAllString(string(manifest), -1)
	odd := []string{`"../x"`, `"/x"`, `""`, `null`, `[]`, `{}`, `-1`, `1e9`, `"dir"`, `"dir/a.go/b.go"`, `"\u0000"`, `"sync"`, `"example.org/a"`, `{"Name":"dir/x.go"}`}
	read, rounds := 0, 20_000
	if level.Short() {
		rounds = 1000
	}
	for range rounds {
		text := slices.Clone(good)
		if r.IntN(2) == 0 {
			for range 1 + r.IntN(3) {
				switch i := r.IntN(len(text)); r.IntN(3) {
				case 0:
					text[i] ^= 1 << r.IntN(8)
				case 1:
					text = slices.Delete(text, i, min(len(text), i+1+r.IntN(8)))
				case 2:
					text = slices.Insert(text, i, text[r.IntN(len(text)):][0])
				}
			}
		} else { // whole words of the manifest
			list := slices.Clone(parts)
			for range 1 + r.IntN(3) {
				switch i := r.IntN(len(list)); r.IntN(3) {
				case 0:
					list[i] = parts[r.IntN(len(parts))]
				case 1:
					list[i] = odd[r.IntN(len(odd))]
				case 2:
					list = slices.Delete(list, i, min(len(list), i+2))
				}
			}
			text = append(rewritten(strings.Join(list, "")), good[bytes.IndexByte(good, '\n')+1+len(manifest):]...)
		}
		b, err := Decode(text)
		if err != nil {
			if refused := (*Invalid)(nil); !errors.As(err, &refused) {
				t.Fatalf("an error of another type: %v", err)
			}
			continue
		}
		read++
		b.isSound(t, text)
	}
	if read == 0 || read == rounds {
		t.Errorf("%d of %d were read", read, rounds)
	}
	t.Logf("%d of %d were read", read, rounds)
}

// isSound checks a bundle that was read from a text.
func (b *Bundle) isSound(t *testing.T, text []byte) {
	t.Helper()
	if !bytes.Equal(b.Encode(), text) {
		t.Fatal("the bundle is encoded to other bytes than were read")
	}
	for name, content := range b.files() {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			t.Fatalf("the name %q leads out of the directory", name)
		}
		if i := slices.IndexFunc(b.Manifest.Files, func(f File) bool { return f.Name == name }); b.Manifest.Files[i].Digest != sum(content) {
			t.Fatalf("%s has another content than its digest says", name)
		}
	}
}

// A manifest of a million entries is refused before it is read.
func TestDecode_RefusesAMillionEntries(t *testing.T) {
	text := `{"Go":{},"Answers":[],"Standard":[],"Files":[` + strings.Repeat("{},", 1_000_000) + "{}]}"
	if _, err := Decode(rewritten(text)); err == nil || !strings.Contains(err.Error(), "objects, the most is") {
		t.Error(err)
	}
}

// What is unpacked is there, with its content, and nothing else.
func TestUnpack_WritesTheFiles(t *testing.T) {
	m, contents := small()
	b, err := New(m, contents)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "scratch")
	if err := b.Unpack(dir); err != nil {
		t.Fatal(err)
	}
	var found []string
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			text, _ := os.ReadFile(path)
			name, _ := filepath.Rel(dir, path)
			found = append(found, filepath.ToSlash(name)+" "+sum(text))
		}
		return err
	})
	var want []string
	for _, f := range m.Files {
		want = append(want, f.Name+" "+f.Digest)
	}
	if err != nil || !slices.Equal(found, want) {
		t.Errorf("%v: %q, want %q", err, found, want)
	}
	if err := b.Unpack(dir); err == nil {
		t.Error("it was unpacked over files that were there")
	}
}

// A symbolic link that was there first leads nowhere.
func TestUnpack_FollowsNoLink(t *testing.T) {
	m, contents := small()
	b, err := New(m, contents)
	if err != nil {
		t.Fatal(err)
	}
	outside, dir := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "elsewhere")); err != nil {
		t.Skip(err)
	}
	if err := b.Unpack(dir); err == nil {
		t.Error("a link out of the directory was followed")
	}
	if list, _ := os.ReadDir(outside); len(list) > 0 {
		t.Errorf("written outside: %v", list)
	}
}

// Whatever is decoded is encoded to the same bytes, and can be unpacked below its directory.
func FuzzDecode(f *testing.F) {
	m, _ := small()
	text, err := json.Marshal(&m)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text), []byte("package apackage bpackage b\n"))
	f.Fuzz(func(t *testing.T, manifest string, rest []byte) {
		whole := append(rewritten(manifest), rest...)
		b, err := Decode(whole)
		if err != nil {
			if refused := (*Invalid)(nil); !errors.As(err, &refused) {
				t.Fatalf("an error of another type: %v", err)
			}
			return
		}
		b.isSound(t, whole)
	})
}
