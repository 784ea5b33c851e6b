import { authenticated } from '../authentication/token-authenticator.ts';
import { anonymous, type UserInfo } from '../request/user-info.ts';
import { badRequest, forbidden, refusal } from '../status/refusal.ts';
import { type AccessAttributes, type Authorizer, forbiddenMessage } from './authorizer.ts';

type Headers = Readonly<Record<string, string>>;

/** The user that a request wants to impersonate; undefined if there is none. Throws 400 for groups without a user. */
export function impersonatedUser(headers: Headers): UserInfo | undefined {
  const name = headers['impersonate-user'] ?? '';
  const uid = headers['impersonate-uid'] ?? '';
  const groups = valuesOf(headers['impersonate-group']);
  const extra = extraOf(headers);
  if (name === '') {
    if (uid === '' && groups.length === 0 && extra.size === 0) return undefined;
    throw badRequest(`requested ${goUser(uid, groups, extra)} without impersonating a user name`);
  }
  return {
    name,
    ...(uid !== '' && { uid }),
    groups,
    ...(extra.size > 0 && { extra: Object.fromEntries(extra) }),
  };
}

/**
 * Lets the sender of a request act as another user. Returns the user that the request runs as, including the groups that
 * every such user is in, and the verb that allowed it, if it is one of KEP-5284. Throws 403 if the sender is not allowed to impersonate that user.
 *
 * There are two ways to be allowed, as upstream:
 * - by the verbs of KEP-5284: `impersonate-on:MODE:VERB` on the requested resource together with `impersonate:MODE` on the
 *   user and its attributes. A mode is `arbitrary-node`, `serviceaccount` or `user-info`.
 * - by the older verb `impersonate` on the user and its attributes.
 *
 * Not supported: the mode `associated-node`, for which a token would have to contain the node of its pod. If both ways are
 * forbidden, the message of the first is returned. Upstream remembers for a while which way allowed the sender before, and
 * then returns the message of that way.
 *
 * Source: apiserver `pkg/endpoints/filters/impersonation`.
 */
export function impersonate(
  asked: UserInfo,
  access: AccessAttributes,
  authorizer: Authorizer,
): { readonly user: UserInfo; readonly constraint: string | undefined } {
  const mode = modeOf(asked);
  const older = [...identity(asked, { verb: 'impersonate', usersGroup: '' })];
  const ways: AccessAttributes[][] = [older.map((step) => attributesOf(access.user, step))];
  if (mode !== undefined) {
    const steps = [...identity(asked, { verb: `impersonate:${mode}`, usersGroup: authenticationGroup, mode })];
    const onTarget = { ...access, verb: `impersonate-on:${mode}:${access.verb}` };
    ways.unshift([onTarget, ...steps.map((step) => attributesOf(access.user, step))]);
  }
  let refused: Error | undefined;
  for (const [index, way] of ways.entries()) {
    const isConstrained = mode !== undefined && index === 0;
    const error = refusalOf(way, authorizer, isConstrained ? invalidExtraKey : undefined);
    if (error === undefined) {
      return { user: withGroups(asked), constraint: isConstrained ? `impersonate:${mode}` : undefined };
    }
    refused ??= error;
  }
  throw refused;
}

type Mode = 'arbitrary-node' | 'serviceaccount' | 'user-info';

const authenticationGroup = 'authentication.k8s.io';
const nodePrefix = 'system:node:';

/** The mode of the newer verbs. Nodes and service accounts with more than a name need the older verb: undefined. */
function modeOf({ name, uid, groups, extra }: UserInfo): Mode | undefined {
  const isNode = name.startsWith(nodePrefix);
  if (!isNode && serviceAccountOf(name) === undefined) return 'user-info';
  if (uid !== undefined || groups.length > 0 || extra !== undefined) return undefined;
  return isNode ? 'arbitrary-node' : 'serviceaccount';
}

interface IdentityStep {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name: string;
}

/** The accesses that must be allowed, in the order in which they are checked. */
function* identity(
  { name, uid, groups, extra = {} }: UserInfo,
  { verb, usersGroup, mode }: { verb: string; usersGroup: string; mode?: Mode },
): Generator<IdentityStep> {
  const account = serviceAccountOf(name);
  if (account !== undefined) yield { verb, group: usersGroup, resource: 'serviceaccounts', ...account };
  else if (mode === 'arbitrary-node') {
    yield { verb, group: usersGroup, resource: 'nodes', name: name.slice(nodePrefix.length) };
  } else yield { verb, group: usersGroup, resource: 'users', name };
  if (uid !== undefined) yield { verb, group: authenticationGroup, resource: 'uids', name: uid };
  for (const group of groups) yield { verb, group: usersGroup, resource: 'groups', name: group };
  for (const [key, values] of Object.entries(extra)) {
    for (const value of values) {
      yield { verb, group: authenticationGroup, resource: 'userextras', subresource: key, name: value };
    }
  }
}

