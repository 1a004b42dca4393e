// SPDX-License-Identifier: BSD-3-Clause

package gateway

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"pangolin/internal/farm"
)

// ID tokens of an issuer, which is here made by hand: its documents and tokens, without the library that reads them.

// issuer is a provider of OpenID Connect, as far as tokens are concerned.
type issuer struct {
	*httptest.Server
	mu    sync.Mutex
	keys  []map[string]string // as they are published
	asked int                 // how often it was asked for its keys
	away  bool
	says  map[string]any // its own description
}

func newIssuer(t *testing.T, keys ...map[string]string) *issuer {
	i := &issuer{keys: keys}
	i.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i.mu.Lock()
		defer i.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/.well-known/openid-configuration":
			_ = json.NewEncoder(w).Encode(i.says)
		case "/keys":
			if i.asked++; i.away {
				http.Error(w, "<html>\nout of order", http.StatusBadGateway)
				return
			}
			_ = json.NewEncoder(w).Encode(map[string]any{"keys": i.keys})
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(i.Close)
	i.says = map[string]any{"issuer": i.URL, "jwks_uri": i.URL + "/keys", "id_token_signing_alg_values_supported": []string{"RS256", "ES256", "HS256", "none"}}
	return i
}

func (i *issuer) publish(keys ...map[string]string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keys = keys
}

func encoded(text []byte) string { return base64.RawURLEncoding.EncodeToString(text) }

func published(t *testing.T, id string, key crypto.PublicKey) map[string]string {
	t.Helper()
	switch k := key.(type) {
	case *rsa.PublicKey:
		return map[string]string{"kty": "RSA", "kid": id, "n": encoded(k.N.Bytes()), "e": "AQAB"}
	case *ecdsa.PublicKey:
		point, err := k.Bytes() // 4, then both coordinates
		if err != nil {
			t.Fatal(err)
		}
		half := len(point) / 2
		return map[string]string{"kty": "EC", "kid": id, "crv": k.Params().Name, "x": encoded(point[1 : 1+half]), "y": encoded(point[1+half:])}
	case ed25519.PublicKey:
		return map[string]string{"kty": "OKP", "kid": id, "crv": "Ed25519", "x": encoded(k)}
	}
	t.Fatalf("a key of type %T", key)
	return nil
}

// claims are a map with changes; a change to nil removes.
type claims map[string]any

func (c claims) with(changes claims) claims {
	all := maps.Clone(c)
	maps.Copy(all, changes)
	maps.DeleteFunc(all, func(_ string, v any) bool { return v == nil })
	return all
}

// forged is a token with a signature that a function makes.
func forged(t *testing.T, header, said claims, sign func(text []byte) []byte) string {
	t.Helper()
	h, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	c, err := json.Marshal(said)
	if err != nil {
		t.Fatal(err)
	}
	text := encoded(h) + "." + encoded(c)
	return text + "." + encoded(sign([]byte(text)))
}

// signed is a token that is signed as its algorithm wants it.
func signed(t *testing.T, key crypto.Signer, header, said claims) string {
	t.Helper()
	return forged(t, header, said, func(text []byte) []byte {
		alg := fmt.Sprint(header["alg"])
		hash := map[string]crypto.Hash{"256": crypto.SHA256, "384": crypto.SHA384, "512": crypto.SHA512, "DSA": 0}[alg[2:]]
		digest := text
		if hash != 0 {
			h := hash.New()
			h.Write(text)
			digest = h.Sum(nil)
		}
		var signature []byte
		var err error
		switch k := key.(type) {
		case *rsa.PrivateKey:
			if signature, err = rsa.SignPKCS1v15(nil, k, hash, digest); alg[0] == 'P' {
				signature, err = rsa.SignPSS(rand.Reader, k, hash, digest, &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash})
			}
		case *ecdsa.PrivateKey:
			r, s, failed := ecdsa.Sign(rand.Reader, k, digest)
			if err = failed; err == nil {
				size := (k.Params().BitSize + 7) / 8
				signature = append(r.FillBytes(make([]byte, size)), s.FillBytes(make([]byte, size))...)
			}
		default:
			signature, err = key.Sign(rand.Reader, digest, crypto.Hash(0))
		}
		if err != nil {
			t.Fatal(err)
		}
		return signature
	})
}

