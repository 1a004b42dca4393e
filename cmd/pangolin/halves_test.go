// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// besides is the environment variable of a process of the test that executes every second script. Within a process scripts run one after the other
// (inprocess_test.go), so two processes take half the time.
const besides = "PANGOLIN_SCRIPTS_BESIDE"

// share leaves to this process every second script of the directory, and begins the process that executes the others, unless this is that one.
// The function that it returns waits for it.
func share(t *testing.T, p *testscript.Params) (wait func()) {
	files, err := filepath.Glob(p.Dir + "/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	first := 0
	if os.Getenv(besides) != "" {
		first = 1
	}
	var mine []string
	for i, file := range files {
		if i%2 == first {
			mine = append(mine, file)
		}
		if _, err := os.ReadFile(file); err != nil { // so that go test runs this test again when a script of the other process has changed
			t.Fatal(err)
		}
	}
	p.Dir, p.Files = "", mine
	if first == 1 {
		return func() {}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, sameTest(t, os.Args[1:])...)
	cmd.Env = append(os.Environ(), besides+"=1")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return func() {
		err := cmd.Wait()
		if err != nil || testing.Verbose() {
			t.Logf("the other half of the scripts:\n%s", out.String())
		}
		if err != nil {
			t.Errorf("the other half of the scripts: %v", err)
		}
	}
}

// sameTest are the arguments of a process that runs this test alone, and of its scripts those that -run names. It writes no profiles.
func sameTest(t *testing.T, args []string) []string {
	run := "^" + t.Name() + "$"
	if _, scripts, is := strings.Cut(flag.Lookup("test.run").Value.String(), "/"); is {
		run += "/" + scripts
	}
	return append(slices.Clone(args), "-test.run="+run, "-test.testlogfile=", "-test.coverprofile=", "-test.cpuprofile=", "-test.memprofile=") // the last one of a flag counts
}