function attributesOf(user: UserInfo, step: IdentityStep): AccessAttributes {
  return { user, isResource: true, version: 'v1', namespace: '', subresource: '', path: '', ...step };
}

function refusalOf(
  way: readonly AccessAttributes[],
  authorizer: Authorizer,
  invalidStep?: (step: AccessAttributes) => string | undefined,
): Error | undefined {
  for (const step of way) {
    const invalid = invalidStep?.(step);
    if (invalid !== undefined) return forbiddenAccess({ ...step, name: '', subresource: '' }, invalid);
    const { allowed, reason } = authorizer.authorize(step);
    if (!allowed) return forbiddenAccess(step, reason);
  }
  return undefined;
}

/** The error for a forbidden access. */
export function forbiddenAccess(access: AccessAttributes, reason: string): Error {
  const why = forbiddenMessage(access, reason);
  if (!access.isResource) return refusal(403, 'Forbidden', `forbidden: ${why}`, {});
  return forbidden({ group: access.group, plural: access.resource }, access.name, why);
}

/** Why a key of extra is invalid; the newer verbs allow only domain-prefixed keys. */
function invalidExtraKey({ resource, group, subresource }: AccessAttributes): string | undefined {
  if (resource !== 'userextras' || group !== authenticationGroup || subresource === '') return undefined;
  const slash = subresource.indexOf('/');
  if (slash > 0 && slash < subresource.length - 1) return undefined;
  const detail = 'must be a domain-prefixed path (such as "acme.io/foo")';
  return `impersonating an invalid key in extra is not allowed: extra.key: Invalid value: ${JSON.stringify(subresource)}: ${detail}`;
}

const everyone = ['system:authenticated', 'system:unauthenticated'];

function withGroups(asked: UserInfo): UserInfo {
  if (asked.name === anonymous.name) {
    const [unauthenticated = ''] = anonymous.groups;
    if (asked.groups.includes(unauthenticated)) return asked;
    return { ...asked, groups: [...asked.groups, unauthenticated] };
  }
  const account = serviceAccountOf(asked.name);
  const groups =
    account !== undefined && asked.groups.length === 0
      ? ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`]
      : asked.groups;
  const user = { ...asked, groups };
  return groups.some((group) => everyone.includes(group)) ? user : authenticated(user);
}

function serviceAccountOf(name: string): { readonly namespace: string; readonly name: string } | undefined {
  const match = /^system:serviceaccount:([a-z0-9-]{1,63}):([a-z0-9.-]{1,253})$/.exec(name);
  return match === null ? undefined : { namespace: match[1] ?? '', name: match[2] ?? '' };
}

/** Headers of the same name have been joined, so a group whose name contains `, ` is read as two. */
function valuesOf(joined: string | undefined): readonly string[] {
  return joined === undefined ? [] : joined.split(', ');
}

const extraPrefix = 'impersonate-extra-';

function extraOf(headers: Headers): ReadonlyMap<string, readonly string[]> {
  const extra = new Map<string, readonly string[]>();
  const asked = Object.keys(headers).filter((header) => header.startsWith(extraPrefix));
  for (const header of asked.sort()) {
    const key = unescaped(header.slice(extraPrefix.length)).toLowerCase();
    extra.set(key, [...(extra.get(key) ?? []), ...valuesOf(headers[header])]);
  }
  return extra;
}

/** An invalid escape leaves the key unchanged. */
function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** A user without a name as Go prints it with `%#v`. */
function goUser(uid: string, groups: readonly string[], extra: ReadonlyMap<string, readonly string[]>): string {
  const list = (values: readonly string[]): string =>
    values.length === 0 ? '[]string(nil)' : `[]string{${values.map((value) => JSON.stringify(value)).join(', ')}}`;
  const entries = [...extra].map(([key, values]) => `${JSON.stringify(key)}:${list(values)}`);
  const map = entries.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${entries.join(', ')}}`;
  return `&user.DefaultInfo{Name:"", UID:${JSON.stringify(uid)}, Groups:${list(groups)}, Extra:${map}}`;
}
