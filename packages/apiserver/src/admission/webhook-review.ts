import type { GroupVersionKind } from '@evenkeel/core';
import { goQuote, isJsonObject, type JsonObject, jsonKindOf, stringifyJson, valueAt } from '../apimachinery/index.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { UserInfo } from '../request/user-info.ts';
import type { GroupVersionResource, RequestAttributes } from './resource-rule.ts';

/** What a review shows of a request, beside its attributes. */
export interface ReviewedRequest {
  readonly attributes: RequestAttributes;
  /** The kind and resource that the webhook asked for; see `matchPolicy: Equivalent`. */
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** The options of the request without their type. */
  readonly options: object;
}

const optionsKind = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' } as const;

/** The AdmissionRequest without uid and objects, in the order of upstream's fields. */
export function admissionRequestOf({ attributes, user, ...request }: ReviewedRequest): JsonObject {
  const { subresource, name, namespace, operation } = attributes;
  const { group, version, kind } = request.kind;
  const { resource } = request.resource;
  return {
    kind: { group, version, kind },
    resource: { group: request.resource.group, version: request.resource.version, resource },
    ...(subresource !== '' && { subResource: subresource }),
    requestKind: attributes.kind,
    requestResource: attributes.resource,
    ...(subresource !== '' && { requestSubResource: subresource }),
    ...(name !== '' && { name }),
    ...(namespace !== '' && { namespace }),
    operation,
    userInfo: {
      ...(user.name !== '' && { username: user.name }),
      ...(user.uid && { uid: user.uid }),
      ...(user.groups.length > 0 && { groups: user.groups }),
      ...(user.extra !== undefined && { extra: user.extra }),
    },
    dryRun: request.dryRun,
    options:
      operation === 'CONNECT'
        ? null
        : { kind: optionsKind[operation], apiVersion: 'meta.k8s.io/v1', ...request.options },
  };
}

/** The review as JSON. An object is missing in a deletion, an old object in a creation. */
export function reviewText(
  version: string,
  uid: string,
  { options, dryRun, ...request }: JsonObject,
  object: ApiObject | undefined,
  oldObject: ApiObject | undefined,
): string {
  return stringifyJson({
    kind: 'AdmissionReview',
    apiVersion: `${reviewGroup}/${version}`,
    request: { uid, ...request, object: object ?? null, oldObject: oldObject ?? null, dryRun, options },
  });
}

const reviewGroup = 'admission.k8s.io';
const reviewVersions = ['v1', 'v1beta1'];

/** The first version that the webhook accepts and the server knows. */
export function reviewVersionOf(accepted: readonly string[]): string | undefined {
  return accepted.find((version) => reviewVersions.includes(version));
}

export interface AdmissionResponse {
  readonly allowed: boolean;
  /** The Status of a denial, unchecked. */
  readonly status: JsonObject;
  readonly warnings: readonly string[];
  /** The decoded bytes of the patch; undefined if there is none. */
  readonly patch: string | undefined;
  readonly patchType: string;
}

/** A response that is not the answer to the review. The message is upstream's. */
export class InvalidResponse extends Error {
  override readonly name = 'InvalidResponse';
  /** Whether client-go's decoder would reject it, and not the check of the decoded review. */
  readonly undecodable: boolean;

  constructor(message: string, undecodable = false) {
    super(message);
    this.undecodable = undecodable;
  }
}

/**
 * Reads the response in a review.
 *
 * Source: `VerifyAdmissionResponse` of apiserver `pkg/admission/plugin/webhook/request`.
 *
 * @throws InvalidResponse if it does not answer the request with this uid.
 */
