import { certManagerManifests, injectionAnnotations, servingSecretName } from './cert-manager-manifests.ts';
import { authoritySecretName, webhookServiceName } from './certificate-names.ts';
import { certificateObjects } from './certificate-objects.ts';

const options = {
  name: 'nginx-operator',
  namespace: 'system',
  service: 'nginx-operator-webhook',
  authorityMs: 5_400_000,
};

describe('certManagerManifests()', () => {
  it('returns an authority, which the configurations trust, and a certificate that it signs', () => {
    const manifests = certManagerManifests(options);
    expect(manifests.map(({ kind, metadata: { name, namespace } }) => `${kind} ${namespace}/${name}`)).toEqual([
      'Issuer system/nginx-operator-webhook-selfsigned',
      'Certificate system/nginx-operator-webhook-ca',
      'Issuer system/nginx-operator-webhook-ca',
      'Certificate system/nginx-operator-webhook',
    ]);
    const privateKey = { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' };
    expect(manifests.map(({ spec }) => spec)).toEqual([
      { selfSigned: {} },
      {
        isCA: true,
        commonName: 'nginx-operator-webhook-ca',
        secretName: 'nginx-operator-webhook-ca',
        duration: '1h30m0s',
        privateKey,
        issuerRef: { kind: 'Issuer', name: 'nginx-operator-webhook-selfsigned' },
      },
      { ca: { secretName: 'nginx-operator-webhook-ca' } },
      {
        secretName: servingSecretName(options),
        dnsNames: ['nginx-operator-webhook.system.svc', 'nginx-operator-webhook.system.svc.cluster.local'],
        usages: ['digital signature', 'server auth'],
        privateKey,
        issuerRef: { kind: 'Issuer', name: 'nginx-operator-webhook-ca' },
      },
    ]);
  });

  it('sets the duration of the certificate if it is declared', () => {
    const certificate = certManagerManifests({ ...options, certificateMs: 3_661_000 }).at(-1);
    expect(certificate?.spec).toMatchObject({ duration: '1h1m1s' });
  });

  it('names the certificate in the annotation of the objects whose caBundle cert-manager sets', () => {
    const certificate = certManagerManifests(options).at(-1)?.metadata;
    expect(injectionAnnotations(options)).toEqual({
      'cert-manager.io/inject-ca-from': `${certificate?.namespace}/${certificate?.name}`,
    });
  });
});

describe('the names of certificate objects', () => {
  it('are valid for names of operators with dots, and differ from those of cert-manager', () => {
    expect(webhookServiceName('nginx.example.com')).toBe('nginx-example-com-webhook');
    const secrets = certManagerManifests(options).map(({ spec }) => Reflect.get(spec, 'secretName') as unknown);
    expect(secrets).not.toContain(authoritySecretName(options.name));
  });
});

describe('certificateObjects()', () => {
  it('returns each configuration that the operator has, and each definition that it converts once', () => {
    const widget = { group: 'example.com', plural: 'widgets' };
    const served = { name: 'nginx-operator', namespace: 'system' };
    expect(
      certificateObjects({ ...served, webhooks: [{ type: 'validating' }], conversions: [widget, widget] }),
    ).toEqual({
      secret: { name: 'nginx-operator-webhook-authority', namespace: 'system' },
      targets: [
        { kind: 'ValidatingWebhookConfiguration', name: 'nginx-operator' },
        { kind: 'CustomResourceDefinition', name: 'widgets.example.com' },
      ],
    });
    const both = [{ type: 'validating' }, { type: 'mutating' }, { type: 'validating' }] as const;
    expect(certificateObjects({ ...served, webhooks: both, conversions: [] }).targets.map(({ kind }) => kind)).toEqual([
      'MutatingWebhookConfiguration',
      'ValidatingWebhookConfiguration',
    ]);
  });
});
