// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/coreos/go-oidc/v3/oidc/oidctest"

	"pangolin/internal/test/level"
)

// A server whose clients have ID tokens of an issuer.

// provider is an issuer, and what makes tokens of it with some claims that end at a time.
func provider(t *testing.T) (url string, token func(claims string, expires time.Time) string) {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	s := &oidctest.Server{PublicKeys: []oidctest.PublicKey{{PublicKey: key.Public(), KeyID: "k", Algorithm: oidc.RS256}}}
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	s.SetIssuer(h.URL)
	return h.URL, func(claims string, expires time.Time) string {
		return oidctest.SignIDToken(key, "k", oidc.RS256, fmt.Sprintf(`{"iss":%q,"aud":"pangolin","sub":"u17","iat":%d,"exp":%d%s}`, h.URL, time.Now().Unix(), expires.Unix(), claims))
	}
}

// A server that cannot tell whose tokens count does not start, and says what is missing.
func TestServe_SaysWhatItsIssuerLacks(t *testing.T) {
	issuer, _ := provider(t)
	gone := httptest.NewServer(nil)
	gone.Close()
	tokens := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(tokens, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		why  string
		args []string
	}{
		{"-oidc-issuer without -oidc-audience", []string{"-tokens", tokens, "-oidc-issuer", issuer}},
		{"want -oidc-issuer URL", []string{"-tokens", tokens, "-oidc-audience", "pangolin"}},
		{"want -oidc-issuer URL", []string{"-tokens", tokens, "-oidc-claim", "groups=verifiers"}},
		{"want -tokens FILE", []string{"-oidc-issuer", issuer, "-oidc-audience", "pangolin"}},
		{"CLAIM=VALUE", []string{"-tokens", tokens, "-oidc-issuer", issuer, "-oidc-audience", "pangolin", "-oidc-claim", "verifiers"}},
		{"want https://", []string{"-tokens", tokens, "-oidc-issuer", "http://accounts.example.org", "-oidc-audience", "pangolin"}},
		{"connection refused", []string{"-tokens", tokens, "-oidc-issuer", gone.URL, "-oidc-audience", "pangolin"}},
		{fmt.Sprintf("calls itself %q", issuer), []string{"-tokens", tokens, "-oidc-issuer", issuer + "/", "-oidc-audience", "pangolin"}},
	} {
		if text := refused(t, c.args...); !strings.Contains(text, c.why) {
			t.Errorf("%q: %s", c.args, text)
		}
	}
}

// refused is what a server says that does not start.
func refused(t *testing.T, args ...string) string {
	t.Helper()
	bin, err := commands()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute) // one that does start is killed
	defer stop()
	c := exec.CommandContext(ctx, filepath.Join(bin, "pangolind"), append([]string{"serve", "-addr", "127.0.0.1:0", "-dir", t.TempDir()}, args...)...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	_ = c.Run()
	text := errs.String()
	if c.ProcessState.ExitCode() != exitTool || out.Len() > 0 || strings.Count(text, "\n") != 1 && !strings.HasPrefix(text, "invalid value") {
		t.Errorf("%q: exit code %d, %s%s", args, c.ProcessState.ExitCode(), out.String(), text)
	}
	return text
}

// A client with an ID token in a file has results of the farm; when the token has expired it is told so, and a new one in the file counts at once.
func TestServe_ServesPeople(t *testing.T) {
	level.SkipShort(t, "a farm, and three runs of the command")
	issuer, token := provider(t)
	dir := t.TempDir()
	tokens, file := filepath.Join(dir, "tokens"), filepath.Join(dir, "id")
	var secret, errs bytes.Buffer
	if code := execute(t.Context(), []string{"token", "-tokens", tokens, "-name", "rack", "-role", "worker"}, &console{out: &secret, err: &errs}); code != 0 {
		t.Fatal(errs.String())
	}
	f := install(t, 0, "-tokens", tokens, "-oidc-issuer", issuer, "-oidc-audience", "pangolin", "-oidc-claim", "groups=verifiers")
	t.Setenv("PANGOLIN_TOKEN", strings.TrimSpace(secret.String()))
	f.workers = append(f.workers, f.worker())
	t.Setenv("PANGOLIN_TOKEN", "")
	t.Setenv("PANGOLIN_TOKEN_FILE", file)
	const ours = `,"groups":["verifiers"],"email":"ada@example.org","email_verified":true`
	for _, c := range []struct {
		token string
		code  int
		why   string
	}{
		{token(ours, time.Now().Add(time.Hour)), 0, ""},
		{token(`,"groups":["others"]`, time.Now().Add(time.Hour)), 2, `its claim groups is not "verifiers"`},
		{token(ours, time.Now().Add(-time.Minute)), 2, "it has expired at "},
		{token(ours, time.Now().Add(time.Minute)), 0, ""},
	} {
		if err := os.WriteFile(file, []byte(c.token+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		p := f.pangolin(".", "verify", "-threads", "2", "-steps", "1..2", "-on", f.url(), "pangolin/collections/stack.LockFreeStack")
		if p.code != c.code || !strings.Contains(p.err, c.why) {
			t.Errorf("exit code %d, want %d and %q: %s%s", p.code, c.code, c.why, p.out, p.err)
		}
	}
	t.Setenv("PANGOLIN_TOKEN", "x")
	if p := f.pangolin(".", "verify", "-on", f.url(), "pangolin/collections/stack.LockFreeStack"); p.code != 2 || !strings.Contains(p.err, "want one of them") {
		t.Errorf("two tokens: exit code %d, %s", p.code, p.err)
	}
	t.Setenv("PANGOLIN_TOKEN", "")
	// With an ID token nobody becomes a worker.
	w := f.start("worker", "-on", f.url())
	if err := w.Wait(); err == nil || !strings.Contains(string(f.said()), "role worker") {
		t.Errorf("a worker with an ID token: %v, %s", err, f.said())
	}
	// A browser shows the token as a password, and asks the user for another one when it is refused.
	for password, want := range map[string]int{token(ours, time.Now().Add(time.Minute)): http.StatusOK, token(ours, time.Now().Add(-time.Minute)): http.StatusUnauthorized} {
		r, err := http.NewRequest("GET", f.url(), nil)
		if err != nil {
			t.Fatal(err)
		}
		r.SetBasicAuth("ada", password)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want || want != http.StatusOK && !strings.HasPrefix(resp.Header.Get("WWW-Authenticate"), "Basic") {
			t.Errorf("the page: status %d, want %d", resp.StatusCode, want)
		}
	}
}