export function responseIn(review: JsonObject, version: string, uid: string, mutating: boolean): AdmissionResponse {
  const expected = `${reviewGroup}/${version}`;
  const apiVersion = valueAt(review, 'apiVersion') ?? '';
  const kind = valueAt(review, 'kind') ?? '';
  checkType(String(apiVersion), String(kind), version);
  const response = valueAt(review, 'response') ?? undefined;
  if (response === undefined) throw new InvalidResponse('webhook response was absent');
  if (!isJsonObject(response)) throw mismatch(response, '', 'v1.AdmissionResponse');
  const fields = new ResponseFields(response, version);
  const patch = fields.base64('patch');
  const patchType = fields.text('patchType', 'PatchType');
  const answered = fields.text('uid', 'types.UID') ?? '';
  const checked = version === 'v1';
  if (checked && answered !== uid) {
    throw new InvalidResponse(`expected response.uid=${goQuote(uid)}, got ${goQuote(answered)}`);
  }
  if (checked && (apiVersion === '' || kind === '')) {
    const [group = '', itsVersion = ''] = String(apiVersion).includes('/')
      ? String(apiVersion).split('/')
      : ['', apiVersion];
    const got = `${group}/${itsVersion}, Kind=${kind}`;
    throw new InvalidResponse(`expected webhook response of ${expected}, Kind=AdmissionReview, got ${got}`);
  }
  const hasPatch = patch !== undefined && patch !== '';
  if (checked && mutating && hasPatch !== (patchType !== undefined)) {
    const [given, missing] = hasPatch ? ['patch', 'patchType'] : ['patchType', 'patch'];
    throw new InvalidResponse(`webhook returned response.${given} but not response.${missing}`);
  }
  if (checked && !mutating) {
    if (hasPatch) throw new InvalidResponse('validating webhook may not return response.patch');
    if (patchType !== undefined) throw new InvalidResponse('validating webhook may not return response.patchType');
  }
  fields.texts('auditAnnotations');
  return {
    allowed: fields.flag('allowed'),
    status: fields.object('status'),
    warnings: fields.list('warnings'),
    patch: hasPatch && mutating ? patch : undefined,
    patchType: patchType ?? 'JSONPatch',
  };
}

/** Rejects what client-go's decoder does not know, or cannot convert to the version of the review. */
function checkType(apiVersion: string, kind: string, version: string): void {
  const expected = `${reviewGroup}/${version}`;
  const isReview = kind === '' || kind === 'AdmissionReview';
  if (isReview && (apiVersion === '' || apiVersion === expected)) return;
  const isOther = isReview && reviewVersions.some((other) => apiVersion === `${reviewGroup}/${other}`);
  if (isOther || (kind === 'Status' && apiVersion === 'v1')) {
    const given = `${apiVersion.split('/').at(-1)}.${kind || 'AdmissionReview'}`;
    throw new InvalidResponse(`converting (${given}) to (${version}.AdmissionReview): unknown conversion`, true);
  }
  const type = `kind ${goQuote(kind || 'AdmissionReview')} is registered for version ${goQuote(apiVersion || expected)}`;
  throw new InvalidResponse(`no ${type} in scheme "pkg/runtime/scheme.go:111"`, true);
}

/** Reads fields with the messages of Go's decoder. */
class ResponseFields {
  readonly #response: JsonObject;
  readonly #version: string;

  constructor(response: JsonObject, version: string) {
    this.#response = response;
    this.#version = version;
  }

  text(name: string, type: string): string | undefined {
    const value = this.#get(name);
    if (value === undefined || typeof value === 'string') return value;
    throw mismatch(value, `.${name}`, type.includes('.') ? type : `${this.#version}.${type}`);
  }

  flag(name: string): boolean {
    const value = this.#get(name) ?? false;
    if (typeof value === 'boolean') return value;
    throw mismatch(value, `.${name}`, 'bool');
  }

  object(name: string): JsonObject {
    const value = this.#get(name) ?? {};
    if (isJsonObject(value)) return value;
    throw mismatch(value, `.${name}`, 'v1.Status');
  }

  list(name: string): readonly string[] {
    const value = this.#get(name) ?? [];
    if (!Array.isArray(value)) throw mismatch(value, `.${name}`, '[]string');
    const wrong: unknown = value.find((item) => typeof item !== 'string' && item !== null);
    if (wrong !== undefined) throw mismatch(wrong, `.${name}`, 'string');
    return value as string[];
  }

  texts(name: string): void {
    const value = this.#get(name) ?? {};
    if (!isJsonObject(value)) throw mismatch(value, `.${name}`, 'map[string]string');
    const wrong = Object.values(value).find((item) => typeof item !== 'string' && item !== null);
    if (wrong !== undefined) throw mismatch(wrong, `.${name}`, 'string');
  }

  base64(name: string): string | undefined {
    const value = this.#get(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'string') throw mismatch(value, `.${name}`, '[]uint8');
    const text = value.replaceAll(/[\r\n]/g, '');
    const wrong = /[^A-Za-z0-9+/=]/.exec(text)?.index ?? (text.length % 4 === 0 ? undefined : text.length);
    if (wrong !== undefined) throw new InvalidResponse(`illegal base64 data at input byte ${wrong}`, true);
    return Buffer.from(text, 'base64').toString();
  }

  #get(name: string): unknown {
    return valueAt(this.#response, name) ?? undefined;
  }
}

function mismatch(value: unknown, field: string, type: string): InvalidResponse {
  const path = `${field === '' ? 'AdmissionReview' : 'AdmissionResponse'}.response${field}`;
  const what = `json: cannot unmarshal ${jsonKindOf(value)} into Go struct field ${path} of type ${type}`;
  return new InvalidResponse(what, true);
}
