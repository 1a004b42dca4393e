// SPDX-License-Identifier: BSD-3-Clause

package gateway_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"pangolin/internal/farm/gateway"
	"pangolin/internal/test/level"
)

// The files in deploy: a chart for Kubernetes and a dashboard for Grafana. They name figures, flags and variables, which have to exist.

const deploy = "../../../deploy"

// served lists the figures that a server has.
func served(t *testing.T) []string {
	t.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequest("GET", "/metrics", nil)
	r.Host = "localhost"
	(&gateway.Gateway{}).Handler().ServeHTTP(w, r)
	list := regexp.MustCompile(`(?m)^pangolind_\w+`).FindAllString(w.Body.String(), -1)
	if len(list) < 8 {
		t.Fatalf("the server has the figures %q only", w.Body)
	}
	return list
}

// Dashboard and chart show, and follow, figures that the server has; the dashboard shows all of them but the sum.
func TestDeploy_NamesFiguresThatExist(t *testing.T) {
	figures, shown := served(t), map[string]bool{}
	for _, file := range []string{"grafana/pangolind.json", "helm/templates/scaling.yaml"} {
		text, err := os.ReadFile(filepath.Join(deploy, file))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file, ".json") && !json.Valid(text) {
			t.Errorf("%s is no JSON", file)
		}
		names := regexp.MustCompile(`pangolind_\w+`).FindAllString(string(text), -1)
		if len(names) == 0 {
			t.Errorf("%s names no figure", file)
		}
		for _, name := range names {
			if shown[name] = true; !slices.Contains(figures, name) {
				t.Errorf("%s names %s: the server has no such figure", file, name)
			}
		}
	}
	for _, name := range figures {
		if !shown[name] {
			t.Errorf("the dashboard does not show %s", name)
		}
	}
}

