import { declare, declared, type Recording, recordField } from '../declarations/class-record.ts';
import type { AnyClass, WatchedReference } from '../declarations/class-reference.ts';
import { controllerDecorator, type FunctionStep } from '../declarations/controller-decorator.ts';
import { wordOf } from '../declarations/function-controller.ts';
import { resolveWatched } from '../declarations/resolve-reference.ts';
import { resourceOf } from '../declarations/resource-of.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import type { ErrorCode } from '../errors/error-codes.ts';
import { EvenkeelError } from '../errors/evenkeel-error.ts';
import type { ApiResource } from '../kind/api-resource.ts';
import type { KubernetesObject } from '../object/kubernetes-object.ts';

/** The verbs of requests on resources, and those that the server asks for by itself. */
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

/** The verbs of requests on paths that are no resource: HTTP's methods. */
export const pathVerbs = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'] as const;

export type ResourceVerb = (typeof resourceVerbs)[number];
export type PathVerb = (typeof pathVerbs)[number];

/** A resource for which there is no class. `group` is empty for the core group; `namespaced` is true where left out. */
export type RbacResource = Pick<ApiResource, 'group' | 'plural'> & Partial<Pick<ApiResource, 'namespaced'>>;

/** A path of the server that is no resource, such as `/metrics`; with `*` at its end, all below it. */
export type RbacPath = `/${string}`;

export interface RbacOptions {
  /** Why, in a few words: a comment above the rule that is generated. Default: names the class or the member. */
  reason?: string;
  /** Of these objects only. Not for `create` and `deletecollection`, where the server knows no name yet. Default: all. */
  names?: readonly string[];
  /** `status`, `scale`, `eviction`, `log`, ... instead of the objects themselves. */
  subresource?: string;
  /** In this namespace only. Default: wherever the operator works, as its configuration says. */
  namespace?: string;
}

export interface RbacDeclaration extends RbacOptions {
  readonly target: WatchedReference | RbacResource | RbacPath;
  readonly verbs: readonly (ResourceVerb | PathVerb)[];
  /** The member it stands on; absent above a class. */
  readonly member?: string;
}

/** Stands above a class or a member of one. */
export type RbacDecorator = (target: object, member?: string | symbol) => void;

/**
 * Asks for a rule that the other declarations do not show: for requests through an injected Client or `context.client`, and
 * for `context.prune`, which deletes. `evenkeel generate` writes it into the operator's Role, beside what it derives. It
 * stands above a controller or a service, or above the member of one that sends the requests, as often as needed. A member
 * that a subclass declares again brings its own.
 *
 * ```ts
 * @Rbac(ConfigMap, ['get'], { reason: 'the page that an Nginx names' })
 * @Rbac(Pod, ['create'], { subresource: 'eviction' })
 * @Rbac({ group: 'metrics.k8s.io', plural: 'pods' }, ['list'])
 * ```
 *
 * The verbs are RBAC's: an `apply` is `patch`, and `create` where the object may not be there yet. `*` is refused, for
 * verbs and for resources: a role with everything is written by hand, knowingly. It grants nothing by itself.
 */
export function Rbac<T extends KubernetesObject>(
  target: WatchedReference<T> | RbacResource,
  verbs: readonly ResourceVerb[],
  options?: RbacOptions,
): RbacDecorator;
export function Rbac(
  target: RbacPath,
  verbs: readonly PathVerb[],
  options?: Pick<RbacOptions, 'reason'>,
): RbacDecorator;
export function Rbac(
  target: RbacDeclaration['target'],
  verbs: RbacDeclaration['verbs'],
  options: RbacOptions = {},
): RbacDecorator {
  return (on, member) => {
    const declaration = { ...options, target, verbs, ...(member === undefined ? {} : { member: String(member) }) };
    declare(rbac.record, on, declaration);
  };
}

