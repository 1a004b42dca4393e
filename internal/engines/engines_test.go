// SPDX-License-Identifier: BSD-3-Clause

package engines

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pangolin/internal/test/level"
)

// sketch is an engine that knows nothing: its whole directory.
const sketch = `package sketch

import (
	"context"

	"pangolin/internal/engine"
	"pangolin/verdict"
)

// Engine is this package as an engine.
func Engine() engine.Engine {
	return engine.Engine{Name: "sketch", Doc: "knows nothing", Run: func(_ context.Context, j *engine.Job, _ engine.Events) (verdict.Verdict, error) {
		return verdict.Verdict{Status: verdict.Unknown, Reason: "this engine has not looked at " + j.Subject.Operations[0].Name}, nil
	}}
}
`

// An engine needs its directory and a line in this package. It then has all flags, a place
// in the help text, JSON, text and an exit code. The program is built with such an engine
// laid over its source.
func TestAll_AnEngineIsADirectoryAndALine(t *testing.T) {
	level.SkipShort(t, "builds the command")
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile("engines.go")
	if err != nil {
		t.Fatal(err)
	}
	line := strings.Replace(string(list), "\t\tpoints.Usual(),\n", "\t\tpoints.Usual(),\n\t\tsketch.Engine(),\n", 1)
	line = strings.Replace(line, "\"pangolin/internal/engine/outcomes\"\n", "\"pangolin/internal/engine/outcomes\"\n\t\"pangolin/internal/engine/sketch\"\n", 1)
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return file
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{
		filepath.Join(root, "internal/engines/engines.go"):      write("engines.go", line),
		filepath.Join(root, "internal/engine/sketch/sketch.go"): write("sketch.go", sketch),
	}})
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "pangolin")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-overlay", write("overlay.json", string(overlay)), "-o", binary, "./cmd/pangolin")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := func(code int, args ...string) string {
		cmd := exec.Command(binary, args...)
		cmd.Dir = root
		out, err := cmd.Output()
		var exit *exec.ExitError
		switch {
		case errors.As(err, &exit) && exit.ExitCode() == code, err == nil && code == 0:
			return string(out)
		}
		t.Fatalf("%q: %v, want exit code %d\n%s", args, err, code, out)
		return ""
	}

	var v struct{ Engine, Verdict, Reason, Property string }
	text := run(3, "verify", "-engine", "sketch", "-property", "sc", "-threads", "1..2", "-json", "./collections/stack.LockFreeStack")
	if err := json.Unmarshal([]byte(text), &v); err != nil || v.Engine != "sketch" || v.Verdict != "unknown" || v.Property != "sc" ||
		v.Reason != "this engine has not looked at Push" {
		t.Errorf("%v in %s", err, text)
	}
	if text := run(3, "verify", "-engine=sketch", "./collections/stack.LockFreeStack"); !strings.Contains(text, "unknown") || !strings.Contains(text, "has not looked") {
		t.Errorf("as text: %s", text)
	}
	if text := run(0, "help", "verify"); !strings.Contains(text, "sketch, knows nothing") {
		t.Errorf("help: %s", text)
	}
	run(2, "verify", "-engine=none", "./collections/stack.LockFreeStack")
	run(0, "verify", "-config=A", "./collections/stack.LockFreeStack")
}

func TestFind_TellsProgramsFromCollections(t *testing.T) {
	for _, c := range []struct {
		name    string
		program bool
		found   string
		err     string
	}{
		{"", false, "bounded", ""}, {"", true, "outcomes", ""}, {"bounded", false, "bounded", ""},
		{"bounded", true, "", "the engine bounded is for collections"}, {"outcomes", false, "", "the engine outcomes is for programs"},
		{"magic", false, "", `there is no engine "magic": choose from bounded`},
	} {
		e, err := Find(c.name, c.program)
		if e.Name != c.found || (err == nil) != (c.err == "") || err != nil && !strings.HasPrefix(err.Error(), c.err) {
			t.Errorf("%+v: %q, %v", c, e.Name, err)
		}
	}
}