// asked is a request to a gateway with a token: the answer's status and text.
func asked(t *testing.T, g *Gateway, method, path, token string) (int, string) {
	t.Helper()
	w, r := httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader("{}"))
	r.Header.Set("Authorization", "Bearer "+token)
	g.Handler().ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

func discovered(t *testing.T, i *issuer, required ...Claim) *Gateway {
	t.Helper()
	p, err := Discover(t.Context(), i.URL, "pangolin", required)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return &Gateway{Tokens: &Tokens{Path: file}, People: p, Log: func(string) {}}
}

func rsaKey(t *testing.T) *rsa.PrivateKey {
	t.Helper()
	k, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func ecKey(t *testing.T, c elliptic.Curve) *ecdsa.PrivateKey {
	t.Helper()
	k, err := ecdsa.GenerateKey(c, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestPeople_AreWhoTheirIssuerSays(t *testing.T) {
	one, two, three := rsaKey(t), ecKey(t, elliptic.P256()), ecKey(t, elliptic.P384())
	public, four, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	i := newIssuer(t, published(t, "one", one.Public()), published(t, "two", two.Public()), published(t, "three", three.Public()), published(t, "four", public))
	g := discovered(t, i, Claim{"groups", "verifiers"}, Claim{"human", "true"})
	now := time.Now()
	usual := claims{"iss": i.URL, "aud": "pangolin", "sub": "u17", "iat": now.Unix(), "exp": now.Add(time.Minute).Unix(), "groups": []string{"all", "verifiers"}, "human": true}
	for name, c := range map[string]struct{ token, is string }{
		"RSA":                    {signed(t, one, claims{"alg": "RS256", "kid": "one", "typ": "JWT"}, usual), "u17"},
		"RSA, PSS":               {signed(t, one, claims{"alg": "PS384", "kid": "one"}, usual), "u17"},
		"P-256":                  {signed(t, two, claims{"alg": "ES256", "kid": "two"}, usual), "u17"},
		"P-384":                  {signed(t, three, claims{"alg": "ES384", "kid": "three"}, usual), "u17"},
		"Ed25519":                {signed(t, four, claims{"alg": "EdDSA", "kid": "four"}, usual), "u17"},
		"no key is named":        {signed(t, two, claims{"alg": "ES256"}, usual), "u17"},
		"for others as well":     {signed(t, one, claims{"alg": "RS256", "kid": "one"}, usual.with(claims{"aud": []string{"other", "pangolin"}})), "u17"},
		"a clock that is ahead":  {signed(t, one, claims{"alg": "RS256", "kid": "one"}, usual.with(claims{"iat": now.Add(4 * time.Minute).Unix(), "nbf": now.Add(4 * time.Minute).Unix()})), "u17"},
		"one group":              {signed(t, one, claims{"alg": "RS256", "kid": "one"}, usual.with(claims{"groups": "verifiers"})), "u17"},
		"a verified address":     {signed(t, one, claims{"alg": "RS256", "kid": "one"}, usual.with(claims{"email": "ada@example.org", "email_verified": true})), "ada@example.org"},
		"an unverified address":  {signed(t, one, claims{"alg": "RS256", "kid": "one"}, usual.with(claims{"email": "ada@example.org", "email_verified": false})), "u17"},
		"an address, and a text": {signed(t, one, claims{"alg": "RS256", "kid": "one"}, usual.with(claims{"email": "ada@example.org", "email_verified": "no"})), "u17"},
	} {
		if is, err := g.People.name(t.Context(), c.token); err != nil || is != c.is {
			t.Errorf("%s: %q, %v", name, is, err)
		}
		if status, text := asked(t, g, "GET", "/", c.token); status != http.StatusOK {
			t.Errorf("%s: status %d, %s", name, status, text)
		}
	}
	// Whatever a token says, it is none of a worker.
	for _, said := range []claims{usual, usual.with(claims{"role": "worker", "roles": []string{"worker", "client"}, "groups": []string{"worker", "verifiers"}, "scope": "worker"})} {
		token := signed(t, one, claims{"alg": "RS256", "kid": "one"}, said)
		for _, path := range []string{"GET " + farm.PathBundles + farm.Digest(nil), "POST " + farm.PathWorkers, "GET " + farm.PathQueue} {
			method, at, _ := strings.Cut(path, " ")
			if status, text := asked(t, g, method, at, token); status != http.StatusForbidden || !strings.Contains(text, "role worker") {
				t.Errorf("%s: status %d, %s", path, status, text)
			}
		}
	}
}

// Each token is refused with the status 401 and a sentence that says why.
func TestPeople_AreNobodyElse(t *testing.T) {
	key, ec, stranger, strange := rsaKey(t), ecKey(t, elliptic.P256()), rsaKey(t), ecKey(t, elliptic.P256())
	i := newIssuer(t, published(t, "one", key.Public()), published(t, "two", ec.Public()))
	other := newIssuer(t, published(t, "one", stranger.Public()))
	g := discovered(t, i, Claim{"groups", "verifiers"})
	g.People.pace.SetLimit(rate.Inf)
	now := time.Now()
	header := claims{"alg": "RS256", "kid": "one"}
	usual := claims{"iss": i.URL, "aud": "pangolin", "sub": "u17", "iat": now.Unix(), "exp": now.Add(time.Hour).Unix(), "groups": []string{"verifiers"}}
	der, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		t.Fatal(err)
	}
	mac := func(secret []byte) func([]byte) []byte {
		return func(text []byte) []byte {
			h := hmac.New(sha256.New, secret)
			h.Write(text)
			return h.Sum(nil)
		}
	}
	none := func([]byte) []byte { return nil }
	good := signed(t, key, header, usual)
	if status, text := asked(t, g, "GET", "/", good); status != http.StatusOK {
		t.Fatalf("the token that the others differ from: status %d, %s", status, text)
	}
	parts := strings.Split(good, ".")
	better := strings.Split(signed(t, key, header, usual.with(claims{"sub": "root"})), ".")
	for name, c := range map[string]struct{ token, why string }{
		"garbage":                             {"a.b.c", "malformed"},
		"dots":                                {"..", "malformed"},
		"long garbage":                        {strings.Repeat("x", 100_000) + ".." + strings.Repeat("y", 100_000), "malformed"},
		"two parts":                           {parts[0] + "." + parts[1], "unknown, withdrawn or expired"},
		"no signature":                        {parts[0] + "." + parts[1] + ".", "signed with no key"},
		"the claims of another token":         {parts[0] + "." + better[1] + "." + parts[2], "signed with no key"},
		"a bit of the signature":              {parts[0] + "." + parts[1] + "." + flipped(parts[2]), "signed with no key"},
		"expired":                             {signed(t, key, header, usual.with(claims{"exp": now.Add(-time.Second).Unix()})), "expired at"},
		"without an end":                      {signed(t, key, header, usual.with(claims{"exp": nil})), "expired at"},
		"of the future":                       {signed(t, key, header, usual.with(claims{"nbf": now.Add(6 * time.Minute).Unix()})), "nbf"},
		"issued in the future":                {signed(t, key, header, usual.with(claims{"iat": now.Add(6 * time.Minute).Unix()})), "later than now"},
		"another issuer's":                    {signed(t, stranger, header, usual.with(claims{"iss": other.URL})), "signed with no key"},
		"another issuer's, in this name":      {signed(t, stranger, header, usual), "signed with no key"},
		"this issuer's, in another name":      {signed(t, key, header, usual.with(claims{"iss": other.URL})), "different provider"},
		"nobody's":                            {signed(t, key, header, usual.with(claims{"iss": nil})), "different provider"},
		"for another audience":                {signed(t, key, header, usual.with(claims{"aud": "pangolin2"})), "audience"},
		"for other audiences":                 {signed(t, key, header, usual.with(claims{"aud": []string{"a", "b"}})), "audience"},
		"for no audience":                     {signed(t, key, header, usual.with(claims{"aud": nil})), "audience"},
		"nobody's in particular":              {signed(t, key, header, usual.with(claims{"sub": nil})), "whose it is"},
		"of another group":                    {signed(t, key, header, usual.with(claims{"groups": []string{"verifiers2", "Verifiers"}})), `groups is not "verifiers"`},
		"of no group":                         {signed(t, key, header, usual.with(claims{"groups": nil})), `groups is not "verifiers"`},
		"none":                                {forged(t, claims{"alg": "none"}, usual, none), "signature algorithm"},
		"None":                                {forged(t, claims{"alg": "None", "kid": "one"}, usual, none), "signature algorithm"},
		"no algorithm":                        {forged(t, claims{"kid": "one"}, usual, none), "signature algorithm"},
		"HMAC with the public key, DER":       {forged(t, header.with(claims{"alg": "HS256"}), usual, mac(der)), "signature algorithm"},
		"HMAC with the public key, PEM":       {forged(t, header.with(claims{"alg": "HS256"}), usual, mac(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))), "signature algorithm"},
		"HMAC with the modulus":               {forged(t, header.with(claims{"alg": "HS256"}), usual, mac(key.N.Bytes())), "signature algorithm"},
		"HMAC that calls itself RSA":          {forged(t, header, usual, mac(der)), "signed with no key"},
		"a key that is not known":             {signed(t, stranger, header.with(claims{"kid": "three"}), usual), "signed with no key"},
		"a key that brings itself":            {signed(t, stranger, header.with(claims{"kid": nil, "jwk": published(t, "one", stranger.Public())}), usual), "signed with no key"},
		"a key that says where it is":         {signed(t, stranger, header.with(claims{"jku": other.URL + "/keys"}), usual), "signed with no key"},
		"another key in the name of a known":  {signed(t, strange, claims{"alg": "ES256", "kid": "two"}, usual), "signed with no key"},
		"a known key in the name of another":  {signed(t, ec, claims{"alg": "ES256", "kid": "one"}, usual), "signed with no key"},
		"an extension that has to be obeyed":  {signed(t, key, header.with(claims{"crit": []string{"x"}, "x": 1}), usual), "signed with no key"},
		"an EC signature of zeros":            {forged(t, claims{"alg": "ES256", "kid": "two"}, usual, func([]byte) []byte { return make([]byte, 64) }), "signed with no key"},
		"an algorithm that the key is not of": {signed(t, key, header.with(claims{"kid": "two"}), usual), "signed with no key"},
	} {
		status, text := asked(t, g, "GET", "/", c.token)
		if status != http.StatusUnauthorized || !strings.Contains(text, c.why) || strings.Count(text, "\n") != 1 || len(text) > 300 {
			t.Errorf("%s: status %d, %s", name, status, text)
		}
	}
	// A token that somebody has seen counts until it expires, and not a moment longer.
	short := signed(t, key, header, usual.with(claims{"exp": time.Now().Add(2 * time.Second).Unix()}))
	if status, text := asked(t, g, "GET", "/", short); status != http.StatusOK {
		t.Errorf("before it expires: status %d, %s", status, text)
	}
	time.Sleep(2100 * time.Millisecond)
	if status, text := asked(t, g, "GET", "/", short); status != http.StatusUnauthorized || !strings.Contains(text, "expired at") {
		t.Errorf("again when it has expired: status %d, %s", status, text)
	}
}

// flipped is a part of a token with another first bit.
func flipped(part string) string {
	text, _ := base64.RawURLEncoding.DecodeString(part)
	text[0] ^= 0x80
	return encoded(text)
}

// An issuer changes its keys now and then: tokens of new ones count at once, those of old ones no longer, and while it is away its keys are those that are known.
func TestPeople_FollowTheirIssuersKeys(t *testing.T) {
	old, young, youngest := rsaKey(t), ecKey(t, elliptic.P256()), ecKey(t, elliptic.P256())
	i := newIssuer(t, published(t, "old", old.Public()))
	g := discovered(t, i)
	g.People.pace.SetLimit(rate.Inf)
	said := claims{"iss": i.URL, "aud": "pangolin", "sub": "u17", "exp": time.Now().Add(time.Hour).Unix()}
	first := signed(t, old, claims{"alg": "RS256", "kid": "old"}, said)
	second := signed(t, young, claims{"alg": "ES256", "kid": "young"}, said)
	third := signed(t, youngest, claims{"alg": "ES256", "kid": "youngest"}, said)
	is := func(what, token string, want int) {
		t.Helper()
		if status, text := asked(t, g, "GET", "/", token); status != want {
			t.Errorf("%s: status %d, want %d: %s", what, status, want, text)
		}
	}
	// The library stores the keys that it was given a moment after it has answered with them, and whoever asks in that moment has the same answer.
	becomes := func(what, token string, want int) {
		t.Helper()
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
			if status, _ := asked(t, g, "GET", "/", token); status == want {
				return
			}
		}
		is(what, token, want)
	}
	is("the first key", first, http.StatusOK)
	is("the second, which is not published yet", second, http.StatusUnauthorized)
	i.publish(published(t, "old", old.Public()), published(t, "young", young.Public()))
	becomes("the second key", second, http.StatusOK)
	is("the first, which is still published", first, http.StatusOK)
	i.publish(published(t, "young", young.Public()))
	is("the first, which is withdrawn, and nobody has asked", first, http.StatusOK)
	is("a third, for which the issuer is asked", third, http.StatusUnauthorized)
	becomes("the first, which is withdrawn", first, http.StatusUnauthorized)
	i.publish()
	g.People.keys.last = 0 // the hour is over
	is("the second, which is withdrawn, after an hour", second, http.StatusUnauthorized)
	g.People.keys.last = time.Hour
	i.publish(published(t, "young", young.Public()))
	becomes("the second, which is published again", second, http.StatusOK)
	i.mu.Lock()
	i.away = true
	i.mu.Unlock()
	is("the second, while the issuer is away", second, http.StatusOK)
	is("the third, while the issuer is away", third, http.StatusServiceUnavailable)
	i.Close()
	is("the third, when the issuer does not answer", third, http.StatusServiceUnavailable)
}

