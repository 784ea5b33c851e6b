import { X509Certificate } from 'node:crypto';

/**
 * The reason why a TLS client cannot use certificates (PEM in base64); undefined if at least one is valid (`rootCertPool`
 * of k8s.io/client-go transport/transport.go). Go's parser has more exact messages for certificates that it cannot parse.
 */
export function caBundleProblem(bundle: string): string | undefined {
  const blocks = pemBlocks(Buffer.from(bundle, 'base64').toString('latin1'));
  const certificates = blocks.certificates.map(isCertificate);
  if (certificates.includes(true)) return undefined;
  let reason = 'no valid certificate authority data seen';
  if (certificates.length > 0) reason = 'failed to parse certificate: x509: malformed certificate';
  else if (blocks.hasRest) reason = 'unable to parse bytes as PEM block';
  return `unable to load root certificates: ${reason}`;
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

function isCertificate(content: Buffer): boolean {
  try {
    new X509Certificate(content);
    return true;
  } catch {
    return false;
  }
}
