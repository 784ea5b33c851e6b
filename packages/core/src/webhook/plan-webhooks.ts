import { isJsonObject } from '@evenkeel/apimachinery/json';
import { hasSubdomainForm, isDns1123Subdomain, isQualifiedName } from '@evenkeel/apimachinery/name-form';
import type { PolicyKind } from '../contract/admission-policy.ts';
import { type AdmissionOperation, admissionOperations } from '../contract/admission-review.ts';
import { declared } from '../declarations/class-record.ts';
import type { AnyClass, ConcreteClass } from '../declarations/class-reference.ts';
import type { ControllerMistake } from '../declarations/controller-mistake.ts';
import { DeclarationReader } from '../declarations/declaration-reader.ts';
import type { CachedKind } from '../declarations/planned-kind.ts';
import { properties } from '../declarations/property.ts';
import { customResource } from '../declarations/resource-of.ts';
import type { WebhookDeclaration } from '../declarations/webhook-class.ts';
import { type AdmitDeclaration, admits } from '../decorators/admit.ts';
import { listers } from '../decorators/lister-of.ts';
import { mutatingWebhook } from '../decorators/mutating-webhook.ts';
import { planRbac } from '../decorators/rbac.ts';
import { validatingWebhook } from '../decorators/validating-webhook.ts';
import type { ApiResource, KindClass } from '../kind/api-resource.ts';
import type { ControllerPlan } from '../plan/controller-plan.ts';
import { severalClassesOfOneKind } from '../plan/several-classes.ts';
import { show } from './given-value.ts';
import { planOperations, subresourceOperations } from './plan-operations.ts';
import { planRules } from './plan-rules.ts';
import { policyKindOf } from './policy-kinds.ts';
import type { PlannedAdmit, PolicyPlan, WebhookPlan, WebhookSelection } from './webhook-plan.ts';

export interface WebhookPlans {
  /** The webhooks: the plans of the classes that have no mistake themselves, in the order of the classes. */
  readonly plans: readonly WebhookPlan[];
  /** The classes that are policies instead, in the same way. */
  readonly policies: readonly PolicyPlan[];
  readonly mistakes: readonly ControllerMistake[];
}

/** What plans depend on besides their classes. */
export interface WebhookSurroundings {
  /** The kinds of policies that the API server has for classes that ask for one. Default: none, all are webhooks. */
  readonly policyKinds?: readonly PolicyKind[];
  /** The namespaces that the operator watches, for whose objects webhooks of namespaced kinds are called. Default: all. */
  readonly namespaces?: readonly string[] | undefined;
}

/**
 * Reads and checks the declarations of webhooks that one manager serves, and reports all mistakes at once. The syntax of
 * selectors and conditions is left to those who write configurations.
 *
 * @param controllers the plans of the controllers of the same manager.
 */
export function planWebhooks(
  classes: readonly AnyClass[],
  controllers: readonly Pick<ControllerPlan, 'controllerClass' | 'cached'>[] = [],
  { policyKinds = [], namespaces }: WebhookSurroundings = {},
): WebhookPlans {
  const mistakes: ControllerMistake[] = [];
  const watched = namespaces === undefined ? undefined : [...new Set(namespaces)].sort();
  const all = classes.flatMap((webhookClass) => planWebhook(webhookClass, watched, mistakes) ?? []);
  reportShared(all, 'name', mistakes);
  const policies = all.filter((plan): plan is PolicyPlan => isPolicy(plan, policyKinds));
  const plans = all.filter((plan) => !isPolicy(plan, policyKinds));
  reportShared(plans, 'path', mistakes);
  const webhooks = plans.map(({ webhookClass, cached, rules }) => ({
    controllerClass: webhookClass,
    cached: rules?.params === undefined ? cached : [...cached, rules.params.kind],
  }));
  const several = severalClassesOfOneKind([...controllers, ...webhooks]);
  mistakes.push(...several.filter(({ controllerClass }) => classes.includes(controllerClass)));
  return { plans, policies, mistakes };
}

function isPolicy({ rules, type }: Pick<WebhookPlan, 'rules' | 'type'>, policyKinds: readonly PolicyKind[]): boolean {
  return rules?.policy === true && policyKinds.includes(policyKindOf(type));
}

