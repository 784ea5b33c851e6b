import { apiVersionOf, type LabelSelectorSpec, type ManagedFieldsEntry } from '@evenkeel/core';
import type { SchemaNode } from '@evenkeel/kinds/schemas';
import { copyJson, goQuote, invalid, isJsonObject, type JsonObject } from '../apimachinery/index.ts';
import { applyObject, describeObject } from '../apply/apply-object.ts';
import { managerNameOf } from '../apply/manager.ts';
import { parentManagedFields, type ReplicasPaths, scaleManagedFields } from '../apply/scale-managed-fields.ts';
import { updateManagedFields } from '../apply/update-managed-fields.ts';
import { type ApiObject } from '../kind/api-object.ts';
import type { KindDescription } from '../kind/kind-description.ts';
import { labelSelectorText } from '../kind/label-selector-text.ts';
import { DecodingError } from '../kind/object-codec.ts';
import type { ScaleSubresource } from '../kind/subresource.ts';
import { patchFailed } from '../patch/patch-refusal.ts';
import type { ApiResponse } from '../request/api-request.ts';
import {
  badRequest,
  conflict,
  internalError,
  invalidObject,
  modifiedMeanwhile,
  notFound,
  refusal,
} from '../status/refusal.ts';
import { type DecodedBody, decodeAs, membersOf, schemaOfKind } from './body-type.ts';
import { encodedResponse, encodePartial, prepareStored } from './encoding.ts';
import { negotiate, type Representation } from './negotiation.ts';
import { PatchedObject, type PatchType, patchOrError, patchText, patchTypeOf } from './patch-body.ts';
import { type WriteOptions, writeOptionsOf } from './query-options.ts';
import { bodyText, cannotHandle, parseBody } from './request-body.ts';
import type { ResourceRequest } from './server-resources.ts';
import { includedObjectOf, tableOf } from './table.ts';
import { checkName, valueOr, writeRequestOf, yamlOrError } from './write-objects.ts';

const scaleKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

export async function getScale(resource: ResourceRequest, scale: ScaleSubresource): Promise<ApiResponse> {
  const { server, context, kind, codec } = resource;
  const representation = negotiate(context.headers, context.query, { transforms: true });
  const stored = server.store.get(kind.storageKey, namespaceOf(resource), context.info.name);
  if (stored === undefined) throw notFound(kind.names, context.info.name);
  await prepareStored(codec, [stored], { again: true });
  const object = codec.fromStorage(stored.object);
  if (kind.custom && valueAtPath(object, scale.specReplicasPath) === undefined) {
    throw internalError(`the spec replicas field ${goQuote(scale.specReplicasPath)} does not exist`);
  }
  return scaleResponse(resource, scaleOf(object, scale), representation);
}

/** A Scale in the requested form. */
async function scaleResponse(
  { context, kind, server }: ResourceRequest,
  scale: ApiObject,
  representation: Representation,
): Promise<ApiResponse> {
  const json = (): string => JSON.stringify(scale);
  switch (representation.as) {
    case 'object':
      return encodedResponse(200, json(), representation);
    case 'PartialObjectMetadata':
      return encodedResponse(200, encodePartial(scale), representation);
    case 'Table': {
      const { resourceVersion } = scale.metadata;
      const table = tableOf(await server.catalog.scalePrinter(kind), [{ object: scale, json }], {
        metadata: { resourceVersion },
        include: includedObjectOf(context.query),
        now: server.clock.now(),
        headers: true,
        metaVersion: representation.metaVersion,
      });
      return encodedResponse(200, table, representation);
    }
    default:
      throw refusal(
        406,
        'NotAcceptable',
        `you requested ${representation.as}, but the requested object is not a list (*${kind.custom ? 'v1' : 'autoscaling'}.Scale)`,
      );
  }
}