func schemaOf(t *testing.T) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(filepath.Join(deploy, "helm/values.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The chart's usual values obey its schema, and values that make no sense do not.
func TestDeploy_ValuesObeyTheSchema(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(deploy, "helm/values.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	schema := schemaOf(t)
	for name, edit := range map[string][2]string{
		"":                        {"", ""},
		"server/port":             {"port: 6465", "port: 80"},
		"server/storage":          {"storage: 20Gi", "storage: much"},
		"server/store":            {`store: ""`, "store: ftp://host"},
		"server/oidc/issuer":      {`issuer: ""`, "issuer: http://host"},
		"server/oidc/audience":    {`issuer: ""`, "issuer: https://host"}, // for which no audience is given
		"server/oidc/claims":      {"claims: []", "claims: [groups]"},
		"server/oidc/claims:":     {"claims: []", "claims: [groups=verifiers]"}, // without an issuer
		"server/nats/servers":     {`servers: ""`, "servers: nats://host:4222"},
		"server/nats/servers:":    {`servers: ""`, `servers: "tls://a:4222, tls://b:4222"`},
		"server/nats/credsSecret": {`credsSecret: ""`, "credsSecret: creds"}, // without servers
		"server/nats/replicas":    {"replicas: 3", "replicas: 6"},
		"server/authority":        {"authority: \"\"\n  resources", "authority: []\n  resources"},
		"worker/slots":            {"slots: 4", "slots: 0"},
		"worker/memory":           {"memory: 4096", "memory: 4Gi"},
		"scaling":                 {"cooldown: 300", "cooldwon: 300"},
		"scaling/max":             {"max: 20", "max: 0"},
		"image":                   {"repository: pangolin", "name: pangolin"},
		"image/tag":               {"tag: latest", "tag: 1"},
		"tokensSecret":            {"tokensSecret: pangolin-tokens", `tokensSecret: ""`},
		"scaling/keda":            {"keda: true", "keda: 1"},
		"worker/nodeSelector":     {"nodeSelector: {}", "nodeSelector: []"},
	} {
		changed := strings.Replace(string(text), edit[0], edit[1], 1)
		if name != "" && changed == string(text) {
			t.Errorf("%s: the values have no %q", name, edit[0])
		}
		var values any
		if err := yaml.Unmarshal([]byte(changed), &values); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		err := schema.Validate(values)
		if (err == nil) != (name == "") || err != nil && !strings.Contains(err.Error(), strings.TrimSuffix(name, ":")) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// helm executes helm; the test is skipped where it cannot be had.
func helm(t *testing.T, args ...string) (string, error) {
	t.Helper()
	c := exec.Command("helm", args...)
	if _, err := exec.LookPath("helm"); err != nil {
		if !level.More() {
			t.Skip("there is no helm, which is compiled with -level more")
		}
		c = exec.Command("go", append([]string{"run", "helm.sh/helm/v3/cmd/helm@v3.22.0"}, args...)...)
		if out, err := exec.Command("go", "run", "helm.sh/helm/v3/cmd/helm@v3.22.0", "version").CombinedOutput(); err != nil {
			t.Skipf("helm cannot be compiled: %v: %.300s", err, out)
		}
	}
	var errs bytes.Buffer
	c.Dir, c.Stderr = deploy, &errs
	out, err := c.Output()
	if err != nil {
		err = errors.Join(err, errors.New(errs.String()))
	}
	return string(out), err
}

// resource is what is looked at of a resource.
type resource struct {
	Kind     string
	Metadata struct{ Name string }
	Spec     struct {
		Replicas *int
		Template struct {
			Spec struct {
				Containers []struct {
					Args         []string
					Env          []struct{ Name, Value string }
					VolumeMounts []struct{ Name, MountPath string } `yaml:"volumeMounts"`
				}
				Volumes []struct {
					Name   string
					Secret struct {
						SecretName string `yaml:"secretName"`
					}
					ConfigMap struct{ Name string } `yaml:"configMap"`
				}
			}
		}
		ScaleTargetRef  struct{ Name string } `yaml:"scaleTargetRef"`
		MaxReplicaCount int                   `yaml:"maxReplicaCount"`
		Triggers        []struct {
			Type     string
			Metadata map[string]string
		}
	}
}

func resources(t *testing.T, text string) map[string]resource {
	t.Helper()
	list := map[string]resource{}
	for d := yaml.NewDecoder(strings.NewReader(text)); ; {
		var r resource
		err := d.Decode(&r)
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		list[r.Kind] = r
	}
}

// Helm makes resources of the chart that fit together, and whose flags the commands have; the number of workers follows the open tasks.
func TestDeploy_ChartIsRendered(t *testing.T) {
	out, err := helm(t, "template", "farm", "helm", "--set", "server.store=grpc://cache:8980,authority=ca,server.storeSecret=keys,scaling.max=7")
	if err != nil {
		t.Fatal(err)
	}
	all := resources(t, out)
	for _, kind := range []string{"Service", "StatefulSet", "Deployment", "ScaledObject", "TriggerAuthentication"} {
		if _, ok := all[kind]; !ok {
			t.Errorf("there is no %s in\n%s", kind, out)
		}
	}
	scaled := all["ScaledObject"]
	if scaled.Spec.ScaleTargetRef.Name != all["Deployment"].Metadata.Name || scaled.Spec.MaxReplicaCount != 7 || len(scaled.Spec.Triggers) != 1 {
		t.Fatalf("it does not scale the workers: %+v", scaled)
	}
	trigger := scaled.Spec.Triggers[0].Metadata
	url := "https://" + all["Service"].Metadata.Name + ".default.svc:6465"
	if trigger["url"] != url+"/metrics" || trigger["valueLocation"] != "pangolind_tasks_open" || all["Deployment"].Spec.Replicas != nil {
		t.Errorf("%v", trigger)
	}
	if on := "-on=" + url; !slices.Contains(all["Deployment"].Spec.Template.Spec.Containers[0].Args, on) {
		t.Errorf("workers are not told %s", on)
	}
	exist(t, all)
	out, err = helm(t, "template", "farm", "helm", "--set", "scaling.keda=false")
	if err != nil {
		t.Fatal(err)
	}
	all = resources(t, out)
	if n := all["Deployment"].Spec.Replicas; n == nil || *n != 1 || len(all) != 3 {
		t.Errorf("without KEDA: %v", all)
	}
	if _, err := helm(t, "template", "farm", "helm", "--set", "worker.slots=0"); err == nil || !strings.Contains(err.Error(), "/worker/slots") {
		t.Errorf("no slots: %v", err)
	}
}

// exist demands that the commands have the flags that the resources have, and that the files of flags and variables are in volumes.
func exist(t *testing.T, all map[string]resource) {
	t.Helper()
	source, err := filepath.Glob("../../../cmd/pangolind/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var commands []byte
	for _, file := range source {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		commands = append(commands, text...)
	}
	for _, kind := range []string{"StatefulSet", "Deployment"} {
		pod := all[kind].Spec.Template.Spec
		c := pod.Containers[0]
		values := map[string]string{}
		for _, arg := range c.Args[1:] {
			name, value, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
			values["-"+name] = value
			if !regexp.MustCompile(`fs\.(\w+Var\(&[\w.]+, |Func\()"` + name + `"`).Match(commands) {
				t.Errorf("%s: pangolind has no flag -%s", kind, name)
			}
		}
		for _, v := range c.Env {
			values[v.Name] = v.Value
		}
		for name, file := range values {
			if !strings.HasPrefix(file, "/") {
				continue
			}
			mounted := false
			for _, m := range c.VolumeMounts {
				volume := m.Name == "data" // which the StatefulSet claims
				for _, v := range pod.Volumes {
					volume = volume || v.Name == m.Name
				}
				mounted = mounted || volume && strings.HasPrefix(file+"/", m.MountPath+"/")
			}
			if !mounted {
				t.Errorf("%s: %s is %s, which is in no volume", kind, name, file)
			}
		}
	}
}

// An issuer of tokens and NATS servers of others come to the flags of the server, with the files that they want.
func TestDeploy_ChartHasIssuerAndServersOfOthers(t *testing.T) {
	out, err := helm(t, "template", "farm", "helm", "--set", `server.oidc.issuer=https://accounts.example.com,server.oidc.audience=our farm,server.oidc.claims={groups=verifiers,hd=example.com}`,
		"--set", `server.nats.servers=tls://a:4222\,tls://b:4222,server.nats.credsSecret=nats,server.nats.replicas=2,server.authority=inner`)
	if err != nil {
		t.Fatal(err)
	}
	all := resources(t, out)
	exist(t, all)
	pod := all["StatefulSet"].Spec.Template.Spec
	args := pod.Containers[0].Args
	for _, flag := range []string{"-oidc-issuer=https://accounts.example.com", "-oidc-audience=our farm", "-oidc-claim=groups=verifiers", "-oidc-claim=hd=example.com", "-nats=tls://a:4222,tls://b:4222",
		"-creds=/creds/creds", "-replicas=2"} {
		if !slices.Contains(args, flag) {
			t.Errorf("the server has no %q: %q", flag, args)
		}
	}
	from := map[string]string{}
	for _, v := range pod.Volumes {
		from[v.Name] = v.Secret.SecretName + v.ConfigMap.Name
	}
	if from["creds"] != "nats" || from["authority"] != "inner" {
		t.Errorf("the volumes are of %v", from)
	}
	for set, part := range map[string]string{"server.oidc.issuer=https://accounts.example.com": "/server/oidc/audience", "server.nats.replicas=0": "/server/nats/replicas"} {
		if _, err := helm(t, "template", "farm", "helm", "--set", set); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v", set, err)
		}
	}
	if out, err = helm(t, "template", "farm", "helm"); err != nil {
		t.Fatal(err)
	}
	for _, arg := range resources(t, out)["StatefulSet"].Spec.Template.Spec.Containers[0].Args {
		if regexp.MustCompile("oidc|nats|creds|replicas").MatchString(arg) {
			t.Errorf("nobody has asked for %s", arg)
		}
	}
}
