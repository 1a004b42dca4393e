package front

import (
	"context"
	"os"
	"strings"
	"testing"
)

func TestScratch(t *testing.T) {
	for _, pat := range strings.Fields(os.Getenv("SCRATCH")) {
		p, err := Load(context.Background(), Request{Patterns: []string{pat}, Roots: []string{"main"}})
		if err != nil {
			t.Error(pat, err)
			continue
		}
		if err := p.Check(); err != nil {
			t.Error(pat, err)
		}
		if os.Getenv("PRINT") != "" {
			p.Print(os.Stdout)
		}
	}
}
