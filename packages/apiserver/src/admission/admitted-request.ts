import { apiVersionOf, messageOf, parseApiVersion } from '@evenkeel/core';
import { copyJson, type JsonObject } from '../apimachinery/index.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { KindDescription } from '../kind/kind-description.ts';
import type { AdmissionRequest } from '../registry/write-request.ts';
import { internalError } from '../status/refusal.ts';
import type { RequestAttributes } from './resource-rule.ts';
import { admissionRequestOf } from './webhook-review.ts';

export function attributesOf({ request, operation, name, object, current }: AdmissionRequest): RequestAttributes {
  const { names } = request.kind;
  const { group, version } = names;
  // The kind of a subresource can be another one, such as Scale.
  const { apiVersion, kind } = (object ?? current) as ApiObject;
  const isNamespace = request.kind.storageKey === '/namespaces';
  return {
    operation,
    kind: { ...parseApiVersion(apiVersion), kind },
    resource: { group, version, resource: names.plural },
    subresource: request.subresource?.name ?? '',
    namespace: isNamespace ? name : request.namespace,
    name,
  };
}

/** The AdmissionRequest without uid and objects, for a webhook or policy that asks for a version of the kind. */
export function requestIn(
  { names }: KindDescription,
  attributes: RequestAttributes,
  { request, options }: AdmissionRequest,
): JsonObject {
  const { group, version, kind, plural: resource } = names;
  const isSame = attributes.resource.group === group && attributes.resource.version === version;
  // A subresource with a kind of its own keeps it in every version.
  const keepsKind = isSame || request.kind.names.kind !== attributes.kind.kind;
  return admissionRequestOf({
    attributes,
    kind: keepsKind ? attributes.kind : { group, version, kind },
    resource: { group, version, resource },
    user: request.user,
    dryRun: request.dryRun,
    options: options ?? request.options ?? {},
  });
}

export interface VersionedObjects {
  readonly object: ApiObject | undefined;
  readonly oldObject: ApiObject | undefined;
}

/**
 * The objects of a request in the version that a webhook or policy asks for. Throws StatusError 500 if they cannot be converted.
 *
 * @param mutating whether a mutating webhook asks.
 */
export async function inVersion(
  kind: KindDescription,
  { request, object, current }: AdmissionRequest,
  mutating = false,
): Promise<VersionedObjects> {
  const shown = object ?? current;
  if (kind === request.kind || shown?.kind !== request.kind.names.kind) return { object, oldObject: current };
  try {
    // Upstream converts the old object first.
    const oldObject = current === undefined ? undefined : await converted(current, request.kind, kind);
    return { object: object === undefined ? undefined : await converted(object, request.kind, kind), oldObject };
  } catch (error) {
    const failure = internalError(messageOf(error));
    // As upstream, which wraps it twice there.
    throw mutating ? internalError(failure.message) : failure;
  }
}

async function converted(
  object: ApiObject,
  from: KindDescription,
  to: KindDescription,
  defaults = false,
): Promise<ApiObject> {
  const [source, target] = await Promise.all([from.codec(), to.codec()]);
  const stored = await source.toStorage(copyJson(object));
  if (!defaults && stored.apiVersion === apiVersionOf(to.names)) return stored;
  await target.prepare?.([stored]);
  return copyJson(target.fromStorage(stored));
}

/** The changed object with its defaults, in the version of the request. Throws DecodingError. */
export async function decodedBack(
  kind: KindDescription,
  admission: AdmissionRequest,
  changed: JsonObject,
): Promise<ApiObject> {
  const { request } = admission;
  if (admission.decode !== undefined) return admission.decode(copyJson(changed));
  const { object } = (await kind.codec()).decode(copyJson(changed));
  return kind === request.kind ? object : await converted(object, kind, request.kind, true);
}
