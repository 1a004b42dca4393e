// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	natsd "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"pangolin/internal/test/level"
)

// A farm whose queue is in a NATS server of others.

// certificate makes one for loopback that knows itself, and gives the name of a file with it.
func certificate(t *testing.T) (tls.Certificate, string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "theirs"}, NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, form, form, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "authority.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, file
}

// A NATS server that speaks TLS and knows one key has the queue; what verify prints is the same, also when the server of the farm is killed and has lost its directory:
// then nothing is computed again.
func TestServe_UsesANATSServerOfOthers(t *testing.T) {
	level.SkipShort(t, "a farm, and eight runs of the command")
	pair, authority := certificate(t)
	user, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	public, err := user.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	seed, err := user.Seed()
	if err != nil {
		t.Fatal(err)
	}
	creds := filepath.Join(t.TempDir(), "seed")
	if err := os.WriteFile(creds, seed, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := natsd.NewServer(&natsd.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true, Nkeys: []*natsd.NkeyUser{{Nkey: public}},
		TLS: true, TLSConfig: &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	defer s.Shutdown()
	if !s.ReadyForConnections(20 * time.Second) {
		t.Fatal("the NATS server does not start")
	}
	at := "tls://" + s.Addr().String()
	if text := refused(t, "-nats", at, "-creds", creds, "-replicas", "1"); !strings.Contains(text, "certificate") {
		t.Errorf("an authority that is not known: %s", text)
	}
	t.Setenv("SSL_CERT_FILE", authority)
	if text := refused(t, "-nats", at); !strings.Contains(text, "wants credentials") {
		t.Errorf("no credentials: %s", text)
	}
	if text := refused(t, "-nats", at, "-creds", creds); !strings.Contains(text, "-replicas N asks for fewer") {
		t.Errorf("three copies in one server: %s", text)
	}
	if text := refused(t, "-creds", creds); !strings.Contains(text, "want -nats URLS") {
		t.Errorf("no servers: %s", text)
	}
	f := install(t, 1, "-nats", at, "-creds", creds, "-replicas", "1", "-bytes", fmt.Sprint(1<<30))
	f.asked(".", [][]string{{"pangolin/collections/stack.LockFreeStack", "pangolin/collections/queue.ArrayQueue"}}, func([]string) {})
	for _, c := range append(f.workers, f.server) {
		_ = c.Process.Kill()
		_ = c.Wait()
	}
	f.workers = nil
	if err := os.RemoveAll(f.dir); err != nil {
		t.Fatal(err)
	}
	f.serve()
	f.asked(".", [][]string{{"pangolin/collections/stack.LockFreeStack", "pangolin/collections/queue.ArrayQueue"}}, func([]string) {}) // there is no worker
}
