import type { WebhookCall } from '@evenkeel/core';

/** An AdmissionReview of `web.example.com/v1` Site, with other fields of its request. */
export function siteReview(request: object = {}): Record<string, unknown> {
  const type = { group: 'web.example.com', version: 'v1' };
  return {
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid: 'u-1',
      kind: { ...type, kind: 'Site' },
      resource: { ...type, resource: 'sites' },
      requestKind: { ...type, kind: 'Site' },
      requestResource: { ...type, resource: 'sites' },
      name: 'blog',
      namespace: 'default',
      operation: 'CREATE',
      userInfo: { username: 'jane', uid: '7', groups: ['dev'], extra: { scopes: ['all'] } },
      object: {
        apiVersion: 'web.example.com/v1',
        kind: 'Site',
        metadata: { name: 'blog', namespace: 'default' },
        spec: { size: 1, unknown: { kept: true } },
      },
      oldObject: null,
      dryRun: false,
      options: { kind: 'CreateOptions', fieldManager: 'kubectl' },
      ...request,
    },
  };
}

/** The call with that body. */
export function callOf(body: unknown, given: Partial<WebhookCall> = {}): WebhookCall {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    path: '/validate-web-example-com-v1-site',
    query: new URLSearchParams('timeout=10s'),
    contentType: 'application/json',
    body: body instanceof Uint8Array ? body : Buffer.from(text),
    signal: new AbortController().signal,
    ...given,
  };
}