/** Writes the replicas of an object through its Scale, with PUT or a patch of it. */
export async function writeScale(resource: ResourceRequest, scale: ScaleSubresource): Promise<ApiResponse> {
  const { server, context, kind, codec } = resource;
  const representation = negotiate(context.headers, context.query, { transforms: true });
  const patches = context.info.verb === 'patch';
  const type = patches ? patchTypeOf(context.headers['content-type'] ?? '', kind.custom) : undefined;
  const applies = type === 'application/apply-patch+yaml';
  const options = writeOptionsOf(context.query, patches ? 'PatchOptions' : 'UpdateOptions', applies);
  const schema = await schemaOfKind(scaleKind);
  const makeScale = await (applies
    ? appliedScale(resource, schema, options)
    : changedScale(resource, schema, options, type));
  const write = writeRequestOf(resource, options, context.info.name);
  const paths = replicasPaths(scale, kind.names);
  const liveScale = (current: ApiObject): ApiObject => {
    const shown = scaleOf(current, scale);
    const managedFields = scaleManagedFields(current.metadata.managedFields, paths);
    return managedFields === undefined
      ? shown
      : { ...shown, metadata: { ...shown.metadata, managedFields: [...managedFields] } };
  };
  const result = await server.registry.update(
    write,
    (current) => {
      if (current === undefined) throw notFound(kind.names, write.name);
      const { scale: after, managedFields } = makeScale(liveScale(current));
      const { resourceVersion, uid } = after.metadata;
      if (uid && uid !== current.metadata.uid) throw conflict(kind.names, write.name, modifiedMeanwhile);
      if (resourceVersion && resourceVersion !== current.metadata.resourceVersion) {
        throw conflict(kind.names, write.name, modifiedMeanwhile);
      }
      return { ...after, metadata: { ...after.metadata, ...(managedFields && { managedFields: [...managedFields] }) } };
    },
    {
      ownsManagedFields: true,
      form: {
        of: (object) => scaleOf(object, scale),
        live: liveScale,
        merge: (scaled, current) => withScale(current, scaled, scale, kind),
        decode: (json) => decodeAs(scaleKind, schema, json, server.catalog).object,
      },
    },
  );
  if (result.stored !== undefined) await prepareStored(codec, [result.stored]);
  const written = result.stored === undefined ? result.object : codec.fromStorage(result.stored.object);
  return scaleResponse(resource, scaleOf(written, scale), representation);
}

/** A changed Scale with its managed fields. */
interface ScaleChange {
  readonly scale: ApiObject;
  readonly managedFields: readonly ManagedFieldsEntry[] | undefined;
}

const toOtherGroup = 'to proper version: request to convert CR to an invalid group/version: autoscaling/v1';

async function appliedScale(
  { request, context, kind, server }: ResourceRequest,
  schema: SchemaNode,
  options: WriteOptions,
): Promise<(live: ApiObject) => ScaleChange> {
  const body = await yamlOrError(bodyText(request.body));
  const empty = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: {}, spec: {}, status: { replicas: 0 } };
  return (live) => {
    const { value: applied } = valueOr(body);
    if (!isJsonObject(applied)) throw badRequest('error decoding YAML: the applied value is not an object');
    const isScale = applied['apiVersion'] === 'autoscaling/v1' && applied['kind'] === 'Scale';
    if (kind.custom && isScale && (live.metadata.managedFields ?? []).length === 0) {
      throw patchFailed(
        `failed to create manager for existing fields: failed to convert live object (/; autoscaling/v1, Kind=Scale) ${toOtherGroup}`,
      );
    }
    const outcome = applyObject({
      schema,
      ...{ apiVersion: 'autoscaling/v1', kind: 'Scale', subresource: 'scale' },
      empty,
      live: live as unknown as JsonObject,
      applied,
      manager: options.fieldManager,
      force: options.force === true,
      now: new Date(server.clock.now()),
    });
    if (outcome.kind === 'conflict') throw outcome.error;
    // Upstream converts the applied Scale as if it were an object of the custom kind.
    if (kind.custom) {
      throw patchFailed(`failed to convert new object (${describeObject(applied)}) ${toOtherGroup}`);
    }
    const scale = decodeAs(scaleKind, schema, copyJson(outcome.object), server.catalog).object;
    checkName(scale, context.info.name, namespaceOf({ kind, context }));
    return { scale, managedFields: outcome.managedFields };
  };
}

async function changedScale(
  { request, context, kind, server }: ResourceRequest,
  schema: SchemaNode,
  options: WriteOptions,
  type: PatchType | undefined,
): Promise<(live: ApiObject) => ScaleChange> {
  const { name } = context.info;
  const namespace = namespaceOf({ kind, context });
  const withManagers = (live: ApiObject, after: ApiObject): ScaleChange => ({
    scale: after,
    managedFields: updateManagedFields({
      live: live as unknown as JsonObject,
      updated: { ...after, metadata: { ...after.metadata, managedFields: undefined } } as unknown as JsonObject,
      schema,
      apiVersion: 'autoscaling/v1',
      manager: managerNameOf(options.fieldManager, context.headers['user-agent']),
      subresource: 'scale',
      now: new Date(server.clock.now()),
    }),
  });
  if (type !== undefined) {
    const patch = patchOrError(type, bodyText(request.body), options.fieldValidation);
    return (live) => {
      const valid = valueOr(patch);
      context.audit?.requestPatch(() => patchText(valid));
      const before = { ...live, metadata: { ...live.metadata } };
      delete before.metadata.managedFields;
      const patched = new PatchedObject(valid, before, schema);
      const after = decodedScale(
        () => patched.json(),
        (why) => patched.invalid(why),
      );
      checkName(after, name, namespace);
      return withManagers(live, after);
    };
  }
  const body = await parseBody(request.body, context.headers['content-type'], { strict: true, kind: 'Scale' });
  const value = membersOf(body, 'Scale');
  const after = decodedScale(
    () => value,
    (why) => {
      // For custom kinds, the real server looks up the options in a scheme that does not contain Scale.
      const plain = 'no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"';
      return badRequest(kind.custom ? plain : cannotHandle(scaleKind, value, why));
    },
  );
  context.audit?.requestObject(after);
  checkName(after, name, namespace);
  return (live) => withManagers(live, after);

  function decodedScale(read: () => JsonObject, refused: (why: string) => Error): ApiObject {
    const converts = type === 'application/strategic-merge-patch+json';
    const { object, strictErrors } = decodedOr(refused, () =>
      decodeAs(scaleKind, schema, read(), server.catalog, { converts }),
    );
    if (strictErrors.length > 0 && options.fieldValidation === 'Strict') {
      throw refused(`strict decoding error: ${strictErrors.join(', ')}`);
    }
    if (options.fieldValidation === 'Warn') for (const error of strictErrors) context.warn(error);
    // Go omits a zero, so it has no manager.
    const { spec } = object as { spec?: { replicas?: number } };
    if (spec?.replicas === 0) delete spec.replicas;
    return object;
  }
}

