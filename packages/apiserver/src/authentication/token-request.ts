import { rfc3339 } from '@evenkeel/core';
import { type FieldError, invalid, type JsonObject } from '../apimachinery/index.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { ActionSubresource } from '../kind/subresource.ts';
import type { RequestContext } from '../request/request-context.ts';
import { badRequest, conflict, invalidObject, notFound } from '../status/refusal.ts';
import {
  type ObjectLookup,
  type ServiceAccountTokens,
  type TokenGrant,
  tokenIssuer,
} from './service-account-tokens.ts';

const defaultExpirationSeconds = 3600;
const expirationSecondsMin = 600;
const expirationSecondsMax = 2 ** 32;
/** The expiration that the kubelet requests. Such a token of a pod is valid for a year, for clients that do not reload it. */
const kubeletExpirationSeconds = 3607;
const extendedExpirationSeconds = 365 * 24 * 3600;

const requests = { group: 'authentication.k8s.io', kind: 'TokenRequest' };

interface BoundReference {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly name?: string;
  readonly uid?: string;
}

interface TokenRequestSpec {
  expirationSeconds?: number | null;
  audiences?: string[] | null;
  boundObjectRef?: BoundReference | null;
}

/** `SetDefaults_TokenRequest`. */
export function defaultTokenRequest(request: ApiObject): void {
  const spec: TokenRequestSpec = request['spec'] ?? {};
  spec.expirationSeconds ??= defaultExpirationSeconds;
  request['spec'] = spec;
}

/**
 * The subresource `serviceaccounts/token`, which issues a token for a service account. Source:
 * `pkg/registry/core/serviceaccount/storage/token.go`.
 */
export function tokenRequest(tokens: ServiceAccountTokens, lookup: ObjectLookup): ActionSubresource['handle'] {
  return async (context, findAccount, body) => {
    const { info, clock } = context;
    const { metadata = {}, spec: asked = {} } = (body ?? {}) as { metadata?: JsonObject; spec?: TokenRequestSpec };
    const { name: given, namespace: _, uid: __, creationTimestamp: ___, ...others } = metadata;
    if (typeof given === 'string' && given !== '' && given !== info.name) {
      const detail = 'must match the service account name if specified';
      throw invalidObject(requests, info.name, [invalid('metadata.name', given, detail)]);
    }
    const account = findAccount();
    const expirationSeconds = asked.expirationSeconds ?? defaultExpirationSeconds;
    const errors = expirationErrors(expirationSeconds);
    if (errors.length > 0) throw invalidObject(requests, '', errors);
    const audiences = (asked.audiences ?? []).length === 0 ? [tokenIssuer] : (asked.audiences ?? []);
    const bound = asked.boundObjectRef ?? undefined;
    const binding = bound === undefined ? {} : bindingOf(bound, context, lookup);
    const extended =
      binding.pod !== undefined &&
      expirationSeconds === kubeletExpirationSeconds &&
      audiences.every((audience) => audience === tokenIssuer);
    const token = tokens.issue({
      account,
      audiences,
      ...binding,
      expirationSeconds: extended ? extendedExpirationSeconds : expirationSeconds,
      ...(extended && { warnAfterSeconds: expirationSeconds }),
    });
    const now = clock.now();
    const { name, namespace, uid } = account.metadata;
    return {
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: {
        name,
        ...(namespace && { namespace }),
        ...(uid && { uid }),
        creationTimestamp: rfc3339(new Date(now)),
        ...others,
      },
      spec: { audiences, expirationSeconds, boundObjectRef: bound ?? null },
      status: { token, expirationTimestamp: rfc3339(new Date(now + expirationSeconds * 1000)) },
    } as unknown as ApiObject;
  };
}

/** `ValidateTokenRequest` of `pkg/apis/authentication/validation`. */
function expirationErrors(seconds: number): FieldError[] {
  const field = 'spec.expirationSeconds';
  if (seconds < expirationSecondsMin) {
    return [invalid(field, seconds, 'may not specify a duration less than 10 minutes')];
  }
  if (seconds <= expirationSecondsMax) return [];
  return [invalid(field, seconds, 'may not specify a duration larger than 2^32 seconds')];
}

/** The objects to which a token is bound. Throws if the reference does not match them. */
function bindingOf(
  { apiVersion = '', kind = '', name = '', uid = '' }: BoundReference,
  { info }: RequestContext,
  lookup: ObjectLookup,
): Pick<TokenGrant, 'pod' | 'secret' | 'node'> {
  const [group, version] = groupVersionOf(apiVersion);
  const plural = group === '' ? boundPlurals.get(kind) : undefined;
  if (plural === undefined) {
    throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  }
  if (name === '') throw badRequest('Name parameter required.');
  const object = lookup(plural, plural === 'nodes' ? '' : info.namespace, name);
  if (object === undefined) throw notFound({ group: '', plural }, name);
  const { serviceAccountName, nodeName } = (object['spec'] ?? {}) as Record<string, string | undefined>;
  if (plural === 'pods' && (serviceAccountName ?? '') !== info.name) {
    const what = `cannot bind token for serviceaccount ${JSON.stringify(info.name)}`;
    throw badRequest(`${what} to pod running with different serviceaccount name.`);
  }
  if (uid !== '' && uid !== object.metadata.uid) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record`;
    throw conflict({ group: '', plural: kind }, name, `${why}. The object might have been deleted and then recreated`);
  }
  if (plural === 'secrets') return { secret: object };
  if (plural === 'nodes') return { node: { name, uid: object.metadata.uid } };
  if (!nodeName) return { pod: object };
  return { pod: object, node: { name: nodeName, uid: lookup('nodes', '', nodeName)?.metadata.uid } };
}

const boundPlurals: ReadonlyMap<string, string> = new Map([
  ['Pod', 'pods'],
  ['Secret', 'secrets'],
  ['Node', 'nodes'],
]);

/** Go's `schema.FromAPIVersionAndKind`, for which an invalid version has no group. */
function groupVersionOf(apiVersion: string): readonly [group: string, version: string] {
  const parts = apiVersion.split('/');
  if (parts.length === 2) return [parts[0] ?? '', parts[1] ?? ''];
  return ['', parts.length === 1 ? apiVersion : ''];
}
