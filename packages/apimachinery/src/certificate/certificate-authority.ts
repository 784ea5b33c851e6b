import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import {
  bitString,
  boolean,
  explicit,
  implicit,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  time,
  utf8String,
} from './der.ts';

/** A certificate and its private key, as PEM. */
export interface IssuedCertificate {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

export interface CertificateRequest {
  /** For a client: the user's name. */
  readonly commonName: string;
  /** For a client: the user's groups. */
  readonly organizations?: readonly string[];
  readonly usage: 'server' | 'client';
  /** Names and addresses a server answers to. */
  readonly hosts?: readonly string[];
}

const yearMs = 365 * 24 * 3_600_000;
/** A peer's clock may be a little behind ours. */
const backdateMs = 5 * 60_000;

/**
 * Issues certificates that its own certificate vouches for. Keys are on the curve P-256; everything is valid for a year
 * from the moment the authority was made, and lives in memory alone.
 */
export class CertificateAuthority {
  readonly certificatePem: string;
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  readonly #name: Buffer;
  readonly #nowMs: number;

  /** `nowMs`: the time that validity counts from. */
  constructor(commonName: string, nowMs: number) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#privateKey = privateKey;
    this.#publicKey = publicKey;
    this.#nowMs = nowMs;
    this.#name = distinguishedName(commonName, []);
    this.certificatePem = this.#sign(this.#name, publicKey, [
      extension('2.5.29.19', true, sequence(boolean(true))),
      // keyCertSign and cRLSign.
      extension('2.5.29.15', true, bitString(Buffer.from([0b0000_0110]), 1)),
    ]);
  }

  /** Makes a key and a certificate for it. */
  issue({ commonName, organizations = [], usage, hosts = [] }: CertificateRequest): IssuedCertificate {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const purpose = usage === 'server' ? '1.3.6.1.5.5.7.3.1' : '1.3.6.1.5.5.7.3.2';
    const extensions = [
      extension('2.5.29.19', true, sequence()),
      // digitalSignature.
      extension('2.5.29.15', true, bitString(Buffer.from([0b1000_0000]), 7)),
      extension('2.5.29.37', false, sequence(objectIdentifier(purpose))),
      extension('2.5.29.35', false, sequence(implicit(0, keyIdentifier(this.#publicKey)))),
    ];
    if (hosts.length > 0) extensions.push(extension('2.5.29.17', false, sequence(...hosts.map(alternativeName))));
    return {
      certificatePem: this.#sign(distinguishedName(commonName, organizations), publicKey, extensions),
      privateKeyPem: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string,
    };
  }

  #sign(subject: Buffer, publicKey: KeyObject, extensions: readonly Buffer[]): string {
    const algorithm = sequence(objectIdentifier('1.2.840.10045.4.3.2'));
    const subjectKey = extension('2.5.29.14', false, octetString(keyIdentifier(publicKey)));
    const body = sequence(
      explicit(0, integer(Buffer.from([2]))),
      integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
      algorithm,
      this.#name,
      sequence(time(new Date(this.#nowMs - backdateMs)), time(new Date(this.#nowMs + yearMs))),
      subject,
      publicKey.export({ format: 'der', type: 'spki' }),
      explicit(3, sequence(...extensions, subjectKey)),
    );
    const signature = sign('sha256', body, this.#privateKey);
    return pem(sequence(body, algorithm, bitString(signature)));
  }
}

function distinguishedName(commonName: string, organizations: readonly string[]): Buffer {
  const attribute = (type: string, text: string): Buffer => set(sequence(objectIdentifier(type), utf8String(text)));
  return sequence(...organizations.map((name) => attribute('2.5.4.10', name)), attribute('2.5.4.3', commonName));
}

function extension(type: string, critical: boolean, content: Buffer): Buffer {
  return sequence(objectIdentifier(type), ...(critical ? [boolean(true)] : []), octetString(content));
}

/** Not Node's isIPv4: core does without its network. */
const ipv4Pattern = /^(?:\d{1,3}\.){3}\d{1,3}$/;

function alternativeName(host: string): Buffer {
  // Only IPv6 has colons. Node's isIPv6 would compile a regular expression to say so: 4 ms of a server's start.
  if (host.includes(':')) return implicit(7, ipv6Bytes(host));
  if (ipv4Pattern.test(host)) return implicit(7, Buffer.from(host.split('.').map(Number)));
  return implicit(2, Buffer.from(host, 'ascii'));
}

function ipv6Bytes(address: string): Buffer {
  const [head = '', tail = ''] = address.split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const before = groups(head);
  const after = groups(tail);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return Buffer.concat([...before, ...zeros, ...after].map((group) => Buffer.from(group.padStart(4, '0'), 'hex')));
}

/** SHA-1 of the key's bits (RFC 5280 section 4.2.1.2): a name, not a safeguard. */
function keyIdentifier(publicKey: KeyObject): Buffer {
  // The last 65 bytes of a P-256 key's encoding are the point itself.
  return createHash('sha1')
    .update(publicKey.export({ format: 'der', type: 'spki' }).subarray(-65))
    .digest();
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