/** A member that the class declares again brings its own. */
const byMember: Recording<RbacDeclaration, readonly RbacDeclaration[]> = {
  empty: () => [],
  // Decorators run from the last to the first.
  add: (own, declaration) => [declaration, ...own],
  inherit: (inherited, own) => {
    const redeclared = new Set(own.map(({ member }) => member));
    return [...inherited.filter(({ member }) => member === undefined || !redeclared.has(member)), ...own];
  },
};

/** What follows from `@Rbac`. Its rules are those of services too, so that `deriveRoles` adds them, and no `permissions`. */
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
  /** As `@Rbac` above the class. */
  rbac<R extends KubernetesObject>(
    target: WatchedReference<R> | RbacResource,
    verbs: readonly ResourceVerb[],
    options?: RbacOptions,
  ): this;
  rbac(target: RbacPath, verbs: readonly PathVerb[], options?: Pick<RbacOptions, 'reason'>): this;
}

/** What a rule is about: objects, or a path that is no resource. */
export type RuleTarget =
  | { readonly group: string; readonly plural: string; readonly namespaced: boolean }
  | { readonly path: string };

/** One `@Rbac`, resolved and checked. */
export interface PlannedRbac {
  readonly target: RuleTarget;
  readonly verbs: readonly (ResourceVerb | PathVerb)[];
  readonly subresource: string | undefined;
  readonly names: readonly string[];
  /** Where it holds; undefined wherever the operator works. */
  readonly namespace: string | undefined;
  readonly reason: string;
}

export interface PlannedRbacs {
  /** What a controller asks for by `@Rbac`, beside what its other declarations show. */
  readonly rbac: readonly PlannedRbac[];
}

/** What is wrong with an `@Rbac`, and how to mend it. */
export interface RbacMistake {
  readonly code: ErrorCode;
  readonly message: string;
  readonly method?: string;
}

/** Reads and checks the `@Rbac`s of a class, and of its base classes. One with a mistake is told and left out. */
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

type Refuse = (code: ErrorCode, message: string) => void;

const options = ['reason', 'names', 'subresource', 'namespace'] as const;

function planOne(declaration: RbacDeclaration, where: string, refuse: Refuse): PlannedRbac | undefined {
  const { member, target: given, verbs, subresource, names = [], namespace } = declaration;
  for (const option of Object.keys(declaration)) {
    if (['target', 'verbs', 'member', ...options].includes(option)) continue;
    refuse(
      'unknown-option',
      `unknown option "${option}"${didYouMean(option, options) || `; it takes ${options.join(', ')}`}`,
    );
  }
  const target = targetOf(given, refuse);
  const isPath = target !== undefined && 'path' in target;
  checkVerbs(verbs, isPath ? pathVerbs : resourceVerbs, refuse);
  for (const option of ['names', 'subresource', 'namespace'] as const) {
    if (isPath && declaration[option] !== undefined) {
      refuse('invalid-option', `${option} is given, but ${target.path} is a path and has none; leave it out`);
    }
  }
  if (subresource !== undefined && !isSegment(subresource)) {
    refuse('invalid-option', `subresource is ${show(subresource)}; give its name, such as 'status'`);
  }
  if (namespace !== undefined && !isSegment(namespace)) {
    refuse('invalid-option', `namespace is ${show(namespace)}; give the name of one`);
  } else if (namespace !== undefined && target !== undefined && !isPath && !target.namespaced) {
    refuse('invalid-option', `namespace is given, but ${target.plural} have none; leave it out`);
  }
  if (declaration.names?.length === 0)
    refuse('invalid-option', 'names is empty, which RBAC takes for all; leave it out');
  checkNames(names, verbs, subresource, refuse);
  if (target === undefined || !Array.isArray(verbs)) return undefined;
  const reason = declaration.reason ?? `${where}${member === undefined ? '' : `.${member}`}`;
  if (typeof reason !== 'string' || reason.trim() === '' || /[\r\n]/.test(reason)) {
    refuse('invalid-option', `reason is ${show(reason)}; give one line of text`);
  }
  return { target, verbs, subresource, names, namespace, reason };
}

