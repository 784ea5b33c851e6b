import { randomUUID } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';

/** The contents of a kubeconfig: the server's address and CA, and the user's credentials. */
export interface KubeconfigContents {
  readonly server: string;
  readonly certificateAuthorityPem: string;
  readonly token?: string;
  readonly clientCertificate?: { readonly certificatePem: string; readonly privateKeyPem: string };
  /** The name of cluster, user and context. */
  readonly name: string;
}

/**
 * Writes a kubeconfig that only its owner can read (mode 0600). The write is atomic: a concurrent reader sees the whole file
 * or none.
 */
export async function writeKubeconfig(file: string, contents: KubeconfigContents): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, kubeconfigText(contents), { mode: 0o600, flag: 'wx' });
  await rename(draft, file);
}

/** Every value is quoted as JSON, which is valid YAML. */
export function kubeconfigText({
  server,
  certificateAuthorityPem,
  token,
  clientCertificate,
  name,
}: KubeconfigContents): string {
  const base64 = (pem: string): string => Buffer.from(pem).toString('base64');
  const lines = [
    'apiVersion: v1',
    'kind: Config',
    'clusters:',
    `- name: ${JSON.stringify(name)}`,
    '  cluster:',
    `    server: ${JSON.stringify(server)}`,
    `    certificate-authority-data: ${base64(certificateAuthorityPem)}`,
    'users:',
    `- name: ${JSON.stringify(name)}`,
    '  user:',
    ...(token === undefined ? [] : [`    token: ${JSON.stringify(token)}`]),
    ...(clientCertificate === undefined
      ? []
      : [
          `    client-certificate-data: ${base64(clientCertificate.certificatePem)}`,
          `    client-key-data: ${base64(clientCertificate.privateKeyPem)}`,
        ]),
    'contexts:',
    `- name: ${JSON.stringify(name)}`,
    '  context:',
    `    cluster: ${JSON.stringify(name)}`,
    `    user: ${JSON.stringify(name)}`,
    '    namespace: default',
    `current-context: ${JSON.stringify(name)}`,
  ];
  return `${lines.join('\n')}\n`;
}
