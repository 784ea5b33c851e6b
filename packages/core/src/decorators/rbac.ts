import { declare, declared, type Recording, recordField } from '../declarations/class-record.ts';
import type { AnyClass, WatchedReference } from '../declarations/class-reference.ts';
import { controllerDecorator, type FunctionStep } from '../declarations/controller-decorator.ts';
import { wordOf } from '../declarations/function-controller.ts';
import { resolveWatched } from '../declarations/resolve-reference.ts';
import { resourceOf } from '../declarations/resource-of.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import type { ErrorCode } from '../errors/error-codes.ts';
import { EvenkeelError } from '../errors/evenkeel-error.ts';
import { messageOf } from '../errors/message-of.ts';
import type { ApiResource } from '../kind/api-resource.ts';

/** The verbs of requests for resources, and the verbs that the server itself checks. */
export const resourceVerbs = [
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
  'approve',
  'attest',
  'bind',
  'escalate',
  'impersonate',
  'sign',
  'use',
] as const;

/** The verbs of requests for non-resource paths: the HTTP methods. */
export const pathVerbs = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'] as const;

/** The verbs of requests for objects. */
export type ResourceVerb = (typeof resourceVerbs)[number];
/** The verbs of requests for a non-resource path. */
export type PathVerb = (typeof pathVerbs)[number];

/** The target of an `@Rbac`: objects, or a non-resource path. */
export type RbacTarget = WatchedReference | RbacResource | RbacPath;

/** The verbs of requests for a target. */
export type RbacVerb<T extends RbacTarget> = T extends RbacPath ? PathVerb : ResourceVerb;

/** A resource without a class. `group` is empty for the core group. Default of `namespaced`: true. */
export type RbacResource = Pick<ApiResource, 'group' | 'plural'> & Partial<Pick<ApiResource, 'namespaced'>>;

/** A non-resource path of the server, such as `/metrics`. With `*` at its end, all paths with that prefix. */
export type RbacPath = `/${string}`;

/** The options of `@Rbac`. */
export interface RbacOptions {
  /** A short reason, which becomes a comment above the generated rule. Default: the name of the class or member. */
  reason?: string;
  /** Only the objects with these names. Not allowed for `create` and `deletecollection`, which have no name. Default: all. */
  names?: readonly string[];
  /** A subresource (`status`, `scale`, `eviction`, `log`, ...) instead of the objects themselves. */
  subresource?: string;
  /** Only this namespace. Default: all namespaces that the operator watches, according to its configuration. */
  namespace?: string;
}

/** The options of an `@Rbac` with this target. A path has only a reason. */
type RbacOptionsOf<T extends RbacTarget> = T extends RbacPath ? Pick<RbacOptions, 'reason'> : RbacOptions;

export interface RbacDeclaration extends RbacOptions {
  readonly target: RbacTarget;
  readonly verbs: readonly (ResourceVerb | PathVerb)[];
  /** The member with the decorator; absent for a class. */
  readonly member?: string;
}

/** A decorator of a class or of a member. */
export type RbacDecorator = (target: object, member?: string | symbol) => void;

/**
 * Adds a permission that cannot be derived from the other declarations: for requests through an injected Client or
 * `context.client`, and for `context.prune`, which deletes. `evenkeel generate` writes it into the operator's Role, in addition
 * to the derived rules. Put it on a controller, a service, or the member that sends the requests. Repeat it for more rules. A
 * member that a subclass declares again with `@Rbac` replaces the rules of the inherited member.
 *
 * ```ts
 * @Rbac(ConfigMap, ['get'], { reason: 'the page that an Nginx names' })
 * @Rbac(Pod, ['create'], { subresource: 'eviction' })
 * @Rbac({ group: 'metrics.k8s.io', plural: 'pods' }, ['list'])
 * ```
 *
 * The verbs are those of RBAC: an `apply` needs `patch`, and `create` if the object may not exist. `*` is not allowed for verbs
 * and resources; write such a role by hand. The decorator itself grants no permission.
 */
export function Rbac<T extends RbacTarget>(
  target: T,
  verbs: readonly RbacVerb<T>[],
  options?: RbacOptionsOf<T>,
): RbacDecorator {
  return (on, member) => {
    const declaration = { ...options, target, verbs, ...(member === undefined ? {} : { member: String(member) }) };
    declare(rbac.record, on, declaration);
  };
}