function targetOf(given: unknown, refuse: Refuse): RuleTarget | undefined {
  if (typeof given === 'string') {
    if (/^\/[^\s*]*\*?$/.test(given)) return { path: given };
    refuse('invalid-option', `${show(given)} is no path; give a kind, or a path such as '/metrics'`);
    return undefined;
  }
  if (isResource(given)) {
    const { group, plural, namespaced = true } = given;
    if (isName(plural) && (group === '' || isName(group))) return { group, plural, namespaced };
    refuse(
      'invalid-option',
      `${show(given)} is no resource; give its group and its plural, both in lower case and without "*": a role with everything is written by hand`,
    );
    return undefined;
  }
  if (given === undefined || given === null || (typeof given !== 'function' && typeof given !== 'object')) {
    refuse(
      'invalid-option',
      `it was given ${String(given)}: give a kind; where its module had not run yet, as in an import cycle, a thunk such as () => TheClass`,
    );
    return undefined;
  }
  try {
    const { kind } = resolveWatched(given as WatchedReference);
    if ((kind as unknown) === undefined) {
      refuse('invalid-option', 'it was given a function that returns undefined; return the class');
      return undefined;
    }
    const { group, plural, namespaced } = resourceOf(kind);
    return { group, plural, namespaced };
  } catch (error) {
    if (error instanceof EvenkeelError) refuse(error.code, `it names a class that is no kind: ${error.message}`);
    else {
      const why = error instanceof Error ? error.message : String(error);
      refuse(
        'invalid-option',
        `it was given a function that throws (${why}); give a class, or a function that returns one`,
      );
    }
    return undefined;
  }
}

function checkVerbs(verbs: unknown, known: readonly string[], refuse: Refuse): void {
  if (!Array.isArray(verbs) || verbs.length === 0) {
    refuse('invalid-option', `its verbs are ${show(verbs)}; list at least one, such as ['get']`);
    return;
  }
  for (const verb of verbs as unknown[]) {
    if (typeof verb === 'string' && known.includes(verb)) continue;
    refuse('invalid-option', `${show(verb)} is no verb${mendOfVerb(verb, known)}`);
  }
}

function mendOfVerb(verb: unknown, known: readonly string[]): string {
  const listed = `; they are ${known.join(', ')}`;
  if (typeof verb !== 'string') return listed;
  if (verb === '*') return ' to ask for: it is all of them, also those to come; list those that are needed';
  if (verb === 'apply') return " of RBAC's; an apply is 'patch', and 'create' where the object may not be there yet";
  if (verb === 'read') return "; read is 'get', 'list' and 'watch'";
  return didYouMean(verb, known) || listed;
}

/** Of what is to be created, the authorizer is told no name (Kubernetes docs, "Referring to resources"). */
function checkNames(names: unknown, verbs: unknown, subresource: string | undefined, refuse: Refuse): void {
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string' && /^[^\s*/]+$/.test(name))) {
    refuse('invalid-option', `names are ${show(names)}; give a list of names of objects`);
    return;
  }
  if (names.length === 0 || !Array.isArray(verbs)) return;
  const nameless = verbs.filter(
    (verb) => (verb === 'create' && subresource === undefined) || verb === 'deletecollection',
  );
  if (nameless.length === 0) return;
  refuse(
    'invalid-option',
    `${nameless.join(' and ')} cannot be limited to names, for the server knows none then; ask for it on its own, without names`,
  );
}

function isResource(given: unknown): given is { group: string; plural: string; namespaced?: boolean } {
  return typeof given === 'object' && given !== null && 'plural' in given && 'group' in given;
}

const isName = (value: unknown): boolean => typeof value === 'string' && /^[a-z0-9][-a-z0-9.]*$/.test(value);
const isSegment = (value: unknown): boolean => typeof value === 'string' && /^[A-Za-z0-9][-\w.]*$/.test(value);

function show(value: unknown): string {
  return typeof value === 'string' || typeof value === 'object' ? JSON.stringify(value) : String(value);
}
