// Command go-webhook is a webhook server of controller-runtime, as a user of Go writes it, and a driver that calls webhooks.
// The benchmark compares the webhook server of Evenkeel with it, and calls both with the same driver.
//
//	go-webhook serve -port 9443 -certs DIRECTORY
//	go-webhook drive -url URL -ca FILE -body FILE -n CALLS -c IN_FLIGHT
package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
	conversionwebhook "sigs.k8s.io/controller-runtime/pkg/webhook/conversion"
)

// Spec is the spec of version v1, the hub.
type Spec struct {
	Replicas int32             `json:"replicas,omitempty"`
	Image    string            `json:"image,omitempty"`
	Payload  string            `json:"payload,omitempty"`
	Labels   map[string]string `json:"labels,omitempty"`
}

// Bench is the kind in version v1.
type Bench struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              Spec `json:"spec,omitempty"`
}

// Hub marks the hub of the conversion.
func (*Bench) Hub() {}

// DeepCopyObject implements runtime.Object.
func (b *Bench) DeepCopyObject() apiruntime.Object {
	out := *b
	out.ObjectMeta = *b.ObjectMeta.DeepCopy()
	return &out
}

// RenamedSpec is the spec of version v2, in which two fields have other names.
type RenamedSpec struct {
	Size    int32             `json:"size,omitempty"`
	Picture string            `json:"picture,omitempty"`
	Payload string            `json:"payload,omitempty"`
	Labels  map[string]string `json:"labels,omitempty"`
}

// RenamedBench is the kind in version v2.
type RenamedBench struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              RenamedSpec `json:"spec,omitempty"`
}

// DeepCopyObject implements runtime.Object.
func (b *RenamedBench) DeepCopyObject() apiruntime.Object {
	out := *b
	out.ObjectMeta = *b.ObjectMeta.DeepCopy()
	return &out
}

// ConvertTo implements conversion.Convertible.
func (b *RenamedBench) ConvertTo(to conversion.Hub) error {
	hub := to.(*Bench)
	hub.ObjectMeta = b.ObjectMeta
	hub.Spec = Spec{Replicas: b.Spec.Size, Image: b.Spec.Picture, Payload: b.Spec.Payload, Labels: b.Spec.Labels}
	return nil
}

// ConvertFrom implements conversion.Convertible.
func (b *RenamedBench) ConvertFrom(from conversion.Hub) error {
	hub := from.(*Bench)
	b.ObjectMeta = hub.ObjectMeta
	b.Spec = RenamedSpec{Size: hub.Spec.Replicas, Picture: hub.Spec.Image, Payload: hub.Spec.Payload, Labels: hub.Spec.Labels}
	return nil
}

type validator struct{}

func (validator) check(b *Bench) error {
	if b.Spec.Replicas > 1000 {
		return fmt.Errorf("spec.replicas is %d; at most 1000 are allowed", b.Spec.Replicas)
	}
	return nil
}

func (v validator) ValidateCreate(_ context.Context, b *Bench) (admission.Warnings, error) {
	return nil, v.check(b)
}

func (v validator) ValidateUpdate(_ context.Context, _, b *Bench) (admission.Warnings, error) {
	return nil, v.check(b)
}

func (validator) ValidateDelete(context.Context, *Bench) (admission.Warnings, error) {
	return nil, nil
}

func serve(port int, certificates string) error {
	scheme := apiruntime.NewScheme()
	group := "bench.example.com"
	scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: group, Version: "v1", Kind: "Bench"}, &Bench{})
	scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: group, Version: "v2", Kind: "Bench"}, &RenamedBench{})
	ctrl.SetLogger(logr.Discard())
	server := webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: port, CertDir: certificates})
	server.Register("/validate-bench-example-com-v1-bench", admission.WithValidator[*Bench](scheme, validator{}))
	server.Register("/convert", conversionwebhook.NewWebhookHandler(scheme, conversionwebhook.NewRegistry()))
	return server.Start(ctrl.SetupSignalHandler())
}

// drive calls a webhook and prints one line of JSON: calls per second, and percentiles of the duration in microseconds.
func drive(url, ca, bodyFile string, calls, inFlight int) error {
	pem, err := os.ReadFile(ca)
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	body, err := os.ReadFile(bodyFile)
	if err != nil {
		return err
	}
	// An API server uses HTTP/2 where the webhook offers it.
	client := http.Client{Transport: &http.Transport{
		TLSClientConfig:     &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
		MaxIdleConnsPerHost: inFlight,
		ForceAttemptHTTP2:   true,
	}}
	for deadline := time.Now().Add(10 * time.Second); !call(&client, url, body); {
		if time.Now().After(deadline) {
			return fmt.Errorf("%s does not accept the call", url)
		}
		time.Sleep(20 * time.Millisecond)
	}
	durations := make([]time.Duration, calls)
	var next, failed atomic.Int64
	var group sync.WaitGroup
	started := time.Now()
	for range inFlight {
		group.Go(func() {
			for at := next.Add(1) - 1; at < int64(calls); at = next.Add(1) - 1 {
				sent := time.Now()
				if !call(&client, url, body) {
					failed.Add(1)
				}
				durations[at] = time.Since(sent)
			}
		})
	}
	group.Wait()
	elapsed := time.Since(started)
	slices.Sort(durations)
	return json.NewEncoder(os.Stdout).Encode(map[string]any{
		"event":     "driven",
		"ms":        elapsed.Milliseconds(),
		"perSecond": float64(calls) / elapsed.Seconds(),
		"p50Us":     durations[calls/2].Microseconds(),
		"p99Us":     durations[calls*99/100].Microseconds(),
		"failed":    failed.Load(),
	})
}

func call(client *http.Client, url string, body []byte) bool {
	answer, err := client.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		return false
	}
	return bytes.Contains(text, []byte(`"allowed":true`)) || bytes.Contains(text, []byte(`"status":"Success"`))
}

func main() {
	flags := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	port := flags.Int("port", 9443, "port of serve, on the loopback interface")
	certificates := flags.String("certs", "", "directory of serve with tls.crt and tls.key")
	url := flags.String("url", "", "URL to drive")
	ca := flags.String("ca", "", "file with the CA of the URL")
	body := flags.String("body", "", "file with the body of each call")
	calls := flags.Int("n", 10_000, "number of calls")
	inFlight := flags.Int("c", 16, "calls in flight")
	var err error
	switch command := os.Args[1]; command {
	case "serve":
		_ = flags.Parse(os.Args[2:])
		err = serve(*port, *certificates)
	case "drive":
		_ = flags.Parse(os.Args[2:])
		err = drive(*url, *ca, *body, *calls, *inFlight)
	default:
		err = fmt.Errorf("unknown command %q; use serve or drive", command)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
