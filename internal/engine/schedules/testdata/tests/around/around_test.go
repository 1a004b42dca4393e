// Package around has TestMain.
package around

import (
	"flag"
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
