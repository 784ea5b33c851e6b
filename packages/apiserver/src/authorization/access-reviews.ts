import { type FieldError, invalid, type PolicyRule } from '../apimachinery/index.ts';
import type { TokenVerdict } from '../authentication/service-account-tokens.ts';
import type { TokenAuthenticator } from '../authentication/token-authenticator.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { KindDescription } from '../kind/kind-description.ts';
import type { UserInfo } from '../request/user-info.ts';
import { badRequest, invalidObject } from '../status/refusal.ts';
import type { AccessAttributes } from './authorizer.ts';
import type { RbacAuthorizer } from './rbac-authorizer.ts';

type Review = NonNullable<KindDescription['review']>;

interface AccessSpec {
  resourceAttributes?: {
    namespace?: string;
    verb?: string;
    group?: string;
    version?: string;
    resource?: string;
    subresource?: string;
    name?: string;
  };
  nonResourceAttributes?: { path?: string; verb?: string };
  user?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
}

const group = 'authorization.k8s.io';

/** The review kinds. A create returns the result and stores nothing. */
export function accessReviews(
  authorizer: () => RbacAuthorizer,
  tokens: () => TokenAuthenticator,
): ReadonlyMap<string, Review> {
  const decide = (object: ApiObject, user: UserInfo): ApiObject => {
    const spec = specOf(object);
    const { allowed, reason, evaluationError } = authorizer().authorize(accessOf(spec, user));
    const status = {
      allowed,
      ...(reason !== '' && { reason }),
      ...(evaluationError !== undefined && { evaluationError }),
    };
    return { ...object, status };
  };
  const named = (object: ApiObject): ApiObject => {
    const spec = specOf(object);
    refuse(specErrors(spec, true));
    return decide(object, {
      name: spec.user ?? '',
      groups: spec.groups ?? [],
      ...(spec.uid !== undefined && { uid: spec.uid }),
    });
  };
  return new Map<string, Review>([
    [
      'selfsubjectaccessreviews.authorization.k8s.io',
      ({ user }, object) => {
        refuse(specErrors(specOf(object), false));
        return decide(object, user);
      },
    ],
    ['subjectaccessreviews.authorization.k8s.io', (_, object) => named(object)],
    ['localsubjectaccessreviews.authorization.k8s.io', (_, object) => named(object)],
    [
      'selfsubjectrulesreviews.authorization.k8s.io',
      ({ user }, object) => {
        const { namespace = '' } = specOf(object) as { namespace?: string };
        return {
          ...object,
          metadata: emptyMetadata,
          spec: {},
          status: rulesStatus(user, authorizer().rulesFor(user, namespace).rules),
        };
      },
    ],
    [
      'selfsubjectreviews.authentication.k8s.io',
      ({ user, clock }, object) => ({
        ...object,
        metadata: { ...emptyMetadata, creationTimestamp: `${new Date(clock.now()).toISOString().slice(0, 19)}Z` },
        status: { userInfo: userJson(user) },
      }),
    ],
    [
      'tokenreviews.authentication.k8s.io',
      (_, object) => {
        const { token = '', audiences } = (object['spec'] ?? {}) as { token?: string; audiences?: string[] | null };
        if (token === '') throw badRequest('token is required for TokenReview in authentication');
        return { ...object, status: reviewed(tokens().verify(token, audiences?.length ? audiences : undefined)) };
      },
    ],
  ]);
}

function reviewed(verdict: TokenVerdict): object {
  if (verdict === undefined) return { user: {}, error: 'invalid bearer token' };
  if ('error' in verdict) return { user: {}, error: `[invalid bearer token, ${verdict.error}]` };
  return { authenticated: true, user: userJson(verdict.user), audiences: verdict.audiences };
}

/** The metadata of objects that the server creates for a response; they have no name. */
const emptyMetadata = {} as ApiObject['metadata'];

function specOf(object: ApiObject): AccessSpec {
  return (object['spec'] ?? {}) as AccessSpec;
}

function accessOf({ resourceAttributes, nonResourceAttributes }: AccessSpec, user: UserInfo): AccessAttributes {
  return {
    user,
    version: resourceAttributes?.version ?? '',
    isResource: resourceAttributes !== undefined,
    verb: resourceAttributes?.verb ?? nonResourceAttributes?.verb ?? '',
    group: resourceAttributes?.group ?? '',
    resource: resourceAttributes?.resource ?? '',
    subresource: resourceAttributes?.subresource ?? '',
    name: resourceAttributes?.name ?? '',
    namespace: resourceAttributes?.namespace ?? '',
    path: nonResourceAttributes?.path ?? '',
  };
}

function specErrors(spec: AccessSpec, withUser: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const given = [spec.resourceAttributes, spec.nonResourceAttributes].filter((value) => value !== undefined);
  const oneOf = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  if (given.length === 0) errors.push(invalid('spec.resourceAttributes', null, oneOf));
  if (given.length === 2) {
    const detail = 'cannot be specified in combination with resourceAttributes';
    errors.push(invalid('spec.nonResourceAttributes', spec.nonResourceAttributes, detail));
  }
  if (withUser && !spec.user && (spec.groups ?? []).length === 0) {
    errors.push(invalid('spec.user', spec.user ?? '', 'at least one of user or group must be specified'));
  }
  return errors;
}

function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidObject({ group, kind: '' }, '', errors);
}

function userJson({ name, uid, groups, extra }: UserInfo): object {
  return {
    username: name,
    ...(uid !== undefined && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(extra !== undefined && { extra }),
  };
}

const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

function rulesStatus({ groups }: UserInfo, rules: readonly PolicyRule[]): object {
  const isMaster = groups.includes('system:masters') && !rules.some((rule) => rule.resources?.includes('*') === true);
  const all = isMaster ? [...everything, ...rules] : rules;
  return {
    resourceRules: all.filter(({ nonResourceURLs }) => nonResourceURLs === undefined),
    nonResourceRules: all.filter(({ nonResourceURLs }) => nonResourceURLs !== undefined),
    incomplete: false,
  };
}