type WebhookType = WebhookPlan['type'];

const decorators: Readonly<Record<WebhookType, string>> = {
  validating: 'ValidatingWebhook',
  mutating: 'MutatingWebhook',
};

function planWebhook(
  webhookClass: AnyClass,
  watched: readonly string[] | undefined,
  mistakes: ControllerMistake[],
): WebhookPlan | undefined {
  const reader = new DeclarationReader(webhookClass, mistakes);
  const validating = declared(validatingWebhook, webhookClass);
  const mutating = declared(mutatingWebhook, webhookClass);
  const declaration = validating ?? mutating;
  if (declaration === undefined) {
    const has = declared(admits, webhookClass).length > 0 ? 'has @Admit' : 'is listed as a webhook';
    reader.report(
      'missing-webhook',
      `the class ${has} but has neither @ValidatingWebhook nor @MutatingWebhook; add @ValidatingWebhook(YourKind) above it`,
    );
    return undefined;
  }
  if (validating !== undefined && mutating !== undefined) {
    reader.report(
      'duplicate-declaration',
      'the class has both @ValidatingWebhook and @MutatingWebhook; write two classes, and move what both need to a service',
    );
  }
  const type: WebhookType = validating === undefined ? 'mutating' : 'validating';
  const word = reader.say(decorators[type]);
  reader.checkOptions(word, declaration, [...commonOptions, type === 'validating' ? 'schema' : 'reinvocationPolicy']);
  const kind = reader.kind(word, declaration.kind);
  if (kind?.metadataOnly) {
    reader.report('invalid-option', `${word} needs a kind, not its metadata; write ${word}(${kind.kind.name})`);
  }
  checkOptionValues(declaration, reader, word);
  const cached = declared(listers, webhookClass).flatMap(
    (lister) => reader.cachedKind(reader.say('ListerOf'), lister.kind) ?? [],
  );
  const rbac = planRbac(webhookClass, ({ code, message, method }) => reader.report(code, message, method));
  const subresource = typeof declaration.subresource === 'string' ? declaration.subresource : undefined;
  const schema = declaration.schema === true;
  const rules = planRules(reader, word, type, declaration, kind?.resource);
  if (schema) checkSchema(reader, word, subresource);
  const methods = planMethods(reader, word, kind, subresource, schema || rules !== undefined);
  if (kind === undefined || !reader.isSound) return undefined;
  const { resource } = kind;
  const selection = selectionOf(declaration);
  checkScope(resource, declaration, reader, word);
  if (!reader.isSound) return undefined;
  const used = new Set<AdmissionOperation>(methods.flatMap(({ operations }) => operations));
  if (schema) for (const operation of ['create', 'update'] as const) used.add(operation);
  for (const operation of rules?.operations ?? []) used.add(operation);
  return {
    kind: kind.kind,
    resource,
    webhookClass: webhookClass as ConcreteClass,
    type,
    name: declaration.name ?? defaultName(type, resource, subresource),
    path: declaration.path ?? defaultPath(type, resource, subresource),
    subresource,
    methods,
    rules,
    operations: admissionOperations.filter((operation) => used.has(operation)),
    schema,
    declaresStatus: declaresStatus(kind.kind),
    sideEffects: declaration.sideEffects ?? 'None',
    selection,
    namespaces: resource.namespaced ? watched : undefined,
    cached,
    rbac,
  };
}

const commonOptions = [
  'kind',
  'name',
  'path',
  'subresource',
  'failurePolicy',
  'matchPolicy',
  'namespaceSelector',
  'objectSelector',
  'matchConditions',
  'sideEffects',
  'timeoutSeconds',
  'scope',
  'policy',
  'operations',
  'variables',
  'params',
];

const selected = [
  'failurePolicy',
  'matchPolicy',
  'namespaceSelector',
  'objectSelector',
  'matchConditions',
  'timeoutSeconds',
  'scope',
  'reinvocationPolicy',
] as const satisfies readonly (keyof WebhookSelection)[];

function selectionOf(declaration: WebhookDeclaration): WebhookSelection {
  const given = selected.flatMap((name) => (declaration[name] === undefined ? [] : [[name, declaration[name]]]));
  return Object.fromEntries(given) as WebhookSelection;
}

