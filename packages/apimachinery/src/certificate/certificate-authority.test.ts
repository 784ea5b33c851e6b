import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { CertificateAuthority, type IssuedCertificate } from './certificate-authority.ts';

const now = Date.now();
const authority = new CertificateAuthority('evenkeel-test', now);
const server = authority.issue({
  commonName: 'kube-apiserver',
  usage: 'server',
  hosts: ['127.0.0.1', '::1', 'localhost', 'kubernetes.default.svc'],
});
const client = authority.issue({ commonName: 'ann', organizations: ['system:masters', 'team'], usage: 'client' });

describe('CertificateAuthority', () => {
  it('issues certificates that verify against its own certificate', () => {
    const ca = new X509Certificate(authority.certificatePem);
    const certificate = new X509Certificate(server.certificatePem);
    expect(ca.ca).toBe(true);
    expect(ca.verify(ca.publicKey)).toBe(true);
    expect(certificate.ca).toBe(false);
    expect(certificate.verify(ca.publicKey)).toBe(true);
    expect(certificate.checkIssued(ca)).toBe(true);
    expect(certificate.checkHost('localhost')).toBe('localhost');
    expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(certificate.checkIP('::1')).toBe('::1');
    expect(certificate.checkHost('example.com')).toBeUndefined();
    expect(Date.parse(certificate.validFrom)).toBeLessThan(now);
    expect(Date.parse(certificate.validTo)).toBeGreaterThan(now + 300 * 24 * 3_600_000);
  });

  it('writes the user as common name and the groups as organizations', () => {
    expect(new X509Certificate(client.certificatePem).subject).toBe('O=system:masters\nO=team\nCN=ann');
  });

  it('issues each certificate with a different serial number', () => {
    const serial = (pem: string): string => new X509Certificate(pem).serialNumber;
    expect(new Set([server, client].map(({ certificatePem }) => serial(certificatePem))).size).toBe(2);
  });

  it('issues certificates of the requested validity, which never outlive its own', () => {
    const day = 24 * 3_600_000;
    const start = Date.parse('2030-01-01T00:00:00Z');
    const short = new CertificateAuthority('short', start, 10 * day);
    const issued = (nowMs: number, validMs?: number): string[] => {
      const request = { commonName: 'x', usage: 'server', nowMs } as const;
      const { certificatePem } = short.issue(validMs === undefined ? request : { ...request, validMs });
      const { validFromDate, validToDate } = new X509Certificate(certificatePem);
      return [validFromDate.toISOString(), validToDate.toISOString()];
    };
    expect(new X509Certificate(short.certificatePem).validToDate.toISOString()).toBe('2030-01-11T00:00:00.000Z');
    expect(issued(start + day, day)).toEqual(['2030-01-01T23:55:00.000Z', '2030-01-03T00:00:00.000Z']);
    expect(issued(start + 9 * day, 5 * day)).toEqual(['2030-01-09T23:55:00.000Z', '2030-01-11T00:00:00.000Z']);
    expect(issued(start + day)).toEqual(['2030-01-01T23:55:00.000Z', '2030-01-11T00:00:00.000Z']);
  });

  it('is accepted by both peers of a TLS connection with client authentication', async () => {
    const listener = createServer(
      {
        cert: server.certificatePem,
        key: server.privateKeyPem,
        ca: authority.certificatePem,
        requestCert: true,
        rejectUnauthorized: true,
      },
      (socket) => socket.end(String(socket.getPeerCertificate().subject.CN)),
    );
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const { port } = listener.address() as { port: number };
    const received = await new Promise<string>((resolve, reject) => {
      let text = '';
      connect({
        port,
        host: '127.0.0.1',
        ca: authority.certificatePem,
        cert: client.certificatePem,
        key: client.privateKeyPem,
      })
        .on('data', (chunk) => {
          text += String(chunk);
        })
        .on('end', () => resolve(text))
        .on('error', reject);
    });
    listener.close();
    expect(received).toBe('ann');
  });

  it('passes the strict checks of openssl', () => {
    if (spawnSync('openssl', ['version']).status !== 0) {
      console.log('skipped: no openssl on this machine');
      return;
    }
    const directory = mkdtempSync(join(tmpdir(), 'evenkeel-certificates-'));
    writeFileSync(join(directory, 'ca.pem'), authority.certificatePem);
    writeFileSync(join(directory, 'server.pem'), server.certificatePem);
    writeFileSync(join(directory, 'client.pem'), client.certificatePem);
    for (const [name, purpose] of [
      ['server', 'sslserver'],
      ['client', 'sslclient'],
    ]) {
      const verified = spawnSync('openssl', [
        ...['verify', '-x509_strict', '-purpose', String(purpose), '-CAfile', join(directory, 'ca.pem')],
        join(directory, `${name}.pem`),
      ]);
      expect(String(verified.stdout) + String(verified.stderr)).toContain(`${name}.pem: OK`);
    }
    rmSync(directory, { recursive: true });
  });
});

describe('CertificateAuthority.load()', () => {
  const day = 24 * 3_600_000;
  const start = Date.parse('2030-01-01T00:00:00Z');
  const created = new CertificateAuthority('stored', start, 10 * day);
  const stored = { certificatePem: created.certificatePem, privateKeyPem: created.privateKeyPem };

  it('returns an authority that issues the same certificates as before', () => {
    const loaded = CertificateAuthority.load(stored, 'stored');
    expect({ certificatePem: loaded.certificatePem, privateKeyPem: loaded.privateKeyPem }).toEqual(stored);
    const ca = new X509Certificate(created.certificatePem);
    const leaf = new X509Certificate(loaded.issue({ commonName: 'x', usage: 'server' }).certificatePem);
    expect([leaf.checkIssued(ca), leaf.verify(ca.publicKey)]).toEqual([true, true]);
    expect(leaf.validToDate).toEqual(ca.validToDate);
    expect(leaf.validFromDate).toEqual(ca.validFromDate);
  });

  it.each<[string, Partial<IssuedCertificate>, string]>([
    ['another name', {}, 'the subject of the certificate is not CN=other'],
    [
      'the certificate of a server',
      created.issue({ commonName: 'other', usage: 'server' }),
      'is not that of an authority',
    ],
    [
      'the key of another authority',
      { certificatePem: new CertificateAuthority('other', start).certificatePem },
      'the key is not that of the certificate',
    ],
    ['no certificate', { certificatePem: 'x' }, 'PEM'],
    [
      'no key',
      { certificatePem: new CertificateAuthority('other', start).certificatePem, privateKeyPem: 'x' },
      'DECODER',
    ],
  ])('rejects %s', (_what, given, message) => {
    expect(() => CertificateAuthority.load({ ...stored, ...given }, 'other')).toThrow(message);
  });

  it('rejects a certificate whose signature is not its own', () => {
    const der = Buffer.from(new X509Certificate(stored.certificatePem).raw);
    // The last byte of the signature.
    der[der.length - 1] = (der.at(-1) ?? 0) ^ 1;
    const certificatePem = `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`;
    expect(() => CertificateAuthority.load({ ...stored, certificatePem }, 'stored')).toThrow(
      'the certificate is not signed with its own key',
    );
  });
});
