import { apiVersionOf, type GroupVersionKind } from '@evenkeel/core';
import { type SchemaNode, schemaOf } from '@evenkeel/kinds/schemas';
import { goQuote, isJsonObject, type JsonObject, jsonKindOf } from '../apimachinery/index.ts';
import type { KindCatalog } from '../catalog/kind-catalog.ts';
import type { ApiObject } from '../kind/api-object.ts';
import { DecodingError, strictErrorsMax } from '../kind/object-codec.ts';
import { TypedDecoder } from '../kind/typed-decoder.ts';
import { badRequest } from '../status/refusal.ts';
import { cannotHandle, type ParsedBody, summarizeBody, unrecognized, warnOf } from './request-body.ts';

/** The members of a body. Throws 400 if it is not an object. */
export function membersOf({ value, text }: Pick<ParsedBody, 'value' | 'text'>, kind: string): JsonObject {
  if (isJsonObject(value)) {
    const mismatch = typeMismatch(value, Object.keys(value));
    if (mismatch !== undefined) throw unrecognized(kind, `${mismatch} (${summarizeBody(text)})`);
    return value;
  }
  // Go decodes null into an empty struct.
  if (value === null) return {};
  throw unrecognized(kind, `${noTypeIn(value)} (${Buffer.from(text).toString('hex')})`);
}

/** Why Go cannot read the type of a value that is not an object. */
export function noTypeIn(value: unknown): string {
  const target =
    'Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
  return `json parse error: json: cannot unmarshal ${jsonKindOf(value)} into ${target}`;
}

/** Why Go cannot read the type of an object: the first one of these members with the type is not a text. */
export function typeMismatch(object: JsonObject, names: readonly string[]): string | undefined {
  const name = names.find((it) => {
    const value = object[it] ?? '';
    return (it === 'apiVersion' || it === 'kind') && typeof value !== 'string';
  });
  if (name === undefined) return undefined;
  const given = jsonKindOf(object[name]);
  return `json parse error: json: cannot unmarshal ${given} into Go struct field .${name} of type string`;
}

/** Versions that the server still decodes, although it serves only the newer one. */
const olderVersions: ReadonlyMap<string, string> = new Map([['policy/v1 Eviction', 'policy/v1beta1']]);

/**
 * Why a body with this type cannot be decoded as a built-in kind; undefined if it can. If the body omits its type, that of
 * the path applies.
 */
export function otherTypeOf(expected: GroupVersionKind, value: JsonObject, catalog: KindCatalog): string | undefined {
  const expectedVersion = apiVersionOf(expected);
  const given = String(value['apiVersion'] || expectedVersion);
  const kind = String(value['kind'] || expected.kind);
  if (kind === expected.kind) {
    if (given === expectedVersion || given === olderVersions.get(`${expectedVersion} ${kind}`)) return undefined;
  }
  const [group = '', version = ''] = given.includes('/') ? given.split('/', 2) : ['', given];
  const other = catalog.findKind(group, version, kind);
  if (other === undefined || other.custom) {
    return `no kind ${goQuote(kind)} is registered for version ${goQuote(given)} in scheme "pkg/runtime/scheme.go:111"`;
  }
  const internal = expected.group === '' ? 'core' : (expected.group.split('.')[0] ?? '');
  return `converting (${version}.${kind}) to (${internal}.${expected.kind}): unknown conversion`;
}

/** The decoded body of a subresource, with its strict decoding errors. */
export interface DecodedBody {
  readonly object: ApiObject;
  readonly strictErrors: readonly string[];
}

/**
 * Decodes a value as a built-in kind that only a subresource has. Throws {@link DecodingError} if it is another kind. `converts`: the
 * value is the result of a strategic patch. Default: false.
 */
export function decodeAs(
  expected: GroupVersionKind,
  schema: SchemaNode,
  value: JsonObject,
  catalog: KindCatalog,
  { converts = false } = {},
): DecodedBody {
  const other = otherTypeOf(expected, value, catalog);
  if (other !== undefined) throw new DecodingError(other);
  const decoder = new TypedDecoder({ readsText: true, converts });
  const { kind: _, apiVersion: __, ...members } = decoder.struct(value, schema);
  const object = { kind: expected.kind, apiVersion: apiVersionOf(expected), ...members } as unknown as ApiObject;
  return { object, strictErrors: decoder.unknownFields.map((field) => `unknown field ${goQuote(field)}`) };
}

/** Decodes a body in the same way. Errors become 400, or warnings if the request asks for them. */
export function decodeBodyAs(
  expected: GroupVersionKind,
  schema: SchemaNode,
  body: ParsedBody,
  terms: {
    readonly catalog: KindCatalog;
    readonly fieldValidation: string;
    readonly warn: (message: string) => void;
  },
): ApiObject {
  const value = membersOf(body, expected.kind);
  let decoded: DecodedBody;
  try {
    decoded = decodeAs(expected, schema, value, terms.catalog);
  } catch (error) {
    if (error instanceof DecodingError) throw badRequest(cannotHandle(expected, value, error.message));
    throw error;
  }
  const strictErrors = [...decoded.strictErrors, ...body.strictErrors].slice(0, strictErrorsMax);
  if (strictErrors.length > 0 && terms.fieldValidation === 'Strict') {
    throw badRequest(cannotHandle(expected, value, `strict decoding error: ${strictErrors.join(', ')}`));
  }
  if (terms.fieldValidation === 'Warn') warnOf(strictErrors, terms.warn);
  return decoded.object;
}

/** The schema of a built-in kind by its group. Go's packages contain only the first part of the group. */
export function schemaOfKind({ group, version, kind }: GroupVersionKind): Promise<SchemaNode> {
  return schemaOf(`io.k8s.api.${group === '' ? 'core' : (group.split('.')[0] ?? '')}.${version}.${kind}`);
}
