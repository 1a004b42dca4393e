// Package around has TestMain.
package around

import (
	"flag"
	"math/rand"
	randv2 "math/rand/v2"
	"os"
	"testing"
)

var prepared bool

func TestMain(m *testing.M) {
	flag.Parse()
	prepared = true
	code := m.Run()
	if os.Getenv("AROUND") != "" {
		code = 0
	}
	os.Exit(code)
}

func TestPrepared(t *testing.T) {
	if !prepared {
		t.Error("TestMain was not executed")
	}
}

func TestFails(t *testing.T) { t.Error("always") }

func TestForgiven(t *testing.T) {
	os.Setenv("AROUND", "1")
	t.Error("TestMain looks away")
}

func TestSkipped(t *testing.T) { t.Skip("always") }

func TestDraws(t *testing.T) {
	seen := map[int]bool{}
	for range 200 {
		seen[rand.Intn(50)], seen[50+randv2.IntN(50)] = true, true
	}
	if len(seen) < 80 {
		t.Errorf("%d numbers of 100", len(seen))
	}
	rand.Shuffle(30, func(int, int) {})
	randv2.Shuffle(30, func(int, int) {})
}
