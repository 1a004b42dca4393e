// SPDX-License-Identifier: BSD-3-Clause

package site_test

import (
	"path/filepath"
	"slices"
	"testing"

	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
	"pangolin/internal/test/planting"
)

// Faults of the site, and of what fills the log that it reads.

func siteFaults() []planting.Fault {
	fault := func(name, old, text string) planting.Fault { return planting.Fault{Name: name, Old: old, New: text} }
	return []planting.Fault{
		fault("any-name", "return net.ParseIP(host) != nil ||", "return planted(\"any-name\") || net.ParseIP(host) != nil ||"),
		fault("oldest", "case !list[i].At.Before(out[k].At):", "case !planted(\"oldest\") && !list[i].At.Before(out[k].At):"),
		fault("any-property-again", "return r.Revision == o.Revision && r.Key == o.Key && a == b", "return planted(\"any-property-again\") || r.Revision == o.Revision && r.Key == o.Key && a == b"),
		fault("always-clean", "e.Sources == task.Modified {", "e.Sources == task.Modified && !planted(\"always-clean\") {"),
		fault("package-unasked", "case p.New == nil && second[p.Old.Package]:", "case p.New == nil && (planted(\"package-unasked\") || second[p.Old.Package]):"),
		fault("new-unasked", "case p.Old == nil && first[p.New.Package]:", "case p.Old == nil && first[p.New.Package] && !planted(\"new-unasked\"):"),
		fault("scopes-alike", "{\"scope\", old.Scope, now.Scope}", "{\"scope\", old.Scope, map[bool]string{true: old.Scope, false: now.Scope}[planted(\"scopes-alike\")]}"),
		fault("classes-only", "case p.Old.Status != p.New.Status ||", "case p.Old.Status != p.New.Status && !planted(\"classes-only\") ||"),
		fault("one-page", "o.Found > (a.Page-1)*perPage &&", "(planted(\"one-page\") || o.Found > (a.Page-1)*perPage) &&"),
		fault("any-word", "return !slices.ContainsFunc(words,", "return planted(\"any-word\") || !slices.ContainsFunc(words,"),
		fault("every-revision", "if a.At != \"\" {\n\t\tcondition", "if a.At != \"\" && !planted(\"every-revision\") {\n\t\tcondition"),
		fault("own-policy", "w.Header().Set(\"Content-Security-Policy\", html.Policy()", "w.Header().Set(\"Content-Security-Policy\", map[bool]string{true: policy, false: html.Policy()}[planted(\"own-policy\")]"),
		fault("torn-entries", "return e, err == nil && e.Package", "return e, (planted(\"torn-entries\") || err == nil) && e.Package"),
		fault("unmodified", "case modified:\n", "case modified && !planted(\"unmodified\"):\n"),
		fault("stale", "lines, again, err := h.log.Next()\n", "if planted(\"stale\") && len(h.types) > 0 {\n\t\tlook()\n\t\treturn nil\n\t}\n\tlines, again, err := h.log.Next()\n"),
	}
}

func siteSources(t *testing.T) planting.Sources {
	t.Helper()
	s := planting.Sources{}
	s.Read(t, "*.go")
	s.Read(t, "../task/journal.go")
	return s
}

func TestSiteFaults_CanBePlanted(t *testing.T) { siteSources(t).Check(t, siteFaults()) }

// TestSiteFaults_AreFound plants each fault and runs the tests of the site that need no browser.
func TestSiteFaults_AreFound(t *testing.T) {
	if !level.More() {
		t.Skip("-level more plants each fault")
	}
	binary := filepath.Join(t.TempDir(), "planted.test")
	siteSources(t).Build(t, siteFaults(), binary)
	tests := planting.Tests{Binary: binary, Args: []string{"-test.run=^TestSite_", "-test.short", "-test.timeout=5m"}}
	tests.FindEach(t, slices.DeleteFunc(siteFaults(), func(f planting.Fault) bool { return !flags.Only(f.Name) }))
}
