// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin"
	"pangolin/internal/lsp"
	"pangolin/report"
	"pangolin/verdict"
)

// The subcommand lsp: package lsp speaks with the editor, and asks here for verdicts.

const lspHelp = `Lsp is a language server, to be started by an editor beside gopls; it speaks the
Language Server Protocol on standard input and output. It gives

  diagnostics  what is violated or unknown: the verdicts that are kept about the
               package as it was saved (pangolin verify keeps them, too)
  lenses       verify | prove | replay, above each type that can be verified
  hovers       the verdict, over the name of a type; the meaning of a directive
  completion   of //pangolin: directives and their values

With the initialization option {"verify": "onSave"} it verifies a package each
time one of its files is saved. doc/editor.md says how editors start it.

Exit codes: 0 the editor has said shutdown, 2 it is gone without.`

func newLSP(con *console) *ffcli.Command {
	fs := flag.NewFlagSet("lsp", flag.ContinueOnError)
	f := &requestFlags{}
	f.registerCache(fs)
	fs.Bool("stdio", true, "speak on standard input and output: what editors say, and the only way")
	return &ffcli.Command{
		Name:       "lsp",
		ShortUsage: "pangolin lsp",
		ShortHelp:  "a language server: verdicts, lenses and directives in an editor",
		LongHelp:   lspHelp,
		FlagSet:    fs,
		Exec: func(ctx context.Context, args []string) error {
			if len(args) > 0 {
				return &usageError{"lsp", "lsp takes no arguments"}
			}
			var table []lsp.Directive
			for _, d := range pangolin.Directives() {
				table = append(table, lsp.Directive{Name: d.Directive, Doc: asFlags(d.Doc), Values: d.Values})
			}
			server := lsp.New(&editorJudge{f.request.Search.Cache, f.request.Search.NoCache}, table, version())
			if !server.Serve(ctx, stream{con.in, con.out}) {
				return status(verdict.ExitTool)
			}
			return nil
		},
	}
}

// stream is standard input and output. Who closes it ends reading, if it is a file.
type stream struct {
	io.Reader
	io.Writer
}

func (s stream) Close() error {
	if c, is := s.Reader.(io.Closer); is {
		return c.Close()
	}
	return nil
}

// editorJudge gives verdicts to the language server.
type editorJudge struct {
	cache   string
	noCache bool
}

// request is what verify is asked about a package, or one type of it, with its usual flags.
func (e *editorJudge) request(dir, typ string) pangolin.Request {
	var f verifyFlags
	f.register(flag.NewFlagSet("lsp", flag.ContinueOnError))
	root := moduleOf(dir)
	rel, err := filepath.Rel(root, dir)
	if err != nil {
		root, rel = dir, "."
	}
	r := f.about([]string{"./" + filepath.ToSlash(rel)})
	r.Dir, r.Type = root, typ
	r.Search.Cache, r.Search.NoCache = e.cache, e.noCache
	return r
}

// moduleOf is the directory of the module that a directory belongs to, or the directory itself.
func moduleOf(dir string) string {
	if root := upwards(dir, "go.mod"); root != "" {
		return root
	}
	return dir
}

func (e *editorJudge) Recall(ctx context.Context, dir string) ([]verdict.Collection, []verdict.Verdict, error) {
	found, list, err := pangolin.Recall(ctx, e.request(dir, ""))
	return found, inFlagsAll(list), err
}

func (e *editorJudge) Verify(ctx context.Context, dir, typ string) ([]verdict.Verdict, error) {
	list, err := pangolin.Verify(ctx, e.request(dir, typ))
	return inFlagsAll(list), err
}

func (e *editorJudge) Prove(ctx context.Context, dir, typ string) ([]verdict.Verdict, error) {
	r := e.request(dir, typ)
	r.Engine = methods[0].engine
	list, err := pangolin.Verify(ctx, r)
	return inFlagsAll(list), err
}

func inFlagsAll(list []verdict.Verdict) (out []verdict.Verdict) {
	for _, v := range list {
		out = append(out, saidInFlags(v))
	}
	return out
}

func (e *editorJudge) Replay(ctx context.Context, dir, witness string) (string, error) {
	text, err := os.ReadFile(witness)
	if err != nil {
		return "", err
	}
	w, err := verdict.Parse(text)
	if err != nil {
		return "", err
	}
	if w, err = pangolin.Replay(ctx, moduleOf(dir), w); err != nil {
		return "", err
	}
	file := strings.TrimSuffix(witness, ".json") + ".txt"
	return file, os.WriteFile(file, []byte(asText(w)), 0o666)
}

func (e *editorJudge) Located(dir, file string) string {
	top := filepath.VolumeName(dir) + string(filepath.Separator)
	if name := locatedIn(moduleOf(dir), top)(file); name != "" {
		return filepath.Join(top, filepath.FromSlash(name))
	}
	beside := filepath.Join(dir, filepath.Base(file)) // it was verified in another directory
	if _, err := os.Stat(beside); err == nil && !strings.HasPrefix(file, "prelude/") {
		return beside
	}
	return ""
}

func (e *editorJudge) Text(v verdict.Verdict) string { return asText(v) }

// asText is a result as text of 80 columns.
func asText(result any) string {
	var b strings.Builder
	var o report.Options
	o.Width = width
	r, err := report.New("text", &b, o)
	if err != nil {
		panic(err) // it is registered
	}
	_ = r.Show(result) // a strings.Builder takes everything
	_ = r.Close()
	return strings.Trim(b.String(), "\n")
}