/** `validate-batch-example-com-v1-cronjob`, as in kubebuilder. The core group is empty. */
function defaultPath(type: WebhookType, resource: ApiResource, subresource: string | undefined): string {
  const { group, version, kind } = resource;
  const parts = [group.replaceAll('.', '-'), version, kind.toLowerCase(), ...(subresource ?? '').split('/')];
  const start = type === 'validating' ? '/validate' : '/mutate';
  return `${start}-${parts.join('-').replace(/-$/, '')}`;
}

/** A group such as `apps` has too few parts for the name of a webhook. */
function defaultName(type: WebhookType, resource: ApiResource, subresource: string | undefined): string {
  const { group, version, kind } = resource;
  const first = [
    `${type.slice(0, 1)}${kind.toLowerCase()}`,
    version,
    ...(subresource === undefined ? [] : [subresource]),
  ];
  return `${first.join('-')}.${group.includes('.') ? group : `${group === '' ? 'core' : group}.webhook`}`;
}

const choices: Readonly<Record<string, readonly unknown[]>> = {
  failurePolicy: ['Fail', 'Ignore'],
  matchPolicy: ['Equivalent', 'Exact'],
  sideEffects: ['None', 'NoneOnDryRun'],
  reinvocationPolicy: ['Never', 'IfNeeded'],
  scope: ['*', 'Namespaced', 'Cluster'],
  schema: [true, false],
};

/** The maximum number of conditions of a webhook, as in the API server. */
const conditionsMax = 64;

function checkOptionValues(declaration: WebhookDeclaration, reader: DeclarationReader, word: string): void {
  const given = declaration as unknown as Readonly<Record<string, unknown>>;
  const wrong = (option: string, fix: string): void =>
    reader.report('invalid-option', `${word}: ${option} is ${show(given[option])}; ${fix}`);
  for (const [option, values] of Object.entries(choices)) {
    if (given[option] === undefined || values.includes(given[option])) continue;
    wrong(option, `use ${values.map(show).join(' or ')}`);
  }
  const { name, path, subresource, timeoutSeconds, matchConditions } = given;
  if (name !== undefined && !isWebhookName(name)) {
    wrong('name', "use a domain of at least three parts, such as 'cronjobs.batch.example.com'");
  }
  if (path === '/convert') wrong('path', 'use another path, because conversions use this one');
  else if (path !== undefined && !isWebhookPath(path)) {
    wrong(
      'path',
      "use a path of lower-case letters, digits, '-' and '.', such as '/validate-batch-example-com-v1-cronjob'",
    );
  }
  if (subresource !== undefined && !(typeof subresource === 'string' && /^[a-z][a-z0-9]{0,62}$/.test(subresource))) {
    wrong('subresource', "use the name of one subresource, such as 'status'");
  }
  const isTimeout = Number.isInteger(timeoutSeconds) && Number(timeoutSeconds) >= 1 && Number(timeoutSeconds) <= 30;
  if (timeoutSeconds !== undefined && !isTimeout) wrong('timeoutSeconds', 'use an integer from 1 to 30');
  for (const selector of ['namespaceSelector', 'objectSelector']) {
    if (given[selector] !== undefined && !isJsonObject(given[selector])) {
      wrong(selector, "use a label selector, such as { matchLabels: { app: 'web' } }");
    }
  }
  if (matchConditions !== undefined)
    checkConditions(matchConditions, wrong, (text) => reader.report('invalid-option', `${word}: ${text}`));
}

function checkConditions(
  conditions: unknown,
  wrong: (option: string, fix: string) => void,
  report: (text: string) => void,
): void {
  if (!Array.isArray(conditions)) {
    wrong('matchConditions', "use a list, such as [{ name: 'exclude-leases', expression: '...' }]");
    return;
  }
  if (conditions.length > conditionsMax)
    report(`there are ${conditions.length} matchConditions; use at most ${conditionsMax}`);
  const names = new Set<unknown>();
  for (const [index, condition] of (conditions as unknown[]).entries()) {
    const { name, expression } = isJsonObject(condition) ? (condition as Readonly<Record<string, unknown>>) : {};
    const at = `matchConditions[${index}]`;
    if (typeof name !== 'string' || !isQualifiedName(name)) {
      report(`the name of ${at} is ${show(name)}; use letters, digits, '-', '_' and '.', such as 'exclude-leases'`);
    } else if (names.size === names.add(name).size)
      report(`the name of ${at} is ${show(name)}, but an earlier condition has this name; use each name once`);
    if (typeof expression !== 'string' || expression.trim() === '') {
      report(`the expression of ${at} is ${show(expression)}; write an expression in CEL`);
    }
  }
}

