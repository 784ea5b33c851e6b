import type { AdmissionInput } from '@evenkeel/schema/evaluate';
import type { JsonObject } from '../../apimachinery/index.ts';
import type { Authorizer } from '../../authorization/authorizer.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { KindDescription } from '../../kind/kind-description.ts';
import type { AdmissionRequest } from '../../registry/write-request.ts';
import { notFound } from '../../status/refusal.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { accessChecks, requestResourceOf } from '../access-checks.ts';
import { requestIn, type VersionedObjects } from '../admitted-request.ts';
import type { RequestAttributes } from '../resource-rule.ts';

/** One request as the expressions of policies see it. */
export class PolicyRequest {
  readonly admission: AdmissionRequest;
  readonly attributes: RequestAttributes;
  readonly #store: ObjectStore;
  readonly #authorizer: Authorizer;

  constructor(
    admission: AdmissionRequest,
    attributes: RequestAttributes,
    { store, authorizer }: { readonly store: ObjectStore; readonly authorizer: Authorizer },
  ) {
    this.admission = admission;
    this.attributes = attributes;
    this.#store = store;
    this.#authorizer = authorizer;
  }

  /**
   * The values of the variables for a policy that asks for a version of the kind. Throws StatusError 404 if the request's
   * namespace does not exist.
   */
  input(kind: KindDescription, { object, oldObject }: VersionedObjects, param: ApiObject | undefined): AdmissionInput {
    return {
      object: object ?? null,
      oldObject: oldObject ?? null,
      request: requestIn(kind, this.attributes, this.admission),
      params: param ?? null,
      namespaceObject: this.#namespaceObject(),
      authorize: accessChecks(this.#authorizer, this.admission.request.user),
      requestResource: requestResourceOf(this.attributes),
    };
  }

  /** A Namespace without the metadata that upstream hides. Requests for Namespaces see none. */
  #namespaceObject(): JsonObject | null {
    const { namespace, resource } = this.attributes;
    const isNamespace = resource.group === '' && resource.resource === 'namespaces';
    if (namespace === '' || isNamespace) return null;
    const stored = this.#store.get('/namespaces', '', namespace);
    if (stored === undefined) throw notFound({ group: '', plural: 'namespaces' }, namespace);
    const { metadata, spec, status } = stored.object as ApiObject & {
      readonly spec?: object;
      readonly status?: object;
    };
    const { managedFields: _, ownerReferences: __, ...shown } = metadata;
    return { metadata: shown, spec, status };
  }
}
