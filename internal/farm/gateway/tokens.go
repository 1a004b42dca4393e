// SPDX-License-Identifier: BSD-3-Clause

package gateway

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// Role is what the holder of a token may do.
type Role string

// The roles.
const (
	Client Role = "client" // send orders, and look
	Labour Role = "worker" // take tasks, and store results
)

// Tokens are those that a file lists, a line each: a name, a role, the SHA-256 of the token in
// hexadecimal, and the day behind which it is no longer accepted. The file is read again when it
// has changed, so a line that is removed is a token that is withdrawn.
type Tokens struct {
	Path string

	mu   sync.Mutex
	read time.Time // when the file that was read was changed last
	size int64
	list []token
}

type token struct {
	name    string
	role    Role
	digest  [sha256.Size]byte
	expires time.Time
}

// day is the form of a date in the file.
const day = time.DateOnly

// load reads the file, if it has changed. The caller holds the mutex.
func (t *Tokens) load() error {
	info, err := os.Stat(t.Path)
	if err != nil {
		return err
	}
	if info.ModTime().Equal(t.read) && info.Size() == t.size {
		return nil
	}
	text, err := os.ReadFile(t.Path)
	if err != nil {
		return err
	}
	var list []token
	lines := bufio.NewScanner(strings.NewReader(string(text)))
	for n := 1; lines.Scan(); n++ {
		if line := strings.TrimSpace(lines.Text()); line != "" && !strings.HasPrefix(line, "#") {
			one, err := parseToken(line)
			if err != nil {
				return fmt.Errorf("%s:%d: %w", t.Path, n, err)
			}
			list = append(list, one)
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	t.list, t.read, t.size = list, info.ModTime(), info.Size()
	return nil
}

func parseToken(line string) (one token, err error) {
	words := strings.Fields(line)
	if len(words) != 4 || words[1] != string(Client) && words[1] != string(Labour) {
		return one, errors.New("want a name, client or worker, a SHA-256, and a date such as 2027-01-31")
	}
	sum, err := hex.DecodeString(words[2])
	if err != nil || len(sum) != sha256.Size {
		return one, errors.New("the third word is no SHA-256 in hexadecimal")
	}
	expires, err := time.Parse(day, words[3])
	if err != nil {
		return one, fmt.Errorf("the fourth word is no date such as 2027-01-31")
	}
	return token{words[0], Role(words[1]), [sha256.Size]byte(sum), expires.AddDate(0, 0, 1)}, nil
}

// Check reads the file, and says what is wrong with it.
func (t *Tokens) Check() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.load()
}

// caller is who sends a request.
type caller struct {
	name  string // for people
	roles []Role
}

// holder is who holds a token now; nil: nobody. A file that cannot be read has nobody's tokens.
func (t *Tokens) holder(secret string) (c *caller) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.load() != nil {
		return nil
	}
	sum := sha256.Sum256([]byte(secret))
	for _, one := range t.list {
		if subtle.ConstantTimeCompare(one.digest[:], sum[:]) == 1 && time.Now().Before(one.expires) {
			if c == nil {
				c = &caller{name: one.name}
			}
			c.roles = append(c.roles, one.role)
		}
	}
	return c
}

// Issue makes a token, and gives the line for the file.
func Issue(name string, role Role, expires time.Time) (secret, line string, err error) {
	if name == "" || strings.ContainsAny(name, " \t\n#") {
		return "", "", fmt.Errorf("-name %q: want a word", name)
	}
	if role != Client && role != Labour {
		return "", "", fmt.Errorf("-role %q: want client or worker", role)
	}
	secret = "pangolin-" + rand.Text()
	sum := sha256.Sum256([]byte(secret))
	return secret, fmt.Sprintf("%s %s %x %s\n", name, role, sum, expires.Format(day)), nil
}

// secretOf is the token of a request.
func secretOf(r *http.Request) (secret string, given bool) {
	if _, password, basic := r.BasicAuth(); basic { // a browser, which asks the user
		return password, true
	}
	return strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
}

// denial is why a request is not served: a status, and a sentence.
type denial struct {
	status int
	text   string
}

// caller is who sends a request, by its token.
func (g *Gateway) caller(r *http.Request) (*caller, *denial) {
	secret, given := secretOf(r)
	if !given {
		return nil, &denial{http.StatusUnauthorized, "this farm wants a token (the environment variable PANGOLIN_TOKEN)"}
	}
	if c := g.Tokens.holder(secret); c != nil {
		return c, nil
	}
	if g.People == nil || strings.Count(secret, ".") != 2 { // no ID token, which has three parts
		return nil, &denial{http.StatusUnauthorized, "the token is unknown, withdrawn or expired (PANGOLIN_TOKEN)"}
	}
	name, err := g.People.name(r.Context(), secret)
	switch {
	case errors.Is(err, errUnasked):
		return nil, &denial{http.StatusServiceUnavailable, err.Error()}
	case err != nil:
		return nil, &denial{http.StatusUnauthorized, fmt.Sprintf("the ID token is not accepted (PANGOLIN_TOKEN): %v", err)}
	}
	return &caller{name, []Role{Client}}, nil
}

// calls is the key of a request's caller in its context.
type calls struct{}

// only serves a request if its token has one of some roles.
func (g *Gateway) only(serve http.HandlerFunc, roles ...Role) http.HandlerFunc {
	if g.Tokens == nil {
		return serve
	}
	return func(w http.ResponseWriter, r *http.Request) {
		c, refused := g.caller(r)
		switch {
		case refused != nil:
			if refused.status == http.StatusUnauthorized {
				w.Header().Set("WWW-Authenticate", `Basic realm="pangolind: any name, and a token"`) // makes a browser ask the user
			}
			http.Error(w, refused.text, refused.status)
		case !slices.ContainsFunc(c.roles, func(role Role) bool { return slices.Contains(roles, role) }):
			http.Error(w, fmt.Sprintf("the token is not for this: want one with the role %s", roles[0]), http.StatusForbidden)
		default:
			serve(w, r.WithContext(context.WithValue(r.Context(), calls{}, c)))
		}
	}
}
