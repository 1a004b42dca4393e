// SPDX-License-Identifier: BSD-3-Clause

package corpus

import (
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/test/level"
)

func TestNativeOutcome_ReadsAPanicWithoutItsTraces(t *testing.T) {
	o := NativeOutcome("out\n", "log\npanic: boom [recovered]\n\tpanic: main.T{0xc000012}\n"+
		"[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x48]\n\ngoroutine 1 [running]:\nmain.main()\n", 2)
	want := Outcome{Stdout: "out\n", Stderr: "log\n", Exit: 2, Panic: "panic: boom [recovered]\n\tpanic: main.T{0x?}"}
	if o.String() != want.String() {
		t.Errorf("got %s", o)
	}
}

func TestNativeOutcome_ReadsADeadlockWithItsWaits(t *testing.T) {
	o := NativeOutcome("", "fatal error: all goroutines are asleep - deadlock!\n\n"+
		"goroutine 1 [sync.WaitGroup.Wait]:\nx()\n\ngoroutine 5 [chan receive (nil chan), 2 minutes]:\ny()\n", 2)
	if !o.Deadlock || o.Panic != "" || !slices.Equal(o.Waits, []string{"chan receive (nil chan)", "sync.WaitGroup.Wait"}) {
		t.Errorf("got %s waiting for %q", o, o.Waits)
	}
}

func TestNativeOutcome_LeavesAlonePanicsThatAProgramOnlyPrints(t *testing.T) {
	if o := NativeOutcome("", "panic: not really\n", 0); o.Panic != "" || o.Stderr == "" {
		t.Errorf("got %s", o)
	}
}

func TestPerturb_InsertsBeforeEveryStatementAndStillParses(t *testing.T) {
	got, err := Perturb("package main\n\nfunc main() {\n\tx := 1\nL:\n\tfor x < 3 {\n\t\tswitch x {\n\t\tcase 1:\n\t\t\tcontinue L\n\t\t}\n\t}\n\tfunc() { x++ }()\n}\n")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(got, "fidelityYield(); "); n != 6 {
		t.Errorf("%d insertions in\n%s", n, got)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "", got, 0); err != nil {
		t.Error(err)
	}
}

func TestRunNative_SeesBothOrdersAndTheTimeLimit(t *testing.T) {
	level.SkipShort(t, "compiles programs natively")
	programs := []Program{
		{Name: "orders", Source: "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tc := make(chan int)\n\tgo func() { c <- 1 }()\n\tgo func() { c <- 2 }()\n\tfmt.Println(<-c)\n}\n"},
		{Name: "endless", Source: "package main\n\nfunc main() {\n\tfor {\n\t}\n}\n"},
	}
	got, err := RunNative(programs, NativeOptions{Module: moduleRoot, Work: t.TempDir(), Runs: 60, Timeout: 1e9})
	if err != nil {
		t.Fatal(err)
	}
	if missing := minus(outcomes(t, `"1\n"`, `"2\n"`), got[0]); len(missing) > 0 {
		t.Errorf("60 runs never gave %v", missing)
	}
	if !slices.ContainsFunc(got[1], func(o Outcome) bool { return o.Endless }) {
		t.Errorf("an endless loop gave %v", got[1])
	}
}

func TestRunNative_FailsWithTheCompilersMessage(t *testing.T) {
	level.SkipShort(t, "compiles a program natively")
	_, err := RunNative([]Program{{Name: "bad", Source: "package main\n\nfunc main() { x := 1 }\n"}},
		NativeOptions{Module: moduleRoot, Work: t.TempDir()})
	if err == nil || !strings.Contains(err.Error(), "declared and not used: x") {
		t.Errorf("error: %v", err)
	}
}
