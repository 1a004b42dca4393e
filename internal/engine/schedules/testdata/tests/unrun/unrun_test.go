// Package unrun has a TestMain that does not run its tests.
package unrun

import "testing"

func TestMain(*testing.M) {}

func TestNotRun(t *testing.T) { t.Error("it is run") }
