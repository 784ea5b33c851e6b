import type { Duration } from '@evenkeel/core';
import type { CertificateDurations, CertificateSource } from '@evenkeel/core/certificates';

/** What the generator of an operator's files and its program must agree on about its webhook server. */
export interface WebhookServerDeclaration extends CertificateDurations {
  /**
   * Where the serving certificate comes from.
   * - `built-in`: the operator creates it, with an authority in a Secret that its replicas share, and keeps the `caBundle`s of its
   *   configurations up to date.
   * - `cert-manager`: cert-manager writes it to a Secret that is mounted into the pod.
   * - `files`: other means write `tls.crt` and `tls.key` to a directory.
   *
   * Default: `built-in`.
   */
  readonly certificates?: CertificateSource;
  /**
   * The URL of the webhook server, such as `https://webhooks.example.com:8443`, for an operator that runs outside of the cluster or
   * behind another server. Needs `certificates: 'files'`. Default: the API server calls the Service that `evenkeel generate` writes.
   */
  readonly url?: string;
}

/** What is known about the webhook server only at run time. */
export interface WebhookServerOptions {
  /** The listen address: `:9443`, `127.0.0.1:9443`. `0` disables the server. Default `:9443`. */
  readonly address?: string;
  /**
   * The directory with `tls.crt` and `tls.key`, such as a mounted Secret of type `kubernetes.io/tls`. It is read again when it changes,
   * and every 10 s. An operator with built-in certificates then creates none and writes no `caBundle`, because the program that mounts
   * the certificate does, such as OLM. Default: the built-in certificates, otherwise `/tmp/k8s-webhook-server/serving-certs`, as in
   * controller-runtime.
   */
  readonly certificates?: string;
  /**
   * A file with the certificates, as PEM, of the authorities that may sign the API server's client certificate. Clients without
   * such a certificate are refused. It is read at the start. Default: every client that reaches the port may call the webhooks.
   */
  readonly clientCa?: string;
  /** How many calls are handled at the same time. More wait, until their own timeout. Default 64. */
  readonly maxConcurrent?: number;
  /** The largest body of an admission review. Default 7 MiB, because the review of an update has two objects. */
  readonly maxBodyBytes?: number;
  /** The largest body of a conversion review. Default 64 MiB, because the review of a list has all its objects. */
  readonly maxConversionBytes?: number;
  /** The most bytes of all bodies that are in memory at the same time. More requests wait. Default 128 MiB. */
  readonly maxBytesInFlight?: number;
  /**
   * How long the server still accepts calls after the stop has begun, because the API server learns a little later that the pod
   * stops. It is part of the grace period. Default `'5s'`.
   */
  readonly stopDelay?: Duration;
}
