// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/test/level"
)

// session is what Neovim does: it opens a file, verifies the type by the command of a lens, looks at what it was told, mends the
// file, and saves it. What it saw is written to the file "seen".
const session = `
local dir, server, cache = vim.env.DIR, vim.env.SERVER, vim.env.KEPT
local seen = {}
local function titles()
  local answers = vim.lsp.buf_request_sync(0, 'textDocument/codeLens', {textDocument = vim.lsp.util.make_text_document_params()}, 5000) or {}
  local list = {}
  for _, answer in pairs(answers) do
    for _, lens in ipairs(answer.result or {}) do table.insert(list, lens.command.title) end
  end
  return list
end
local function until_lenses(n) vim.wait(60000, function() return #titles() == n end, 50) end
vim.cmd('edit ' .. dir .. '/counter/counter.go')
local id = vim.lsp.start_client({cmd = {server, 'lsp', '-cache', cache}, root_dir = dir, name = 'pangolin'})
vim.lsp.buf_attach_client(0, id)
vim.wait(10000, function() return vim.lsp.get_client_by_id(id).initialized end)
until_lenses(2)
seen.before = titles()
vim.lsp.buf_request_sync(0, 'workspace/executeCommand', {command = 'pangolin.verify', arguments = {vim.uri_from_bufnr(0), 'Counter'}}, 5000)
vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 50)
seen.diagnostics = vim.tbl_map(function(d) return (d.lnum + 1) .. ': ' .. d.message end, vim.diagnostic.get(0))
seen.after = titles()
vim.api.nvim_win_set_cursor(0, {6, 6})
for _, answer in pairs(vim.lsp.buf_request_sync(0, 'textDocument/hover', vim.lsp.util.make_position_params(), 5000)) do
  seen.hover = answer.result.contents.value
end
vim.api.nvim_buf_set_lines(0, 4, 4, false, {'//pangolin:protocol x'})
vim.api.nvim_win_set_cursor(0, {5, 20})
seen.completion = {}
for _, answer in pairs(vim.lsp.buf_request_sync(0, 'textDocument/completion', vim.lsp.util.make_position_params(), 5000)) do
  for _, item in ipairs(answer.result) do table.insert(seen.completion, item.label) end
end
vim.api.nvim_buf_set_lines(0, 4, 5, false, {})
vim.cmd('%s/c.n.Store(old + 1)/_ = old; c.n.Add(1)/')
vim.cmd('write')
vim.wait(60000, function() return #vim.diagnostic.get(0) == 0 end, 50)
seen.left = #vim.diagnostic.get(0)
vim.fn.writefile({vim.fn.json_encode(seen)}, dir .. '/seen')
vim.cmd('qall!')
`

func TestLSP_IsDrivenByNeovim(t *testing.T) {
	if level.Short() {
		t.Skip("takes seconds")
	}
	nvim, err := exec.LookPath("nvim")
	if err != nil {
		t.Skip("there is no nvim: the language server is not driven by an editor")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := writeFiles(t, map[string]string{"go.mod": "module example\n\ngo 1.24\n", "counter/counter.go": losing, "session.lua": session})
	server := filepath.Join(t.TempDir(), process)
	if err := os.Symlink(self, server); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), nvim, "--headless", "--clean", "-c", "luafile "+filepath.Join(dir, "session.lua"), "-c", "cquit")
	cmd.Env = append(os.Environ(), "DIR="+dir, "SERVER="+server, "KEPT="+t.TempDir(), "XDG_CACHE_HOME="+t.TempDir(), "XDG_STATE_HOME="+t.TempDir(), "XDG_DATA_HOME="+t.TempDir())
	cmd.Env = append(cmd.Env, goEnv(t, "GOCACHE", "GOMODCACHE")...) // which are below a cache directory that was just set
	cmd.Dir = dir
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	text, err := os.ReadFile(filepath.Join(dir, "seen"))
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	var seen struct {
		Before, Diagnostics, After, Completion []string
		Hover                                  string
		Left                                   int
	}
	if err := json.Unmarshal(text, &seen); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ got, want []string }{
		{seen.Before, []string{"verify", "prove"}},
		{seen.Diagnostics, []string{"15: counter.Counter: history: Get() = 1 after two Inc(); in every order it is 2"}},
		{seen.After, []string{"verify (violated)", "prove", "replay"}},
		{seen.Completion, []string{"nonblocking", "blocking", "bounded(2)", "synchronous"}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
	if !strings.Contains(seen.Hover, "VIOLATED") || seen.Left != 0 {
		t.Errorf("%d diagnostics left, hover %s", seen.Left, seen.Hover)
	}
}
