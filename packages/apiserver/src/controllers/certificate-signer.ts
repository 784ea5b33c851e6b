import { backdateMs } from '@evenkeel/apimachinery/certificate';
import { type ParsedRequest, parseCertificateRequest } from '@evenkeel/apimachinery/certificate-request';
import type { CertificateSigningRequest } from '@evenkeel/kinds';
import type { EmbeddedController } from './controller.ts';
import { keyOf, splitKey } from './controller-reference.ts';
import { KeyedSync } from './keyed-sync.ts';

const requests = { group: 'certificates.k8s.io', plural: 'certificatesigningrequests' };

/** `--cluster-signing-duration`. */
const validMs = 365 * 24 * 3_600_000;
/** Below it, the validity does not include the time by which the start is moved back. */
const shortMs = 8 * 3_600_000;

/** Why a signer rejects a request; undefined if it signs it. */
type Check = (request: ParsedRequest, usages: readonly string[]) => string | undefined;

const signers: Readonly<Record<string, Check>> = {
  'kubernetes.io/kube-apiserver-client': (_, usages) =>
    usageProblem(usages, 'client', ['digital signature', 'key encipherment', 'client auth']),
  'kubernetes.io/kube-apiserver-client-kubelet': ({ commonName, organizations, alternativeNames }, usages) => {
    const { dns, ip, email, uri } = alternativeNames;
    if (!isNodes(organizations)) return 'subject organization is not system:nodes';
    if (dns > 0) return 'DNS subjectAltNames are not allowed';
    if (email > 0) return 'Email subjectAltNames are not allowed';
    if (ip > 0) return 'IP subjectAltNames are not allowed';
    if (uri > 0) return 'URI subjectAltNames are not allowed';
    if (!commonName.startsWith('system:node:')) return 'subject common name does not begin with system:node:';
    return usageProblem(usages, 'kubelet client', ['digital signature', 'key encipherment', 'client auth']);
  },
  'kubernetes.io/kubelet-serving': ({ commonName, organizations, alternativeNames }, usages) => {
    const { dns, ip, email, uri } = alternativeNames;
    if (!isNodes(organizations)) return 'subject organization is not system:nodes';
    if (dns + ip < 1) return 'DNS or IP subjectAltName is required';
    if (email > 0) return 'Email subjectAltNames are not allowed';
    if (uri > 0) return 'URI subjectAltNames are not allowed';
    if (!commonName.startsWith('system:node:')) return 'subject common name does not begin with system:node:';
    return usageProblem(usages, 'kubelet serving', ['digital signature', 'key encipherment', 'server auth']);
  },
};

function isNodes(organizations: readonly string[]): boolean {
  return organizations.length === 1 && organizations[0] === 'system:nodes';
}

function usageProblem(usages: readonly string[], what: string, allowed: readonly string[]): string | undefined {
  const other = usages.find((usage) => !allowed.includes(usage));
  if (other !== undefined) return `invalid usage for ${what} certificate: ${other}`;
  const [needed = ''] = allowed.slice(-1);
  return usages.includes(needed) ? undefined : `missing required usage for ${what} certificate: ${needed}`;
}

/**
 * Signs approved CertificateSigningRequests of Kubernetes' own signers with the authority of the server.
 * Source: `pkg/controller/certificates/signer` and `pkg/controller/certificates/authority/policies.go`.
 */
export const certificateSigner: EmbeddedController = {
  name: 'certificatesigningrequest-signing-controller',
  start(context) {
    const { client, clock, authority } = context;
    const sync = new KeyedSync(context, async (key) => {
      const signer = await authority();
      const request = client.get<CertificateSigningRequest>(requests, undefined, splitKey(key).name);
      if (request === undefined || !isWaiting(request)) return;
      const check = signers[request.spec.signerName];
      if (check === undefined) return;
      const parsed = parseCertificateRequest(request.spec.request);
      const usages = request.spec.usages ?? [];
      const problem = check(parsed, usages);
      const { conditions = [] } = request.status ?? {};
      if (problem !== undefined) {
        const failed = { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message: problem } as const;
        await client.updateStatus(requests, {
          ...request,
          status: { ...request.status, conditions: [...conditions, failed] },
        });
        return;
      }
      const lasts = Math.min(validMs, (request.spec.expirationSeconds ?? Number.POSITIVE_INFINITY) * 1000);
      const fromMs = clock.now() - backdateMs;
      const toMs = (lasts < shortMs ? clock.now() : fromMs) + lasts;
      const certificate = Buffer.from(signer.signRequest(parsed, { usages, fromMs, toMs })).toString('base64');
      await client.updateStatus(requests, { ...request, status: { ...request.status, certificate } });
    });
    const stop = client.watch<CertificateSigningRequest>(requests, ({ type, object }) => {
      if (type !== 'DELETED' && isWaiting(object)) sync.add(keyOf(object));
    });
    return () => {
      stop();
      sync.stop();
    };
  },
};

/** Whether a request is approved, and neither signed nor failed. */
function isWaiting({ status }: CertificateSigningRequest): boolean {
  const has = (type: string): boolean => (status?.conditions ?? []).some((condition) => condition.type === type);
  return has('Approved') && !has('Denied') && !has('Failed') && !status?.certificate;
}
