// Objects of 2 KB of the kind in webhook.crd.yaml, and reviews of them.
const type = { group: 'bench.example.com', version: 'v1' };

export function benchObject(name: string, replicas = 3) {
  return {
    ...{ apiVersion: 'bench.example.com/v1', kind: 'Bench' },
    metadata: { name: `bench-${name}`, namespace: 'default', labels: { app: 'bench' } },
    spec: { replicas, image: 'nginx:1.29', payload: 'x'.repeat(1600), labels: { one: 'two', three: 'four' } },
  };
}

/** An object as the API server stores it. */
function storedObject(at: number) {
  const object = benchObject(String(at));
  const uid = `${String(at).padStart(8, '0')}-0000-4000-8000-000000000000`;
  return { ...object, metadata: { ...object.metadata, uid, creationTimestamp: '2026-01-01T00:00:00Z' } };
}

export function admissionReview(): string {
  return JSON.stringify({
    ...{ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' },
    request: {
      ...{ uid: 'e911857d-c318-11e8-bbad-025000000001', operation: 'CREATE', dryRun: false },
      ...{ kind: { ...type, kind: 'Bench' }, resource: { ...type, resource: 'benches' } },
      ...{ name: 'bench-1', namespace: 'default', userInfo: { username: 'admin', groups: ['system:masters'] } },
      ...{ object: storedObject(1), oldObject: null },
      options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
    },
  });
}

export function conversionReview(objects: number): string {
  return JSON.stringify({
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview' },
    request: {
      ...{ uid: 'e911857d-c318-11e8-bbad-025000000002', desiredAPIVersion: 'bench.example.com/v2' },
      objects: Array.from({ length: objects }, (_, at) => storedObject(at)),
    },
  });
}