// Who sends many tokens with keys of no issuer cannot have it asked as often.
func TestPeople_SpareTheirIssuer(t *testing.T) {
	key, stranger := rsaKey(t), ecKey(t, elliptic.P256())
	i := newIssuer(t, published(t, "one", key.Public()))
	g := discovered(t, i)
	said := claims{"iss": i.URL, "aud": "pangolin", "sub": "u17", "exp": time.Now().Add(time.Hour).Unix()}
	begun := time.Now()
	var all sync.WaitGroup
	for n := range 20 {
		token := signed(t, stranger, claims{"alg": "ES256", "kid": fmt.Sprint(n)}, said)
		all.Go(func() {
			for range 3 {
				if status, text := asked(t, g, "GET", "/", token); status != http.StatusUnauthorized {
					t.Errorf("status %d, %s", status, text)
				}
			}
		})
	}
	all.Wait()
	i.mu.Lock()
	defer i.mu.Unlock()
	if most := 2 + int(time.Since(begun).Seconds()); i.asked > most {
		t.Errorf("the issuer was asked %d times in %v", i.asked, time.Since(begun))
	}
}

func TestDiscover_SaysWhatIsWrongWithAnIssuer(t *testing.T) {
	i := newIssuer(t)
	far := newIssuer(t)
	far.says["jwks_uri"] = "http://192.0.2.1/keys"
	nowhere := newIssuer(t)
	delete(nowhere.says, "jwks_uri")
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>\n<p>hello") }))
	defer page.Close()
	away := httptest.NewServer(http.RedirectHandler("http://192.0.2.1/", http.StatusFound))
	defer away.Close()
	gone := httptest.NewServer(nil)
	gone.Close()
	for address, why := range map[string]string{
		"http://192.0.2.1": "not protected by TLS",
		"accounts":         "is no address",
		"ftp://localhost":  "is no address",
		i.URL + "/":        fmt.Sprintf("calls itself %q", i.URL),
		i.URL + "/realm":   "404",
		far.URL:            "http://192.0.2.1/keys is not protected by TLS",
		nowhere.URL:        `"" is no address`,
		page.URL:           "discovery",
		away.URL:           "http://192.0.2.1/ is not protected by TLS",
		gone.URL:           "refused",
	} {
		_, err := Discover(t.Context(), address, "pangolin", nil)
		if err == nil || !strings.Contains(err.Error(), why) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", address, err, why)
		}
	}
}
