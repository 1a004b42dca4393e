package native

import "testing"

// In a workspace the module is the one that holds the directory, be it inside of another's.
func TestModuleOf_IsTheInnermostThatHoldsTheDirectory(t *testing.T) {
	const listed = "outer\t/w\ninner\t/w/a\nbeside\t/w/ab\n"
	for dir, want := range map[string]string{"/w": "outer", "/w/a": "inner", "/w/a/b": "inner", "/w/ab": "beside", "/w/abc": "outer"} {
		if path, root, err := moduleOf(listed, dir); err != nil || path != want {
			t.Errorf("%s: %s in %s, %v", dir, path, root, err)
		}
	}
	if _, _, err := moduleOf(listed, "/elsewhere"); err == nil {
		t.Error("a directory of no module has one")
	}
}

// SPDX-License-Identifier: BSD-3-Clause
