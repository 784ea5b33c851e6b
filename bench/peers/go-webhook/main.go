// Command go-webhook is a webhook server of controller-runtime, as a user of Go writes it. The benchmark compares the webhook server
// of Evenkeel with it.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

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

func main() {
	port := flag.Int("port", 9443, "port, on the loopback interface")
	certificates := flag.String("certs", "", "directory with tls.crt and tls.key")
	flag.Parse()
	if err := serve(*port, *certificates); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
