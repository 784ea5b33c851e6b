import type { KeyObject } from 'node:crypto';
import { type DerValue, derAt, identifierOf, readDer } from './der-reader.ts';

/** What a certificate signing request (RFC 2986) asks for. */
export interface ParsedRequest {
  readonly commonName: string;
  /** In the order of the request. */
  readonly organizations: readonly string[];
  /** The number of each type of alternative names. */
  readonly alternativeNames: {
    readonly dns: number;
    readonly ip: number;
    readonly email: number;
    readonly uri: number;
  };
  /** The extension with the alternative names in DER; undefined if there is none. */
  readonly alternativeNamesDer: Buffer | undefined;
  readonly publicKey: KeyObject;
}

const requestPem = /-----BEGIN ([A-Z ]+)-----\r?\n([\s\S]*?)-----END \1-----/;

/**
 * Parses the `spec.request` of a CertificateSigningRequest, which is PEM in base64, and checks its signature. Throws an Error with the
 * reason, in the words of Go's `crypto/x509`. The first call loads `node:crypto`.
 */
export function parseCertificateRequest(request: string): ParsedRequest {
  const pem = Buffer.from(request, 'base64').toString('latin1');
  const [, type, body = ''] = requestPem.exec(pem) ?? [];
  if (type !== 'CERTIFICATE REQUEST') throw new Error('PEM block type must be CERTIFICATE REQUEST');
  const der = Buffer.from(body, 'base64');
  if (der.length === 0) throw new Error('asn1: syntax error: sequence truncated');
  const parsed = derAt(der, 0);
  if (parsed.tag !== sequenceTag) throw malformed;
  if (parsed.bytes.length < der.length) throw new Error('asn1: syntax error: trailing data');
  const [info, algorithm, signature] = readDer(parsed.content);
  if (info?.tag !== sequenceTag || algorithm?.tag !== sequenceTag || signature?.tag !== bitStringTag) throw malformed;
  const [version, subject, key, attributes] = readDer(info.content);
  if (version === undefined || subject?.tag !== sequenceTag || key?.tag !== sequenceTag) throw malformed;
  const publicKey = publicKeyOf(key);
  checkSignature(info, algorithm, signature, publicKey);
  const alternative = attributes && alternativeNamesOf(attributes);
  return { ...namesOf(subject), ...countsOf(alternative), alternativeNamesDer: alternative?.bytes, publicKey };
}

const sequenceTag = 0x30;
const bitStringTag = 0x03;
const malformed = new Error('asn1: structure error: the certificate request is malformed');

function publicKeyOf({ bytes }: DerValue): KeyObject {
  try {
    return process.getBuiltinModule('node:crypto').createPublicKey({ key: bytes, format: 'der', type: 'spki' });
  } catch {
    throw new Error('x509: invalid public key');
  }
}

/** The hash of each supported algorithm, which is also the one of its signatures. */
const hashes: Readonly<Record<string, string | null>> = {
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
  '1.3.101.112': null,
};

function checkSignature(info: DerValue, algorithm: DerValue, signature: DerValue, key: KeyObject): void {
  const [identifier] = readDer(algorithm.content);
  const hash = identifier && hashes[identifierOf(identifier)];
  if (hash === undefined) throw new Error('x509: cannot verify signature: algorithm unimplemented');
  // The first byte of a bit string is the number of unused bits.
  const { verify } = process.getBuiltinModule('node:crypto');
  if (verify(hash, info.bytes, key, signature.content.subarray(1))) return;
  const failures: Readonly<Record<string, string>> = {
    rsa: 'crypto/rsa: verification error',
    ec: 'x509: ECDSA verification failure',
    ed25519: 'x509: Ed25519 verification failure',
  };
  throw new Error(failures[key.asymmetricKeyType ?? ''] ?? 'x509: verification failure');
}

function namesOf(subject: DerValue): Pick<ParsedRequest, 'commonName' | 'organizations'> {
  let commonName = '';
  const organizations: string[] = [];
  for (const set of readDer(subject.content)) {
    for (const attribute of readDer(set.content)) {
      const [type, value] = readDer(attribute.content);
      if (type === undefined || value === undefined) throw malformed;
      const identifier = identifierOf(type);
      if (identifier === '2.5.4.3') commonName = value.content.toString('utf8');
      if (identifier === '2.5.4.10') organizations.push(value.content.toString('utf8'));
    }
  }
  return { commonName, organizations };
}

/** The extension with the alternative names among the attributes of a request. */
function alternativeNamesOf(attributes: DerValue): DerValue | undefined {
  for (const attribute of readDer(attributes.content)) {
    const [type, values] = readDer(attribute.content);
    if (type === undefined || values === undefined || identifierOf(type) !== '1.2.840.113549.1.9.14') continue;
    for (const extensions of readDer(values.content)) {
      for (const extension of readDer(extensions.content)) {
        const [identifier] = readDer(extension.content);
        if (identifier !== undefined && identifierOf(identifier) === '2.5.29.17') return extension;
      }
    }
  }
  return undefined;
}

function countsOf(extension: DerValue | undefined): Pick<ParsedRequest, 'alternativeNames'> {
  const value = extension && readDer(extension.content).at(-1);
  const [names] = value === undefined ? [] : readDer(value.content);
  const tags = names === undefined ? [] : readDer(names.content).map(({ tag }) => tag & 31);
  const count = (tag: number): number => tags.filter((other) => other === tag).length;
  return { alternativeNames: { dns: count(2), ip: count(7), email: count(1), uri: count(6) } };
}
