import { parseCertificateRequest } from '@evenkeel/apimachinery/certificate';
import { jsonEqual } from '../apimachinery/index.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { ValidatingAdmissionStep } from '../registry/write-request.ts';
import { forbidden } from '../status/refusal.ts';

interface SigningRequest {
  readonly spec?: { readonly signerName?: string; readonly request?: string };
  readonly status?: { readonly certificate?: string; readonly conditions?: unknown };
}

const clientSigner = 'kubernetes.io/kube-apiserver-client';

/**
 * Rejects CertificateSigningRequests that would give more rights than their author has: for `system:masters`, approved without the verb
 * `approve` on the signer, or signed without its verb `sign`.
 *
 * Source: `plugin/pkg/admission/certificates`: CertificateApproval, CertificateSigning and CertificateSubjectRestriction.
 */
export function certificateAdmission(authorizer: Authorizer): ValidatingAdmissionStep {
  return ({ request, operation, object, current }) => {
    const { kind, user, subresource, name } = request;
    if (kind.names.group !== 'certificates.k8s.io' || kind.names.plural !== 'certificatesigningrequests') return;
    const reject = (why: string): never => {
      throw forbidden(kind.names, name || (object?.metadata.name ?? ''), why);
    };
    const may = (verb: string, signer: string): boolean => {
      const [domain = ''] = signer.split('/');
      return [signer, `${domain}/*`].some((resourceName) => {
        const access = {
          user,
          verb,
          isResource: true,
          group: 'certificates.k8s.io',
          version: '*',
          resource: 'signers',
        };
        return authorizer.authorize({ ...access, namespace: '', subresource: '', name: resourceName, path: '' })
          .allowed;
      });
    };
    const [written, stored] = [object, current].map((it) => (it ?? {}) as unknown as SigningRequest);
    const signer = stored?.spec?.signerName ?? '';
    if (operation === 'UPDATE' && subresource?.name === 'approval' && !may('approve', signer)) {
      reject(`user not permitted to approve requests with signerName ${JSON.stringify(signer)}`);
    }
    if (operation === 'UPDATE' && subresource?.name === 'status' && signs(written, stored) && !may('sign', signer)) {
      reject(`user not permitted to sign requests with signerName ${JSON.stringify(signer)}`);
    }
    if (
      operation === 'CREATE' &&
      written?.spec?.signerName === clientSigner &&
      groupsOf(object).includes('system:masters')
    ) {
      reject(`use of ${clientSigner} signer with system:masters group is not allowed`);
    }
  };
}

function signs(written: SigningRequest | undefined, stored: SigningRequest | undefined): boolean {
  return (
    written?.status?.certificate !== stored?.status?.certificate ||
    !jsonEqual(written?.status?.conditions, stored?.status?.conditions)
  );
}

function groupsOf(object: ApiObject | undefined): readonly string[] {
  const { request = '' } = (object as unknown as SigningRequest).spec ?? {};
  try {
    return parseCertificateRequest(Buffer.from(request, 'base64').toString('latin1')).organizations;
  } catch {
    // The validation rejects it.
    return [];
  }
}