/** A member that the class declares again replaces the declarations of the inherited member. */
const byMember: Recording<RbacDeclaration, readonly RbacDeclaration[]> = {
  empty: () => [],
  // Decorators run from the last to the first.
  add: (own, declaration) => [declaration, ...own],
  inherit: (inherited, own) => {
    const redeclared = new Set(own.map(({ member }) => member));
    return [...inherited.filter(({ member }) => member === undefined || !redeclared.has(member)), ...own];
  },
};

/** The descriptor of `@Rbac`. It has no `permissions`: services have such rules too, so `deriveRoles` adds them for both. */
export const rbac = controllerDecorator({
  name: 'Rbac',
  record: recordField('rbac', byMember),
  plan: (_declarations, reader): PlannedRbacs => ({
    rbac: planRbac(reader.controllerClass, ({ code, message, method }) => reader.report(code, message, method)),
  }),
  step: (target: WatchedReference, verbs: readonly ResourceVerb[], options?: RbacOptions): FunctionStep => ({
    on: 'class',
    decorate: Rbac(target, verbs, options),
  }),
});

export interface RbacStep {
  /** Same as `@Rbac` on the class. */
  rbac<R extends RbacTarget>(target: R, verbs: readonly RbacVerb<R>[], options?: RbacOptionsOf<R>): this;
}

/** The target of a rule: objects, or a non-resource path. The role of a rule does not depend on the version of its class. */
export type RuleTarget =
  | {
      readonly group: string;
      readonly plural: string;
      readonly namespaced: boolean;
      readonly version?: string;
    }
  | { readonly path: string };

/** A resolved and checked `@Rbac`. */
export interface PlannedRbac {
  readonly target: RuleTarget;
  readonly verbs: readonly (ResourceVerb | PathVerb)[];
  readonly subresource: string | undefined;
  readonly names: readonly string[];
  /** The only namespace of the rule; undefined for all namespaces that the operator watches. */
  readonly namespace: string | undefined;
  readonly reason: string;
}

export interface PlannedRbacs {
  /** The rules that a controller adds with `@Rbac`. */
  readonly rbac: readonly PlannedRbac[];
}

/** A mistake in an `@Rbac`, and its fix. */
export interface RbacMistake {
  readonly code: ErrorCode;
  readonly message: string;
  readonly method?: string;
}

/** Reads and checks the `@Rbac`s of a class and of its base classes. Reports and skips each one with a mistake. */
export function planRbac(declaring: AnyClass, report: (mistake: RbacMistake) => void): PlannedRbac[] {
  const word = wordOf(declaring, 'Rbac');
  return declared(rbac.record, declaring).flatMap((declaration) => {
    const { member } = declaration;
    let isSound = true;
    const planned = planOne(declaration, `${word} on ${declaring.name}`, (code, message) => {
      isSound = false;
      const where = member === undefined ? word : `${word} on ${member}`;
      report({ code, message: `${where}: ${message}`, ...(member === undefined ? {} : { method: member }) });
    });
    return isSound && planned !== undefined ? planned : [];
  });
}

type Reject = (code: ErrorCode, message: string) => void;

const options = ['reason', 'names', 'subresource', 'namespace'] as const;

function planOne(declaration: RbacDeclaration, where: string, reject: Reject): PlannedRbac | undefined {
  const { member, target: given, verbs, subresource, names = [], namespace } = declaration;
  for (const option of Object.keys(declaration)) {
    if (['target', 'verbs', 'member', ...options].includes(option)) continue;
    reject(
      'unknown-option',
      `unknown option "${option}"${didYouMean(option, options) || `; use one of ${options.join(', ')}`}`,
    );
  }
  const target = targetOf(given, reject);
  const isPath = target !== undefined && 'path' in target;
  checkVerbs(verbs, isPath ? pathVerbs : resourceVerbs, reject);
  for (const option of ['names', 'subresource', 'namespace'] as const) {
    if (isPath && declaration[option] !== undefined) {
      reject('invalid-option', `${option} is not allowed for the path ${target.path}; remove it`);
    }
  }
  if (subresource !== undefined && !isSegment(subresource)) {
    reject('invalid-option', `invalid subresource ${show(subresource)}; use its name, such as 'status'`);
  }
  if (namespace !== undefined && !isSegment(namespace)) {
    reject('invalid-option', `invalid namespace ${show(namespace)}; use the name of a namespace`);
  } else if (namespace !== undefined && target !== undefined && !isPath && !target.namespaced) {
    reject('invalid-option', `namespace is not allowed, because ${target.plural} are cluster-scoped; remove it`);
  }
  if (declaration.names?.length === 0)
    reject('invalid-option', 'names is empty, which means all objects in RBAC; remove it');
  checkNames(names, verbs, subresource, reject);
  if (target === undefined || !Array.isArray(verbs)) return undefined;
  const reason = declaration.reason ?? `${where}${member === undefined ? '' : `.${member}`}`;
  if (typeof reason !== 'string' || reason.trim() === '' || /[\r\n]/.test(reason) || !reason.isWellFormed()) {
    reject('invalid-option', `invalid reason ${show(reason)}; write one line of text`);
  }
  return { target, verbs, subresource, names, namespace, reason };
}

