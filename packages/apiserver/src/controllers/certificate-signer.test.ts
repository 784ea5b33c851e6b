import { X509Certificate } from 'node:crypto';
import { request as httpsRequest } from 'node:https';
import { ManualClock } from '@evenkeel/core';
import { ApiServer } from '../api-server.ts';
import { embeddedControllers } from '../embedded-controllers.ts';
import { request } from '../request.fixture.ts';
import { janesKey, signingRequest } from '../strategy/certificates/signing-requests.fixture.ts';
import { certificateSigner } from './certificate-signer.ts';

const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const merge = { 'content-type': 'application/merge-patch+json' };
const now = new Date(Math.floor(Date.now() / 1000) * 1000);
const onlySigner = Object.fromEntries(embeddedControllers.map(({ name }) => [name, name === certificateSigner.name]));
const minute = 60_000;
const year = 365 * 24 * 60 * minute;

describe('the signer of client certificates', () => {
  let server: ApiServer;
  let url: string;
  let caPem: string;
  beforeAll(async () => {
    server = await ApiServer.create({ controllers: onlySigner, controllerDelayMs: 0, clock: new ManualClock(now) });
    ({ url, caPem } = await server.listen());
  });
  afterAll(() => server?.close());

  /** Creates and approves a request. Returns its status after the signer has acted. */
  async function signed(
    name: string,
    spec: object = {},
  ): Promise<{ certificate?: string; conditions: { type: string }[] }> {
    const transport = server.transport();
    const created = await request(transport, 'POST', requests, signingRequest(name, spec));
    expect([created.status, created.body.message]).toEqual([201, undefined]);
    const status = { conditions: [{ type: 'Approved', status: 'True', reason: 'Test', message: 'test' }] };
    await request(transport, 'PATCH', `${requests}/${name}/approval`, { status }, merge);
    for (;;) {
      const { body } = await request(transport, 'GET', `${requests}/${name}`);
      if (body.status.certificate !== undefined || body.status.conditions.length > 1) return body.status;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  const certificateOf = ({ certificate = '' }: { certificate?: string }): X509Certificate =>
    new X509Certificate(Buffer.from(certificate, 'base64'));
  const validity = ({ validFromDate, validToDate }: X509Certificate): number[] =>
    [validFromDate, validToDate].map((date) => date.getTime() - now.getTime());

  it('signs an approved request for a client, whose certificate identifies it over TLS', async () => {
    const status = await signed('jane', { usages: ['client auth', 'digital signature'] });
    const certificate = certificateOf(status);
    expect(certificate.subject).toBe('O=dev + O=team\nCN=jane');
    expect(certificate.verify(new X509Certificate(caPem).publicKey)).toBe(true);
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    expect(certificate.ca).toBe(false);
    const answer = await new Promise<string>((resolve, reject) => {
      const sent = httpsRequest(
        `${url}/apis/authentication.k8s.io/v1/selfsubjectreviews`,
        {
          method: 'POST',
          ca: caPem,
          cert: Buffer.from(status.certificate ?? '', 'base64'),
          key: janesKey,
          agent: false,
          headers: { 'content-type': 'application/json' },
        },
        (incoming) => incoming.toArray().then((chunks) => resolve(Buffer.concat(chunks).toString()), reject),
      );
      sent.on('error', reject).end('{}');
    });
    expect(JSON.parse(answer).status.userInfo).toEqual({
      username: 'jane',
      groups: ['dev', 'team', 'system:authenticated'],
      extra: {
        'authentication.kubernetes.io/credential-id': [
          `X509SHA256=${certificate.fingerprint256.replaceAll(':', '').toLowerCase()}`,
        ],
      },
    });
  });

  it('limits the validity to the requested seconds, without those by which it starts earlier', async () => {
    expect(validity(certificateOf(await signed('short', { expirationSeconds: 3600 })))).toEqual([
      -5 * minute,
      60 * minute,
    ]);
    const long = { expirationSeconds: 24 * 3600 };
    expect(validity(certificateOf(await signed('long', long)))).toEqual([-5 * minute, (24 * 60 - 5) * minute]);
    const [from, to = 0] = validity(certificateOf(await signed('longest', { expirationSeconds: 2 ** 31 - 1 })));
    expect(from).toBe(-5 * minute);
    expect(to).toBeLessThanOrEqual(year);
  });

  it.each([
    ['another usage', { usages: ['client auth', 'server auth'] }, 'invalid usage for client certificate: server auth'],
    [
      'no usage for clients',
      { usages: ['digital signature'] },
      'missing required usage for client certificate: client auth',
    ],
    [
      'a user that is no node, for the client of a kubelet',
      { signerName: 'kubernetes.io/kube-apiserver-client-kubelet' },
      'subject organization is not system:nodes',
    ],
    [
      'a user that is no node, for the server of a kubelet',
      { signerName: 'kubernetes.io/kubelet-serving', usages: ['server auth'] },
      'subject organization is not system:nodes',
    ],
  ])('marks a request as failed that has %s', async (what, spec, message) => {
    const { certificate, conditions } = await signed(what.replaceAll(/[^a-z]+/g, '-'), spec);
    expect(certificate).toBeUndefined();
    expect(conditions[1]).toMatchObject({ type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message });
  });

  it('signs neither what is not approved nor what has another signer', async () => {
    const transport = server.transport();
    await request(transport, 'POST', requests, signingRequest('pending'));
    await request(transport, 'POST', requests, signingRequest('foreign', { signerName: 'example.com/signer' }));
    const status = { conditions: [{ type: 'Approved', status: 'True' }] };
    await request(transport, 'PATCH', `${requests}/foreign/approval`, { status }, merge);
    await signed('later');
    for (const name of ['pending', 'foreign']) {
      const { body } = await request(transport, 'GET', `${requests}/${name}`);
      expect(body.status.certificate).toBeUndefined();
    }
  });
});