/** `IsFullyQualifiedName` of apimachinery. */
function isWebhookName(name: unknown): boolean {
  return typeof name === 'string' && isDns1123Subdomain(name) && name.split('.').length >= 3;
}

/** `ValidateWebhookService` of apiserver `pkg/util/webhook`. */
function isWebhookPath(path: unknown): boolean {
  if (typeof path !== 'string' || !/^\/[^/]/.test(path) || path.length > 512) return false;
  return path.slice(1).replace(/\/$/, '').split('/').every(hasSubdomainForm);
}

function checkScope(
  { namespaced, plural }: ApiResource,
  { scope }: WebhookDeclaration,
  reader: DeclarationReader,
  word: string,
): void {
  if (scope === undefined || scope === '*' || (scope === 'Namespaced') === namespaced) return;
  reader.report(
    'invalid-option',
    `${word}: scope is "${scope}", but ${plural} are ${namespaced ? 'namespaced' : 'cluster-scoped'}, so the webhook would never be called; remove the option`,
  );
}

function planMethods(
  reader: DeclarationReader,
  word: string,
  kind: CachedKind | undefined,
  subresource: string | undefined,
  isComplete: boolean,
): PlannedAdmit[] {
  const given = declared(admits, reader.controllerClass);
  if (given.length === 0 && !isComplete) {
    reader.report(
      'webhook-without-admit',
      `the class has ${word}(${kind?.kind.name ?? ''}) but no @Admit; add @Admit() above the method that reviews requests`,
    );
  }
  return given.map((declaration) => planMethod(declaration, reader, kind, subresource));
}

function checkSchema(reader: DeclarationReader, word: string, subresource: string | undefined): void {
  if (subresource === undefined || subresource === 'status') return;
  reader.report(
    'invalid-option',
    `${word}: schema has no effect for the subresource "${subresource}"; remove schema or subresource`,
  );
}

function planMethod(
  { method, operations }: AdmitDeclaration,
  reader: DeclarationReader,
  kind: CachedKind | undefined,
  subresource: string | undefined,
): PlannedAdmit {
  const word = reader.say('Admit');
  const planned = planOperations(operations, subresource, (problem) =>
    reader.report('invalid-option', `${word}: ${problem}`, method),
  );
  const object = objectKind(kind, subresource);
  if (object !== undefined) reader.checkParameter(word, object, method);
  return { method, operations: planned };
}

/** The kind of the object that a method gets; undefined if it is not known. */
function objectKind(kind: CachedKind | undefined, subresource: string | undefined): CachedKind | undefined {
  if (subresource === 'scale') {
    const resource = { group: 'autoscaling', version: 'v1', kind: 'Scale', plural: 'scales', namespaced: true };
    return { kind: { name: 'Scale' } as KindClass, resource, metadataOnly: false };
  }
  const isOfObject = subresource === undefined || !Object.hasOwn(subresourceOperations, subresource);
  return isOfObject ? kind : undefined;
}

function declaresStatus(kind: KindClass): boolean {
  if (declared(customResource, kind) === undefined) return false;
  return [...declared(properties, kind).values()].flat().some((property) => property.says === 'status');
}

function reportShared(plans: readonly WebhookPlan[], option: 'name' | 'path', mistakes: ControllerMistake[]): void {
  const classOf = new Map<string, string>();
  for (const { [option]: value, type, webhookClass } of plans) {
    const id = option === 'name' ? `${type} ${value}` : value;
    const other = classOf.get(id);
    if (other === undefined) {
      classOf.set(id, webhookClass.name);
      continue;
    }
    mistakes.push({
      code: 'duplicate-declaration',
      controllerClass: webhookClass,
      message: `the ${option} "${value}" of the webhook is already used by ${other}; set the option ${option} of one of them`,
    });
  }
}
