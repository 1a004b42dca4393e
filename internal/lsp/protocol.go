// SPDX-License-Identifier: BSD-3-Clause

package lsp

import (
	"net/url"
	"path/filepath"
	"strings"
	"unicode/utf16"
)

// The messages of the Language Server Protocol 3.17 that the server reads and writes, with the fields that it uses. Numbers of lines and columns
// begin at 0; columns count UTF-16 code units.

type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

type initializeParams struct {
	Capabilities struct {
		Window struct {
			WorkDoneProgress bool `json:"workDoneProgress"`
			ShowDocument     struct {
				Support bool `json:"support"`
			} `json:"showDocument"`
		} `json:"window"`
		Workspace struct {
			CodeLens struct {
				RefreshSupport bool `json:"refreshSupport"`
			} `json:"codeLens"`
		} `json:"workspace"`
	} `json:"capabilities"`
	Options struct {
		Verify string `json:"verify"` // onSave, or onDemand
	} `json:"initializationOptions"`
}

type documentParams struct {
	TextDocument struct {
		URI  string `json:"uri"`
		Text string `json:"text"`
	} `json:"textDocument"`
	Position       position `json:"position"`
	ContentChanges []struct {
		Text string `json:"text"`
	} `json:"contentChanges"`
}

type diagnostic struct {
	Range    span      `json:"range"`
	Severity int       `json:"severity"`
	Code     string    `json:"code,omitempty"`
	Source   string    `json:"source"`
	Message  string    `json:"message"`
	Related  []related `json:"relatedInformation,omitempty"`
}

const (
	severityError       = 1
	severityInformation = 3
)

type related struct {
	Location location `json:"location"`
	Message  string   `json:"message"`
}

type publishParams struct {
	URI         string       `json:"uri"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type codeLens struct {
	Range   span    `json:"range"`
	Command command `json:"command"`
}

type command struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments,omitempty"`
}

type executeParams struct {
	Command   string   `json:"command"`
	Arguments []string `json:"arguments"`
}

type hover struct {
	Contents struct {
		Kind  string `json:"kind"`
		Value string `json:"value"`
	} `json:"contents"`
}

type completionItem struct {
	Label         string    `json:"label"`
	Kind          int       `json:"kind"`
	Documentation string    `json:"documentation,omitempty"`
	Edit          *textEdit `json:"textEdit,omitempty"`
}

const (
	kindKeyword = 14
	kindValue   = 12
)

type textEdit struct {
	Range span   `json:"range"`
	Text  string `json:"newText"`
}

type progressParams struct {
	Token string        `json:"token"`
	Value progressValue `json:"value"`
}

type progressValue struct {
	Kind        string `json:"kind"`
	Title       string `json:"title,omitempty"`
	Message     string `json:"message,omitempty"`
	Cancellable bool   `json:"cancellable,omitempty"`
}

type messageParams struct {
	Type    int    `json:"type"`
	Message string `json:"message"`
}

const (
	messageError = 1
	messageInfo  = 3
)

// pathOf is the file of a URI; "" if it is none.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	path := u.Path
	if len(path) > 2 && path[0] == '/' && path[2] == ':' { // file:///C:/x.go
		path = path[1:]
	}
	return filepath.FromSlash(path)
}

// uriOf is the URI of a file.
func uriOf(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// offset is the number of bytes of a line before a column.
func offset(line string, column int) int {
	for i, r := range line {
		if column <= 0 {
			return i
		}
		column -= utf16.RuneLen(r)
	}
	return len(line)
}

// column is the column at a number of bytes of a line.
func column(line string, at int) (n int) {
	for _, r := range line[:at] {
		n += utf16.RuneLen(r)
	}
	return n
}

// lineOf is a line of a text, without its end; "" if there is none.
func lineOf(text string, number int) string {
	for range number {
		_, rest, more := strings.Cut(text, "\n")
		if !more {
			return ""
		}
		text = rest
	}
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSuffix(line, "\r")
}
