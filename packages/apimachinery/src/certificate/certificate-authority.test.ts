import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { CertificateAuthority } from './certificate-authority.ts';

const now = Date.now();
const authority = new CertificateAuthority('evenkeel-test', now);
const server = authority.issue({
  commonName: 'kube-apiserver',
  usage: 'server',
  hosts: ['127.0.0.1', '::1', 'localhost', 'kubernetes.default.svc'],
});
const client = authority.issue({ commonName: 'ann', organizations: ['system:masters', 'team'], usage: 'client' });

describe('CertificateAuthority', () => {
  it('issues certificates that it vouches for', () => {
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

  it('never gives two certificates one serial number', () => {
    const serial = (pem: string): string => new X509Certificate(pem).serialNumber;
    expect(new Set([server, client].map(({ certificatePem }) => serial(certificatePem))).size).toBe(2);
  });

  it('is accepted by both ends of a TLS connection, with client authentication', async () => {
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
    const answer = await new Promise<string>((resolve, reject) => {
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
    expect(answer).toBe('ann');
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
