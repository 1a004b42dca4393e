// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/peterbourgon/ff/v3/ffcli"
)

// What the documents call by name exists: commands, and their flags, in code blocks and between backquotes.

// quotation is code in a document: a line of a block, or what stands between backquotes.
type quotation struct {
	line  int
	block bool
	text  string
}

var (
	backquoted = regexp.MustCompile("`[^`]+`")
	spoken     = regexp.MustCompile(`'[^']*'|"[^"]*"|[^\s'"]+`)
	isFlag     = regexp.MustCompile(`^--?([a-z][a-z-]*)(=.*)?$`)
	ends       = []string{"|", "||", "&&", ";", ">", "2>", "#", "&", "=>"}
	testFlag   = regexp.MustCompile(`\b(?:flag|fs)\.\w+\((?:&[\w.]+, )?"([a-z-]+)"`)
)

// flagsOfGo are flags of the go command and of its tests that documents name alone.
var flagsOfGo = []string{"artifacts", "asan", "bench", "buildvcs", "count", "fuzz", "json", "ldflags", "mod", "modfile", "msan", "overlay", "race", "run", "short", "tags", "timeout", "trimpath", "v", "vettool", "x"}

// quotations are the code of a document. Two lines of a block are one where the first ends in a backslash.
func quotations(text string) (list []quotation) {
	var prose strings.Builder
	fenced, continued := false, false
	for i, line := range strings.Split(text, "\n") {
		fence := strings.HasPrefix(strings.TrimSpace(line), "```")
		if fence {
			fenced = !fenced
		}
		block := (fenced || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")) && !fence
		switch code := strings.TrimSuffix(line, "\\"); {
		case block && continued:
			list[len(list)-1].text += code
		case block:
			list = append(list, quotation{i + 1, true, code})
		}
		continued = block && strings.HasSuffix(line, "\\")
		if !block && !fence {
			prose.WriteString(line)
		}
		prose.WriteByte('\n')
	}
	rest := prose.String()
	for _, at := range backquoted.FindAllStringIndex(rest, -1) {
		list = append(list, quotation{1 + strings.Count(rest[:at[0]], "\n"), false, strings.Trim(rest[at[0]:at[1]], "`")})
	}
	return list
}

// commandLines are the words behind each "pangolin" of a quotation that begins a command.
func (q quotation) commandLines() (list [][]string) {
	all := spoken.FindAllString(q.text, -1)
	for i := 0; i < len(all); i++ {
		name := strings.TrimLeft(all[i], "<$(")
		program := name == "pangolin" || name == "./pangolin" || name == "./cmd/pangolin" && i > 1 && all[i-1] == "run"
		begins := i == 0 || name == "./cmd/pangolin" || slices.Contains(ends, all[i-1]) || strings.HasSuffix(all[i-1], ";") || slices.Contains([]string{"$", "!", "time", "hint", "again", "exec", "run:", "-"}, all[i-1]) || all[i] != name
		if !program || !begins {
			continue
		}
		var words []string
		for i++; i < len(all) && !slices.Contains(ends, all[i]); i++ {
			word := all[i]
			words = append(words, strings.TrimRight(word, ",;:)."))
			if strings.HasSuffix(word, ";") || strings.HasSuffix(word, ")") {
				break
			}
		}
		list = append(list, words)
	}
	return list
}

// wrong says what of a quotation does not exist; alone are the flags that may be named without a command.
func (q quotation) wrong(commands map[string]*ffcli.Command, alone map[string]bool) (faults []string) {
	for _, line := range q.commandLines() {
		faults = append(faults, q.unknown(commands, line)...)
	}
	words := spoken.FindAllString(q.text, -1)
	if q.block || len(words) == 0 {
		return faults
	}
	_, isCommand := commands[words[0]]
	switch first := isFlag.FindStringSubmatch(words[0]); {
	case isCommand && slices.ContainsFunc(words[1:], isFlag.MatchString): // `replay -step`
		faults = append(faults, q.unknown(commands, words)...)
	case first != nil && !alone[first[1]]:
		faults = append(faults, "no command has a flag -"+first[1])
	}
	return faults
}

// unknown says what of the words behind "pangolin" does not exist, or is no value of its flag. Between backquotes a flag may be named without its value:
// `prove -html`.
func (q quotation) unknown(commands map[string]*ffcli.Command, words []string) (faults []string) {
	for len(words) > 0 && strings.HasPrefix(words[0], "-C") {
		words = words[min(2, len(words)):]
	}
	if len(words) == 0 || placeholder(words[0]) {
		return nil
	}
	name := words[0]
	if name == "help" && len(words) > 1 && !placeholder(words[1]) && words[1] != "all" {
		if commands[words[1]] == nil {
			return []string{"there is no command " + words[1]}
		}
		return nil
	}
	c, is := commands[name]
	if !is {
		return []string{"there is no command " + name}
	}
	if c == nil {
		return nil
	}
	for i, word := range words {
		words[i] = strings.Trim(word, `'"`)
	}
	_, err := parse(c.FlagSet, words[1:])
	mention := err != nil && !q.block && strings.HasPrefix(err.Error(), "flag needs an argument")
	if err != nil && !mention && !errors.Is(err, flag.ErrHelp) {
		faults = append(faults, fmt.Sprintf("pangolin %s: %v", name, err))
	}
	return faults
}

// placeholder tells a word that stands for others: COMMAND, …, [flags].
func placeholder(word string) bool {
	return word == strings.ToUpper(word) || strings.ContainsAny(word, "…[<(")
}

// existing are the commands, and the flags that may be named alone: of any command, of pangolind, of the project's tests, and of the go command.
func existing(t *testing.T) (commands map[string]*ffcli.Command, alone map[string]bool) {
	commands, alone = map[string]*ffcli.Command{"help": nil, "-version": nil}, map[string]bool{"C": true, "version": true}
	for _, c := range newRoot(&console{}).Subcommands {
		commands[c.Name] = c
		c.FlagSet.VisitAll(func(f *flag.Flag) { alone[f.Name] = true })
	}
	for _, name := range flagsOfGo {
		alone[name] = true
	}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") && !strings.Contains(filepath.ToSlash(path), "internal/test/") && !strings.Contains(filepath.ToSlash(path), "cmd/pangolind/") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range testFlag.FindAllStringSubmatch(string(text), -1) {
			alone[m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return commands, alone
}

// Every command and every flag of the documents exists. CHANGELOG.md tells of former ones.
func TestDocuments_NameCommandsAndFlagsThatExist(t *testing.T) {
	commands, alone := existing(t)
	seen := 0
	for _, pattern := range []string{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "WARTS.md", "doc/*.md", "doc/defects/*.md"} {
		pages, err := filepath.Glob("../../" + pattern)
		if err != nil || len(pages) == 0 {
			t.Fatal(pattern, err)
		}
		for _, page := range pages {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			for _, q := range quotations(string(text)) {
				seen += len(q.commandLines())
				for _, fault := range q.wrong(commands, alone) {
					t.Errorf("%s:%d: %s", strings.TrimPrefix(filepath.ToSlash(page), "../../"), q.line, fault)
				}
			}
		}
	}
	if seen < 200 {
		t.Errorf("only %d command lines were found", seen)
	}
	t.Logf("%d command lines", seen)
}

// What the test of the documents looks for is found where it stands.
func TestDocuments_UnknownCommandsAndFlagsAreFound(t *testing.T) {
	commands, alone := existing(t)
	const page = "Say `pangolin verfy ./x`, or\n`pangolin verify -threds 2\n./x`; `-nosuch 3`; `replay -stap`, `pangolin help verfy`.\n\n" +
		"    $ pangolin prove -x ./y && pangolin -C d run \\\n        -al f.go | head -v\n    import \"pangolin\"\n    pangolin: no command\n    pangolin verify -threads many ./y\n\n" +
		"```\ngo run ./cmd/pangolin nosuch\n```\n\nRight: `pangolin COMMAND -x`, `pangolin verify -new 'New(-x)' ./y`, `-threads 2`, `verify`, `$(pangolin version) -q`, `pangolin help all`.\n"
	want := []string{
		"5: pangolin prove: flag provided but not defined: -x", "5: pangolin run: flag provided but not defined: -al", "9: pangolin verify: invalid value \"many\" for flag -threads: want a range such as 1..3", "12: there is no command nosuch", "1: there is no command verfy",
		"2: pangolin verify: flag provided but not defined: -threds", "3: no command has a flag -nosuch", "3: pangolin replay: flag provided but not defined: -stap", "3: there is no command verfy",
	}
	var got []string
	for _, q := range quotations(page) {
		for _, fault := range q.wrong(commands, alone) {
			got = append(got, fmt.Sprintf("%d: %s", q.line, fault))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
