import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { type Clock, rfc3339 } from '@evenkeel/core';
import { caBundleCertificates } from '@evenkeel/schema/evaluate';
import { goQuote } from '../apimachinery/index.ts';

/** Go's `TLSHandshakeTimeout` of client-go. */
const handshakeTimeoutMs = 10_000;

/** The most certificates between that of the server and an authority. */
const chainMax = 10;

export interface TrustedConnectionOptions {
  readonly host: string;
  readonly port: number;
  /** The name or address that the server's certificate must have. */
  readonly hostname: string;
  /** PEM in base64. Empty: the certificates that Node trusts by default. */
  readonly caBundle: string;
  /** Decides whether certificates have expired. */
  readonly clock: Clock;
}

/**
 * Connects with TLS 1.2 or later, and resolves only if the server's certificate is valid. Nothing is sent before. Rejects with the
 * messages of Go's `crypto/x509`, which checks the validity first, then the name, then the authority.
 *
 * A certificate of the bundle is trusted even if it is not self-signed, as in Go.
 */
export function trustedConnection(options: TrustedConnectionOptions): Promise<TLSSocket> {
  const { host, port, hostname, caBundle, clock } = options;
  const roots = caBundleCertificates(caBundle);
  const settings: ConnectionOptions & { allowPartialTrustChain: boolean } = {
    host,
    port,
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['http/1.1'],
    allowPartialTrustChain: true,
    // `refusalOf` decides instead, with the server's clock.
    rejectUnauthorized: false,
    checkServerIdentity: () => undefined,
    ...(isIP(hostname) === 0 && { servername: hostname }),
    ...(roots.length > 0 && { ca: roots.map((root) => root.toString()) }),
  };
  return new Promise((resolve, reject) => {
    const socket = process.getBuiltinModule('node:tls').connect(settings);
    const fail = (error: Error): void => {
      timer.cancel();
      socket.destroy();
      reject(error);
    };
    const timer = clock.schedule(handshakeTimeoutMs, () => fail(new Error('net/http: TLS handshake timeout')), {
      unref: true,
    });
    socket.once('error', fail);
    socket.once('secureConnect', () => {
      const refusal = refusalOf(socket, hostname, roots, clock.now());
      if (refusal !== undefined) {
        fail(new Error(`tls: failed to verify certificate: x509: ${refusal}`));
        return;
      }
      timer.cancel();
      socket.off('error', fail);
      resolve(socket);
    });
  });
}

function refusalOf(
  socket: TLSSocket,
  hostname: string,
  roots: readonly X509Certificate[],
  nowMs: number,
): string | undefined {
  const leaf = socket.getPeerX509Certificate();
  if (leaf === undefined) return 'certificate signed by unknown authority';
  return outOfTime(leaf, nowMs) ?? otherName(leaf, hostname) ?? untrusted(socket, leaf, roots, nowMs);
}

function outOfTime(certificate: X509Certificate, nowMs: number): string | undefined {
  const from = Date.parse(certificate.validFrom);
  const to = Date.parse(certificate.validTo);
  if (nowMs >= from && nowMs <= to) return undefined;
  const [relation, limit] = nowMs < from ? ['before', from] : ['after', to];
  const times = `current time ${rfc3339(new Date(nowMs))} is ${relation} ${rfc3339(new Date(limit))}`;
  return `certificate has expired or is not yet valid: ${times}`;
}

function otherName(leaf: X509Certificate, hostname: string): string | undefined {
  const names = (leaf.subjectAltName ?? '').split(', ');
  const isAddress = isIP(hostname) !== 0;
  const matches = isAddress
    ? leaf.checkIP(hostname) !== undefined
    : leaf.checkHost(hostname, { subject: 'never', partialWildcards: false }) !== undefined;
  if (matches) return undefined;
  if (leaf.subjectAltName === undefined && leaf.checkHost(hostname, { subject: 'always' }) !== undefined) {
    return 'certificate relies on legacy Common Name field, use SANs instead';
  }
  const prefix = isAddress ? 'IP Address:' : 'DNS:';
  const valid = names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  if (isAddress && valid.length === 0) {
    return `cannot validate certificate for ${hostname} because it doesn't contain any IP SANs`;
  }
  if (valid.length === 0) return `certificate is not valid for any names, but wanted to match ${hostname}`;
  return `certificate is valid for ${valid.join(', ')}, not ${hostname}`;
}

/**
 * OpenSSL decides, except about validity: it uses the machine's clock, and its error about the validity hides others. Then the
 * chain is checked again here.
 */
function untrusted(
  socket: TLSSocket,
  leaf: X509Certificate,
  roots: readonly X509Certificate[],
  nowMs: number,
): string | undefined {
  const code = socket.authorizationError as unknown as string | null | undefined;
  if (code === 'INVALID_PURPOSE') return 'certificate specifies an incompatible key usage';
  const isAboutTime = code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID';
  const trusts = code
    ? isAboutTime && hasChain(leaf, roots, nowMs)
    : roots.length === 0 || hasChain(leaf, roots, nowMs);
  if (trusts) return undefined;
  // As in Go: if an authority signed the certificate, but is not valid now, the error is about this authority.
  const signer = roots.find((root) => root.ca && leaf.checkIssued(root) && leaf.verify(root.publicKey));
  const invalid = signer && outOfTime(signer, nowMs);
  return invalid ?? `certificate signed by unknown authority${hintOf(leaf, roots)}`;
}

/** Whether an authority of `roots` signed the certificate, or one that the server sent did and is signed itself. */
function hasChain(leaf: X509Certificate, roots: readonly X509Certificate[], nowMs: number): boolean {
  let certificate: X509Certificate | undefined = leaf;
  for (let depth = 0; certificate !== undefined && depth < chainMax; depth++) {
    const subject: X509Certificate = certificate;
    if (roots.some((root) => root.raw.equals(subject.raw))) return true;
    if (roots.some((root) => signs(root, subject, nowMs))) return true;
    const issuer: X509Certificate | undefined = subject.issuerCertificate;
    certificate = issuer !== undefined && signs(issuer, subject, nowMs) ? issuer : undefined;
  }
  return false;
}

function signs(issuer: X509Certificate, subject: X509Certificate, nowMs: number): boolean {
  return (
    issuer.ca &&
    subject.checkIssued(issuer) &&
    subject.verify(issuer.publicKey) &&
    outOfTime(issuer, nowMs) === undefined
  );
}

/** Go names an authority that has the right name, but did not sign the certificate. */
function hintOf(leaf: X509Certificate, roots: readonly X509Certificate[]): string {
  const candidate = roots.find((root) => root.subject === leaf.issuer);
  if (candidate === undefined) return '';
  const why = failureOf(candidate, leaf);
  if (why === undefined) return '';
  const name = /^CN=(.*)$/m.exec(candidate.subject)?.[1] ?? `serial:${BigInt(`0x${candidate.serialNumber}`)}`;
  const what = `while trying to verify candidate authority certificate ${goQuote(name)}`;
  return ` (possibly because of ${goQuote(why)} ${what})`;
}

function failureOf(candidate: X509Certificate, leaf: X509Certificate): string | undefined {
  if (leaf.verify(candidate.publicKey)) return undefined;
  switch (candidate.publicKey.asymmetricKeyType) {
    case 'rsa':
      return 'crypto/rsa: verification error';
    case 'ec':
      return 'x509: ECDSA verification failure';
    default:
      return 'x509: Ed25519 verification failure';
  }
}