function decodedOr(refused: (why: string) => Error, decode: () => DecodedBody): DecodedBody {
  try {
    return decode();
  } catch (error) {
    if (error instanceof DecodingError) throw refused(error.message);
    throw error;
  }
}

/** The object with the replicas and the managed fields of its Scale. */
function withScale(
  current: ApiObject,
  scaled: ApiObject,
  scale: ScaleSubresource,
  { names, custom }: KindDescription,
): ApiObject {
  const replicas = (valueAtPath(scaled, '.spec.replicas') as number | undefined) ?? 0;
  // The validation of a custom object contains this rule, with its own message.
  if (replicas < 0 && !custom) {
    const detail = 'must be greater than or equal to 0';
    throw invalidObject(scale.kind, scaled.metadata.name, [invalid('spec.replicas', replicas, detail)]);
  }
  const object = copyJson(current);
  setValueAtPath(object, scale.specReplicasPath, replicas);
  const paths = replicasPaths(scale, names);
  const { managedFields } = scaled.metadata;
  const owned = parentManagedFields(current.metadata.managedFields, managedFields, apiVersionOf(names), paths);
  if (owned === undefined) delete object.metadata.managedFields;
  else object.metadata.managedFields = owned;
  return object;
}

function replicasPaths({ specReplicasPath }: ScaleSubresource, names: KindDescription['names']): ReplicasPaths {
  return new Map([[apiVersionOf(names), pathParts(specReplicasPath)]]);
}

/** The Scale of an object (`scaleFromDeployment` and similar). */
export function scaleOf(object: ApiObject, scale: ScaleSubresource): ApiObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = selectorText(scale.labelSelectorPath && valueAtPath(object, scale.labelSelectorPath));
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(creationTimestamp !== undefined && { creationTimestamp }),
    },
    spec: replicasAt(object, scale.specReplicasPath),
    status: {
      replicas: (valueAtPath(object, scale.statusReplicasPath) as number | undefined) ?? 0,
      ...(selector !== '' && { selector }),
    },
  };
}

function replicasAt(object: ApiObject, path: string): { replicas?: number } {
  const replicas = valueAtPath(object, path);
  return typeof replicas === 'number' && replicas !== 0 ? { replicas } : {};
}

function selectorText(selector: unknown): string {
  if (typeof selector === 'string') return selector;
  if (!isJsonObject(selector)) return '';
  const { matchLabels, matchExpressions } = selector as LabelSelectorSpec;
  const isMap = matchLabels === undefined && matchExpressions === undefined;
  return labelSelectorText(
    isMap ? { matchLabels: selector as Record<string, string> } : (selector as LabelSelectorSpec),
  );
}

function namespaceOf({ kind, context }: Pick<ResourceRequest, 'kind' | 'context'>): string {
  return kind.names.namespaced ? context.info.namespace : '';
}

/** The parts of a path such as `.spec.replicas`, the only form that scale paths have. */
function pathParts(path: string): string[] {
  return path.split('.').filter((part) => part !== '');
}

function valueAtPath(object: object, path: string): unknown {
  let value: unknown = object;
  for (const part of pathParts(path)) {
    if (!isJsonObject(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}

function setValueAtPath(object: ApiObject, path: string, value: unknown): void {
  const parts = pathParts(path);
  const last = parts.pop() ?? '';
  let parent: Record<string, unknown> = object;
  for (const part of parts) {
    const next = Object.hasOwn(parent, part) ? parent[part] : undefined;
    const child = isJsonObject(next) ? next : {};
    parent[part] = child;
    parent = child;
  }
  parent[last] = value;
}