function targetOf(given: unknown, reject: Reject): RuleTarget | undefined {
  if (typeof given === 'string') {
    if (/^\/[^\s*]*\*?$/.test(given) && given.isWellFormed()) return { path: given };
    reject('invalid-option', `invalid path ${show(given)}; pass a kind, or a path such as '/metrics'`);
    return undefined;
  }
  if (isResource(given)) {
    const { group, plural, namespaced = true } = given;
    if (isName(plural) && (group === '' || isName(group))) return { group, plural, namespaced };
    reject(
      'invalid-option',
      `invalid resource ${show(given)}; use its group and plural, in lower case and without "*" (write a role for all resources by hand)`,
    );
    return undefined;
  }
  if (given === undefined || given === null || (typeof given !== 'function' && typeof given !== 'object')) {
    reject(
      'invalid-option',
      `the target is ${String(given)}; pass a kind, or a function such as () => TheClass if an import cycle leaves the class undefined`,
    );
    return undefined;
  }
  try {
    const { kind } = resolveWatched(given as WatchedReference);
    if ((kind as unknown) === undefined) {
      reject('invalid-option', 'the target is a function that returns undefined; return the class');
      return undefined;
    }
    const { group, plural, namespaced, version } = resourceOf(kind);
    return { group, plural, namespaced, version };
  } catch (error) {
    if (error instanceof EvenkeelError) reject(error.code, error.message);
    else {
      const why = messageOf(error);
      reject(
        'invalid-option',
        `the target is a function that throws (${why}); pass a class, or a function that returns one`,
      );
    }
    return undefined;
  }
}

function checkVerbs(verbs: unknown, known: readonly string[], reject: Reject): void {
  if (!Array.isArray(verbs) || verbs.length === 0) {
    reject('invalid-option', `invalid verbs ${show(verbs)}; list at least one, such as ['get']`);
    return;
  }
  for (const verb of verbs as unknown[]) {
    if (typeof verb === 'string' && known.includes(verb)) continue;
    reject('invalid-option', `invalid verb ${show(verb)}${fixOfVerb(verb, known)}`);
  }
}

function fixOfVerb(verb: unknown, known: readonly string[]): string {
  const listed = `; use one of ${known.join(', ')}`;
  if (typeof verb !== 'string') return listed;
  if (verb === '*') return ': it includes all verbs, also future ones; list the verbs that are needed';
  if (verb === 'apply') return "; use 'patch', and 'create' if the object may not exist";
  if (verb === 'read') return "; use 'get', 'list' and 'watch'";
  return didYouMean(verb, known) || listed;
}

/** The authorizer gets no name for a create (Kubernetes docs, "Referring to resources"). */
function checkNames(names: unknown, verbs: unknown, subresource: string | undefined, reject: Reject): void {
  if (!Array.isArray(names) || !names.every(isObjectName)) {
    reject('invalid-option', `invalid names ${show(names)}; use a list of object names`);
    return;
  }
  if (names.length === 0 || !Array.isArray(verbs)) return;
  const nameless = verbs.filter(
    (verb) => (verb === 'create' && subresource === undefined) || verb === 'deletecollection',
  );
  if (nameless.length === 0) return;
  reject(
    'invalid-option',
    `${nameless.join(' and ')} cannot be limited to names, because the request has no name; use a separate rule without names`,
  );
}

function isResource(given: unknown): given is { group: string; plural: string; namespaced?: boolean } {
  return typeof given === 'object' && given !== null && 'plural' in given && 'group' in given;
}

const isName = (value: unknown): boolean => typeof value === 'string' && /^[a-z0-9][-a-z0-9.]*$/.test(value);
/** YAML cannot express a lone surrogate. */
const isObjectName = (value: unknown): boolean =>
  typeof value === 'string' && /^[^\s*/]+$/.test(value) && value.isWellFormed();
const isSegment = (value: unknown): boolean => typeof value === 'string' && /^[A-Za-z0-9][-\w.]*$/.test(value);

function show(value: unknown): string {
  return typeof value === 'string' || typeof value === 'object' ? JSON.stringify(value) : String(value);
}
