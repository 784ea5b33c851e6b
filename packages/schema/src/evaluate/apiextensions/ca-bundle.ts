import type { X509Certificate } from 'node:crypto';

/**
 * The reason why a TLS client cannot use certificates (PEM in base64); undefined if at least one is valid (`rootCertPool`
 * of k8s.io/client-go transport/transport.go). Go's parser has more exact messages for certificates that it cannot parse.
 */
export function caBundleProblem(bundle: string): string | undefined {
  const blocks = pemBlocks(Buffer.from(bundle, 'base64').toString('latin1'));
  if (blocks.certificates.some((content) => certificateOf(content) !== undefined)) return undefined;
  let reason = 'no valid certificate authority data seen';
  if (blocks.certificates.length > 0) reason = 'failed to parse certificate: x509: malformed certificate';
  else if (blocks.hasRest) reason = 'unable to parse bytes as PEM block';
  return `unable to load root certificates: ${reason}`;
}

/** Returns the certificates that a TLS client trusts because of a bundle (PEM in base64). */
export function caBundleCertificates(bundle: string): X509Certificate[] {
  const { certificates } = pemBlocks(Buffer.from(bundle, 'base64').toString('latin1'));
  return certificates.flatMap((content) => certificateOf(content) ?? []);
}

interface PemBlocks {
  readonly certificates: readonly Buffer[];
  /** Whether there is anything after the last block. */
  readonly hasRest: boolean;
}

function pemBlocks(text: string): PemBlocks {
  const certificates: Buffer[] = [];
  let end = 0;
  for (const match of text.matchAll(
    /^-----BEGIN ([^\n]*)-----[ \t\r]*\n([A-Za-z0-9+/=\s]*)\n-----END \1-----[ \t\r]*(?:\n|$)/gm,
  )) {
    const [whole, type, content = ''] = match;
    end = match.index + whole.length;
    if (type === 'CERTIFICATE') certificates.push(Buffer.from(content, 'base64'));
  }
  return { certificates, hasRest: end < text.length };
}

function certificateOf(content: Buffer): X509Certificate | undefined {
  try {
    return new (process.getBuiltinModule('node:crypto').X509Certificate)(content);
  } catch {
    return undefined;
  }
}
