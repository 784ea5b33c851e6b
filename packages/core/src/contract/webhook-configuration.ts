/** How the API server reaches a webhook, as configurations and definitions state it. */
export interface WebhookClientConfig {
  readonly url?: string;
  readonly service?: {
    readonly namespace: string;
    readonly name: string;
    readonly path?: string;
    readonly port?: number;
  };
  /** PEM in base64. */
  readonly caBundle?: string;
}

/** A `ValidatingWebhookConfiguration` or `MutatingWebhookConfiguration` of `admissionregistration.k8s.io/v1`, as JSON. */
export interface WebhookConfiguration {
  readonly apiVersion: 'admissionregistration.k8s.io/v1';
  readonly kind: 'ValidatingWebhookConfiguration' | 'MutatingWebhookConfiguration';
  readonly metadata: { readonly name: string };
  /** Mutating webhooks are called in this order. */
  readonly webhooks: readonly WebhookEntry[];
}

/** One webhook of a configuration, with the options that its class declares. The API server adds the defaults of the others. */
export interface WebhookEntry {
  readonly name: string;
  readonly clientConfig: WebhookClientConfig;
  readonly rules: readonly {
    readonly operations: readonly string[];
    readonly apiGroups: readonly string[];
    readonly apiVersions: readonly string[];
    readonly resources: readonly string[];
    readonly scope?: string;
  }[];
  readonly failurePolicy?: string;
  readonly matchPolicy?: string;
  readonly namespaceSelector?: object;
  readonly objectSelector?: object;
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[];
  readonly sideEffects: string;
  readonly timeoutSeconds?: number;
  readonly reinvocationPolicy?: string;
  readonly admissionReviewVersions: readonly string[];
}
