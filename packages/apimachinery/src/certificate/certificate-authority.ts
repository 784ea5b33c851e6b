import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import type { ParsedRequest } from './certificate-request.ts';
import {
  bitString,
  boolean,
  explicit,
  implicit,
  integer,
  objectIdentifier,
  octetString,
  printableString,
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
  /** The names and addresses of a server. */
  readonly hosts?: readonly string[];
  /** The start of the validity, in milliseconds since the epoch. Default: that of the authority. */
  readonly nowMs?: number;
  /** The validity from `nowMs`. It ends at the latest with that of the authority. Default: until then. */
  readonly validMs?: number;
}

/** How a signing request is signed. The subject, the key and the alternative names are those of the request. */
export interface SigningTerms {
  /** Usages as in a CertificateSigningRequest: `client auth`, `digital signature` and so on. Unknown ones are ignored. */
  readonly usages: readonly string[];
  /** The validity, in milliseconds since the epoch. It never exceeds that of the authority. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** The bits of the usages of a key (RFC 5280 section 4.2.1.3). */
const keyUsages = [
  ...['digital signature', 'content commitment', 'key encipherment', 'data encipherment', 'key agreement'],
  ...['cert sign', 'crl sign', 'encipher only', 'decipher only'],
];
const extendedUsages: Readonly<Record<string, string>> = {
  any: '2.5.29.37.0',
  'server auth': '1.3.6.1.5.5.7.3.1',
  'client auth': '1.3.6.1.5.5.7.3.2',
  'code signing': '1.3.6.1.5.5.7.3.3',
  'email protection': '1.3.6.1.5.5.7.3.4',
  's/mime': '1.3.6.1.5.5.7.3.4',
  timestamping: '1.3.6.1.5.5.7.3.8',
  'ocsp signing': '1.3.6.1.5.5.7.3.9',
};

const yearMs = 365 * 24 * 3_600_000;
/** The clock of a peer may be slightly behind. */
export const backdateMs = 5 * 60_000;

/** What a certificate says beside its subject and its key. */
interface CertificateContents {
  readonly fromMs: number;
  readonly toMs: number;
  readonly extensions: readonly Buffer[];
}

/**
 * A certificate authority that issues certificates for servers and clients. Keys use the curve P-256. It does no I/O: whoever wants
 * to keep an authority stores {@link certificatePem} and {@link privateKeyPem}, and calls {@link load}.
 */
export class CertificateAuthority {
  readonly certificatePem: string;
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  readonly #name: Buffer;
  readonly #fromMs: number;
  readonly #toMs: number;

