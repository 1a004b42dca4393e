// SPDX-License-Identifier: BSD-3-Clause

package closure

import (
	"context"
	"path/filepath"
	"strings"

	"pangolin/internal/git"
)

// Commit is the git revision that is checked out in the directory of the memo.
func (m *Memo) Commit(ctx context.Context) (c git.Checkout, ok bool) {
	return git.Head(ctx, m.Dir)
}

// Modified reports whether a file of the closures that Know has listed differs from that of the
// commit, as git status says it: it was written, added or removed since. What git ignores counts as
// belonging to the commit. It runs git.
func (m *Memo) Modified(ctx context.Context, at git.Checkout) (bool, error) {
	list, _ := m.All()
	top, err := filepath.EvalSymlinks(at.Top)
	if err != nil {
		return false, err
	}
	files, dirs, known := map[string]bool{}, map[string]bool{}, map[string]string{}
	real := func(dir string) string {
		if known[dir] == "" {
			known[dir] = dir
			if r, err := filepath.EvalSymlinks(dir); err == nil {
				known[dir] = r
			}
		}
		return known[dir]
	}
	for _, p := range list {
		for path := range p.stamps {
			files[filepath.Join(real(filepath.Dir(path)), filepath.Base(path))] = true
		}
		for _, dir := range p.Dirs {
			dirs[real(dir)] = true
		}
	}
	text, err := git.Command{Dir: top}.Run(ctx, "--no-optional-locks", "status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=all")
	if err != nil {
		return false, err
	}
	for line := range strings.SplitSeq(text, "\x00") {
		if len(line) < 4 {
			continue
		}
		path := filepath.Join(top, filepath.FromSlash(line[3:]))
		gone := strings.Contains(line[:2], "D") && filepath.Ext(path) == ".go" && dirs[filepath.Dir(path)]
		if files[path] || gone {
			return true, nil
		}
	}
	return false, nil
}
