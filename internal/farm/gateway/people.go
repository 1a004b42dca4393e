// SPDX-License-Identifier: BSD-3-Clause

package gateway

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/time/rate"

	"pangolin/internal/farm"
)

// People are users whom an OpenID Connect issuer knows. They show its ID tokens, and may do what clients may. No claim makes a worker of
// them: only who has a token of the server's own file writes results.
type People struct {
	issuer, audience string
	claims           []Claim
	keys             keys
	pace             *rate.Limiter // of requests to the issuer
}

// Claim is what has to stand in an ID token: the claim is the value, or a list in which the value is.
type Claim struct{ Name, Value string }

// algorithms are those of signatures that the issuer alone can make: "none" and HMAC are not among them.
var algorithms = []string{oidc.RS256, oidc.RS384, oidc.RS512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.EdDSA}

const (
	// ahead is how far the issuer's clock may be ahead of this one: the library's figure for the claim nbf, and that for iat here. A token ends
	// at its exp by this clock.
	ahead = 5 * time.Minute
	// keysLast is for how long a key counts that the issuer does not publish any more.
	keysLast = time.Hour
	// largestPublished is the greatest size in bytes of what is read of an issuer.
	largestPublished = 1 << 20
)

// Discover asks an issuer where its keys are. Tokens count if they are for the audience, which is the name that the issuer has for this farm.
func Discover(ctx context.Context, issuer, audience string, claims []Claim) (*People, error) {
	if err := untouched(issuer); err != nil {
		return nil, err
	}
	pace := rate.NewLimiter(1, 2)
	ctx = oidc.ClientContext(ctx, &http.Client{
		Timeout:       10 * time.Second,
		CheckRedirect: func(r *http.Request, _ []*http.Request) error { return untouched(r.URL.String()) },
		Transport:     &paced{pace}, // else who sends tokens with keys of no issuer has it asked as often
	})
	provider, err := oidc.NewProvider(ctx, issuer)
	var other *oidc.IssuerMismatchError
	switch {
	case errors.As(err, &other):
		return nil, fmt.Errorf("%s calls itself %q: use that name", issuer, other.Discovered)
	case err != nil:
		why, _, _ := strings.Cut(err.Error(), "\n")
		return nil, fmt.Errorf("%s does not say how its tokens are checked (OpenID Connect Discovery): %.300s", issuer, why)
	}
	var published struct {
		Keys string `json:"jwks_uri"`
	}
	if err := provider.Claims(&published); err != nil {
		return nil, err
	}
	if err := untouched(published.Keys); err != nil {
		return nil, fmt.Errorf("%s says where its keys are: %w", issuer, err)
	}
	return &People{issuer: issuer, audience: audience, claims: claims, keys: keys{ctx: ctx, url: published.Keys, last: keysLast}, pace: pace}, nil
}

// untouched says what is wrong with an address if others could change what comes from there.
func untouched(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return fmt.Errorf("%q is no address: want one such as https://accounts.example.com", address)
	}
	if u.Scheme == "http" && !farm.Loopback(u.Hostname()) {
		return fmt.Errorf("what comes from %s is not protected by TLS: want https://", address)
	}
	return nil
}

// paced sends requests no faster than a limit, and reads no more than largestPublished of each answer.
type paced struct{ *rate.Limiter }

func (p *paced) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := p.Wait(r.Context()); err != nil {
		return nil, err
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err == nil {
		resp.Body = http.MaxBytesReader(nil, resp.Body, largestPublished)
	}
	return resp, err
}

// keys are those that an issuer publishes. They are asked for when a token is signed with one that is not known, and all of them again
// after some time, since a key that is withdrawn shows in no token.
type keys struct {
	ctx  context.Context // has the client for requests, as the library wants it
	url  string
	last time.Duration

	mu    sync.Mutex
	set   *oidc.RemoteKeySet
	since time.Time
}

func (k *keys) current() *oidc.RemoteKeySet {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.set == nil || time.Since(k.since) > k.last {
		k.set, k.since = oidc.NewRemoteKeySet(k.ctx, k.url), time.Now()
	}
	return k.set
}

// check is one check of a signature. The verifier does not pass on what the failure was.
type check struct {
	*oidc.RemoteKeySet
	err error
}

func (c *check) VerifySignature(ctx context.Context, token string) (payload []byte, err error) {
	payload, c.err = c.RemoteKeySet.VerifySignature(ctx, token)
	return payload, c.err
}

// errUnasked says that the issuer could not be asked for its keys: the same token may be accepted later.
var errUnasked = errors.New("the issuer cannot be asked for its keys")

// name checks an ID token, and gives the name of who it was issued to: the email address, if the issuer has verified it, else the subject.
// Nothing depends on the name; it is shown to people.
func (p *People) name(ctx context.Context, secret string) (string, error) {
	signature := &check{RemoteKeySet: p.keys.current()}
	token, err := oidc.NewVerifier(p.issuer, signature, &oidc.Config{ClientID: p.audience, SupportedSigningAlgs: algorithms}).Verify(ctx, secret)
	var expired *oidc.TokenExpiredError
	switch {
	case errors.As(err, &expired):
		return "", fmt.Errorf("it has expired at %s", expired.Expiry.UTC().Format(time.DateTime))
	case signature.err != nil && strings.HasPrefix(signature.err.Error(), "fetching keys"):
		return "", fmt.Errorf("%w: %w", errUnasked, signature.err)
	case signature.err != nil:
		return "", fmt.Errorf("it is signed with no key of %s", p.issuer)
	case err != nil:
		return "", errors.New(strings.TrimPrefix(err.Error(), "oidc: "))
	case token.Subject == "":
		return "", errors.New("it does not say whose it is (sub)")
	case token.IssuedAt.After(time.Now().Add(ahead)):
		return "", fmt.Errorf("it is issued at %s, which is later than now", token.IssuedAt.UTC().Format(time.DateTime))
	}
	var said map[string]any
	if err := token.Claims(&said); err != nil {
		return "", err
	}
	for _, c := range p.claims {
		if !c.in(said) {
			return "", fmt.Errorf("its claim %s is not %q", c.Name, c.Value)
		}
	}
	if email, _ := said["email"].(string); email != "" && said["email_verified"] == true {
		return email, nil
	}
	return token.Subject, nil
}

// in says whether a token has the claim.
func (c *Claim) in(said map[string]any) bool {
	is := func(v any) bool {
		switch v := v.(type) {
		case string:
			return v == c.Value
		case bool:
			return strconv.FormatBool(v) == c.Value
		}
		return false
	}
	list, _ := said[c.Name].([]any)
	return is(said[c.Name]) || slices.ContainsFunc(list, is)
}
