// SPDX-License-Identifier: BSD-3-Clause

package farm

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// Server is a farm's server as its clients see it.
type Server struct {
	URL string // such as http://127.0.0.1:6465

	token func() (string, error) // "": there is none
	base  *url.URL
	http  *http.Client
	tls   *tls.Config
}

// The environment variables with the token of clients and workers, or with the name of a file that has it. The file is read for each request,
// so somebody may replace a token there that is about to expire.
const (
	tokenVariable = "PANGOLIN_TOKEN"
	fileVariable  = tokenVariable + "_FILE"
)

// FromEnvironment is the server at a URL, with the token that the environment has.
func FromEnvironment(address string) (*Server, error) {
	token, file := os.Getenv(tokenVariable), os.Getenv(fileVariable)
	if file == "" {
		return At(address, token, nil)
	}
	if token != "" {
		return nil, fmt.Errorf("%s and %s are both set: want one of them", tokenVariable, fileVariable)
	}
	read := func() (string, error) {
		text, err := os.ReadFile(file)
		if err != nil {
			return "", fmt.Errorf("%s: %w", fileVariable, err)
		}
		return strings.TrimSpace(string(text)), nil
	}
	token, err := read()
	if err != nil {
		return nil, err
	}
	s, err := At(address, token, nil)
	if err == nil {
		s.token = read
	}
	return s, err
}

// largestAnswer is the greatest size in bytes of an answer that is read.
const largestAnswer = 1 << 30

// At is the server at a URL; it does not connect. roots are the certificates by which the server may
// be known; nil: the system's.
func At(address, token string, roots *tls.Config) (*Server, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Path != "" && u.Path != "/" {
		return nil, fmt.Errorf("-on %q: want the address that pangolind serve prints, such as http://127.0.0.1:6465", address)
	}
	u.Path = ""
	if token != "" && u.Scheme == "http" && !Loopback(u.Hostname()) {
		return nil, fmt.Errorf("-on %q: a token is not sent without TLS: want https://", address)
	}
	return &Server{URL: u.String(), token: func() (string, error) { return token, nil }, base: u, tls: roots, http: &http.Client{Transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment, TLSClientConfig: roots, MaxIdleConnsPerHost: 8, IdleConnTimeout: Silence - 5*time.Second, DialContext: dial,
	}}}, nil
}

// Loopback says whether a host is this machine, by its own network.
func Loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// request is a request and where its answer goes. A body that is []byte is sent, and an answer that is *[]byte is read, as it is; others
// are JSON.
type request struct {
	method, path string
	body, answer any
}

func (s *Server) call(ctx context.Context, r request) error {
	var content io.Reader
	switch b := r.body.(type) {
	case nil:
	case []byte:
		content = bytes.NewReader(b)
	default:
		text, err := json.Marshal(b)
		if err != nil {
			return err
		}
		content = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, r.method, s.URL+r.path, content)
	if err != nil {
		return err
	}
	if err := s.authorise(req); err != nil {
		return err
	}
	resp, err := s.http.Do(req)
	if err != nil {
		var inner *url.Error
		if errors.As(err, &inner) {
			err = inner.Err
		}
		return fmt.Errorf("the farm at %s cannot be reached: %w", s.URL, err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, largestAnswer))
	if err != nil {
		return fmt.Errorf("the farm at %s has not finished its answer: %w", s.URL, err)
	}
	if resp.StatusCode >= http.StatusBadRequest {
		return s.refusal(resp.StatusCode, string(text))
	}
	switch a := r.answer.(type) {
	case nil:
	case *[]byte:
		*a = text
	default:
		if err := json.Unmarshal(text, a); err != nil {
			return fmt.Errorf("%w: %s is no farm: %s answers with something else (want the address that pangolind serve prints)", ErrRefused, s.URL, r.path)
		}
	}
	return nil
}

func (s *Server) authorise(r *http.Request) error {
	token, err := s.token()
	if err == nil && token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return err
}

// refusal is the error of an answer with a status. Statuses from 500 on may be others next time.
func (s *Server) refusal(code int, text string) error {
	why, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if why == "" || len(why) > 300 || strings.HasPrefix(why, "<") {
		why = http.StatusText(code)
	}
	if code == http.StatusNotFound && !strings.Contains(why, "bundle") {
		why = "there is no farm at this address (want the one that pangolind serve prints)"
	}
	err := fmt.Errorf("%s: %s", s.URL, why)
	if code >= http.StatusInternalServerError || code == http.StatusTooManyRequests {
		return err
	}
	return &refused{err, code}
}

// refused is an ErrRefused with its sentence.
type refused struct {
	error
	code int
}

func (r *refused) Is(target error) bool { return target == ErrRefused }

// restarts is how long a server may take that is being started.
const restarts = 5 * time.Second

// Info asks the server what it is. It may be about to start.
func (s *Server) Info(ctx context.Context) (*Info, error) {
	info := &Info{}
	for begun := time.Now(); ; time.Sleep(200 * time.Millisecond) {
		err := s.call(ctx, request{http.MethodGet, PathFarm, nil, info})
		if err == nil {
			break
		}
		var unknown *net.DNSError
		if errors.Is(err, ErrRefused) || errors.As(err, &unknown) || ctx.Err() != nil || time.Since(begun) > restarts {
			return nil, err
		}
	}
	if info.Farm != Version {
		return nil, fmt.Errorf("%w: the farm at %s speaks version %d of the protocol, this program version %d: install the same release on both", ErrRefused, s.URL, info.Farm, Version)
	}
	return info, nil
}

// Ask sends orders of a run and gives what is known.
func (s *Server) Ask(ctx context.Context, run string, a *Ask) (*Answer, error) {
	answer := &Answer{}
	return answer, s.call(ctx, request{http.MethodPost, PathRuns + run, a, answer})
}

// Leave tells the server that nobody waits for a run.
func (s *Server) Leave(ctx context.Context, run string) error {
	return s.call(ctx, request{http.MethodDelete, PathRuns + run, nil, nil})
}

// PutBundle sends a bundle.
func (s *Server) PutBundle(ctx context.Context, bundle []byte) error {
	return s.call(ctx, request{http.MethodPut, PathBundles + Digest(bundle), bundle, nil})
}

// ErrNoBundle says that the server has not a bundle.
var ErrNoBundle = errors.New("no such bundle")

// Bundle fetches a bundle.
func (s *Server) Bundle(ctx context.Context, digest string) ([]byte, error) {
	var text []byte
	err := s.call(ctx, request{http.MethodGet, PathBundles + digest, nil, &text})
	var no *refused
	if errors.As(err, &no) && no.code == http.StatusNotFound {
		return nil, ErrNoBundle
	}
	if err == nil && Digest(text) != digest {
		return nil, fmt.Errorf("%s: the bundle %s has other bytes than its name says", s.URL, digest)
	}
	return text, err
}

// Hello asks to join as a worker.
func (s *Server) Hello(ctx context.Context, h *Hello) error {
	return s.call(ctx, request{http.MethodPost, PathWorkers, h, nil})
}
