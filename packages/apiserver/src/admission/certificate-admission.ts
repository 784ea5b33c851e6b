import { parseCertificateRequest } from '@evenkeel/apimachinery/certificate-request';
import type { CertificateSigningRequest } from '@evenkeel/kinds';
import { jsonEqual } from '../apimachinery/index.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { ValidatingAdmissionStep } from '../registry/write-request.ts';
import { forbidden } from '../status/refusal.ts';

/** A request, which a client may have sent without a spec. */
type SigningRequest = Partial<CertificateSigningRequest>;

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
    const written = object as SigningRequest | undefined;
    const stored = current as SigningRequest | undefined;
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
      groupsOf(written).includes('system:masters')
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

function groupsOf({ spec }: SigningRequest): readonly string[] {
  try {
    return parseCertificateRequest(spec?.request ?? '').organizations;
  } catch {
    // The validation rejects it.
    return [];
  }
}