  /**
   * Creates an authority with a new key.
   *
   * @param nowMs the start of the validity, in milliseconds since the epoch. Certificates start 5 minutes earlier, for clocks
   *   that are behind.
   * @param validMs the length of the validity, in milliseconds. X.509 has whole seconds. Default: 365 days.
   */
  constructor(commonName: string, nowMs: number, validMs?: number);
  /** Use {@link load}. */
  constructor(commonName: string, nowMs: number, validMs: number, stored: IssuedCertificate);
  constructor(commonName: string, nowMs: number, validMs = yearMs, stored?: IssuedCertificate) {
    this.#name = distinguishedName(commonName, []);
    this.#fromMs = nowMs;
    this.#toMs = nowMs + validMs;
    if (stored !== undefined) {
      this.#privateKey = createPrivateKey(stored.privateKeyPem);
      this.#publicKey = createPublicKey(this.#privateKey);
      this.certificatePem = stored.certificatePem;
      return;
    }
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#privateKey = privateKey;
    this.#publicKey = publicKey;
    this.certificatePem = this.#sign(this.#name, publicKey, {
      fromMs: this.#fromMs,
      toMs: this.#toMs,
      extensions: [
        // A certificate authority, which signs no other authority.
        extension('2.5.29.19', true, sequence(boolean(true), integer(Buffer.from([0])))),
        // keyCertSign and cRLSign.
        extension('2.5.29.15', true, bitString(Buffer.from([0b0000_0110]), 1)),
      ],
    });
  }

  /**
   * Returns the authority of a stored certificate and its key. Throws an Error with the reason if {@link authorityProblem} has one,
   * or if the key does not belong to the certificate.
   */
  static load(stored: IssuedCertificate, commonName: string): CertificateAuthority {
    const certificate = new X509Certificate(stored.certificatePem);
    const problem = authorityProblem(certificate, commonName);
    if (problem !== undefined) throw new Error(problem);
    if (!certificate.checkPrivateKey(createPrivateKey(stored.privateKeyPem))) {
      throw new Error('the key is not that of the certificate');
    }
    const fromMs = certificate.validFromDate.getTime() + backdateMs;
    return new CertificateAuthority(commonName, fromMs, certificate.validToDate.getTime() - fromMs, stored);
  }

  /** The key with which the authority signs, as PEM in PKCS #8. Whoever has it can issue certificates. */
  get privateKeyPem(): string {
    return this.#privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
  }

  /** Creates a key and a certificate for it. */
  issue({ commonName, organizations = [], usage, hosts = [], nowMs, validMs }: CertificateRequest): IssuedCertificate {
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
    const fromMs = nowMs ?? this.#fromMs;
    const toMs = Math.min(validMs === undefined ? Number.POSITIVE_INFINITY : fromMs + validMs, this.#toMs);
    return {
      certificatePem: this.#sign(distinguishedName(commonName, organizations), publicKey, { fromMs, toMs, extensions }),
      privateKeyPem: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string,
    };
  }

  /** Signs a request. Returns the certificate as PEM. */
  signRequest(request: ParsedRequest, { usages, fromMs, toMs }: SigningTerms): string {
    const names = usages.map((usage) => (usage === 'signing' ? 'digital signature' : usage));
    const extended = [...new Set(names.flatMap((name) => extendedUsages[name] ?? []))];
    const bits = keyUsages.map((usage) => names.includes(usage));
    const extensions = [
      ...(bits.includes(true) ? [extension('2.5.29.15', true, bitsOf(bits))] : []),
      ...(extended.length > 0
        ? [extension('2.5.29.37', false, sequence(...extended.map((identifier) => objectIdentifier(identifier))))]
        : []),
      extension('2.5.29.19', true, sequence()),
      extension('2.5.29.35', false, sequence(implicit(0, keyIdentifier(this.#publicKey)))),
      ...(request.alternativeNamesDer === undefined ? [] : [request.alternativeNamesDer]),
    ];
    const subject = goName(request.commonName, request.organizations);
    const contents = { fromMs: fromMs + backdateMs, toMs: Math.min(toMs, this.#toMs), extensions };
    return this.#sign(subject, request.publicKey, contents, false);
  }

  #sign(
    subject: Buffer,
    publicKey: KeyObject,
    { fromMs, toMs, extensions }: CertificateContents,
    identifiesKey = true,
  ): string {
    const algorithm = sequence(objectIdentifier('1.2.840.10045.4.3.2'));
    const subjectKeys = identifiesKey ? [extension('2.5.29.14', false, octetString(keyIdentifier(publicKey)))] : [];
    const body = sequence(
      explicit(0, integer(Buffer.from([2]))),
      integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
      algorithm,
      this.#name,
      sequence(time(new Date(fromMs - backdateMs)), time(new Date(toMs))),
      subject,
      publicKey.export({ format: 'der', type: 'spki' }),
      explicit(3, sequence(...extensions, ...subjectKeys)),
    );
    const signature = sign('sha256', body, this.#privateKey);
    return pem(sequence(body, algorithm, bitString(signature)));
  }
}

/**
 * Returns why a certificate is not that of an authority that {@link CertificateAuthority} created with this name; undefined if it
 * is one. Does not check its validity.
 */
export function authorityProblem(certificate: X509Certificate, commonName: string): string | undefined {
  if (!certificate.ca) return 'the certificate is not that of an authority';
  if (certificate.subject !== `CN=${commonName}`) return `the subject of the certificate is not CN=${commonName}`;
  const { publicKey } = certificate;
  if (publicKey.asymmetricKeyDetails?.namedCurve !== 'prime256v1') return 'the key is not one of the curve P-256';
  if (!certificate.verify(publicKey)) return 'the certificate is not signed with its own key';
  return undefined;
}
function distinguishedName(commonName: string, organizations: readonly string[]): Buffer {
  const attribute = (type: string, text: string): Buffer => set(sequence(objectIdentifier(type), utf8String(text)));
  return sequence(...organizations.map((name) => attribute('2.5.4.10', name)), attribute('2.5.4.3', commonName));
}

/** A subject as Go writes it: all organizations in one sorted set, and short strings for ASCII. */
function goName(commonName: string, organizations: readonly string[]): Buffer {
  const text = (value: string): Buffer =>
    (/^[\w '()+,\-./:=?]*$/.test(value) && !value.includes('_') ? printableString : utf8String)(value);
  const attribute = (type: string, value: string): Buffer => sequence(objectIdentifier(type), text(value));
  const sorted = organizations.map((name) => attribute('2.5.4.10', name)).sort(Buffer.compare);
  return sequence(
    ...(sorted.length > 0 ? [set(...sorted)] : []),
    ...(commonName === '' ? [] : [set(attribute('2.5.4.3', commonName))]),
  );
}

/** A bit string without trailing zeros, the first bit in the highest position. */
function bitsOf(bits: readonly boolean[]): Buffer {
  const count = bits.lastIndexOf(true) + 1;
  const bytes = Buffer.alloc(Math.ceil(count / 8));
  for (const [index, isSet] of bits.entries())
    if (isSet) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (128 >> (index & 7));
  return bitString(bytes, bytes.length * 8 - count);
}

function extension(type: string, critical: boolean, content: Buffer): Buffer {
  return sequence(objectIdentifier(type), ...(critical ? [boolean(true)] : []), octetString(content));
}

/** Node's isIPv4 is not used, because this package does no I/O and does not import node:net. */
const ipv4Pattern = /^(?:\d{1,3}\.){3}\d{1,3}$/;

function alternativeName(host: string): Buffer {
  // Only IPv6 has colons. Node's isIPv6 would compile a regular expression, which takes 4 ms of a server's start.
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

/** SHA-1 of the key's bits (RFC 5280 section 4.2.1.2). It identifies the key and protects nothing. */
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
