import { EvenkeelError } from '@evenkeel/core';
import { isJsonObject, type JsonObject } from '../apimachinery/index.ts';
import { readYaml } from '../text/yaml-text.ts';

/** The levels, from the least to the most that is recorded. */
export const auditLevels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
/** What is recorded of a request: nothing, its metadata, also its body, or also the body of the response. */
export type AuditLevel = (typeof auditLevels)[number];

const auditStages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;
/** When an event is recorded. `ResponseStarted` is only for requests that run long, such as watches. The server has no `Panic`. */
export type AuditStage = (typeof auditStages)[number];

/** Resources of an API group, as in `audit.k8s.io/v1` GroupResources. */
export interface AuditGroupResources {
  /** Default: the core group. */
  readonly group?: string;
  /** `pods`, `pods/log`, `*`, `pods/*` or `*` with a subresource. Default: all. */
  readonly resources?: readonly string[];
  /** Default: all. */
  readonly resourceNames?: readonly string[];
}

/** A rule of `audit.k8s.io/v1`. A request must match each list that is not empty. */
export interface AuditPolicyRule {
  readonly level: AuditLevel;
  readonly users?: readonly string[];
  readonly userGroups?: readonly string[];
  readonly verbs?: readonly string[];
  readonly resources?: readonly AuditGroupResources[];
  /** An empty name selects cluster-scoped resources. */
  readonly namespaces?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  /** In addition to those of the policy. */
  readonly omitStages?: readonly AuditStage[];
  /** Default: that of the policy. */
  readonly omitManagedFields?: boolean;
}

/** A `Policy` of `audit.k8s.io/v1`. The first rule that a request matches applies. A request that matches none is not recorded. */
export interface AuditPolicy {
  readonly apiVersion?: 'audit.k8s.io/v1';
  readonly kind?: 'Policy';
  readonly rules: readonly AuditPolicyRule[];
  readonly omitStages?: readonly AuditStage[];
  readonly omitManagedFields?: boolean;
}

/** Reads the text of a policy file, YAML or JSON. Throws EvenkeelError `invalid-option` with all mistakes. */
export async function parseAuditPolicy(text: string, file: string): Promise<AuditPolicy> {
  let value: unknown;
  try {
    value = (await readYaml(text)).value;
  } catch (error) {
    throw invalidPolicy(file, [(error as Error).message]);
  }
  return checkAuditPolicy(value, file);
}

/** Returns the value as a policy. `where` names it in the error. The rules are those of apiserver's `pkg/apis/audit/validation`. */
export function checkAuditPolicy(value: unknown, where: string): AuditPolicy {
  if (!isJsonObject(value)) throw invalidPolicy(where, ['it must be an object']);
  const check = new PolicyCheck();
  const { apiVersion = 'audit.k8s.io/v1', kind = 'Policy' } = value;
  if (apiVersion !== 'audit.k8s.io/v1') check.add(`unknown apiVersion ${JSON.stringify(apiVersion)}`);
  if (kind !== 'Policy') check.add(`unknown kind ${JSON.stringify(kind)}`);
  check.fields(value, '', policyFields);
  const { rules } = value;
  if (!Array.isArray(rules) || rules.length === 0) check.add('rules: a policy needs at least one rule');
  else for (const [index, rule] of rules.entries()) check.rule(rule, `rules[${index}]`);
  if (check.problems.length > 0) throw invalidPolicy(where, check.problems);
  return value as unknown as AuditPolicy;
}

type FieldType = 'text' | 'texts' | 'stages' | 'level' | 'boolean' | 'objects';

const policyFields: Readonly<Record<string, FieldType>> = {
  apiVersion: 'text',
  kind: 'text',
  rules: 'objects',
  omitStages: 'stages',
  omitManagedFields: 'boolean',
};
const ruleFields: Readonly<Record<string, FieldType>> = {
  level: 'level',
  users: 'texts',
  userGroups: 'texts',
  verbs: 'texts',
  resources: 'objects',
  namespaces: 'texts',
  nonResourceURLs: 'texts',
  omitStages: 'stages',
  omitManagedFields: 'boolean',
};
const resourceFields: Readonly<Record<string, FieldType>> = {
  group: 'text',
  resources: 'texts',
  resourceNames: 'texts',
};

const listOf =
  (isMember: (member: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(isMember);
const oneOf =
  (values: readonly string[]) =>
  (value: unknown): boolean =>
    values.includes(value as string);
const isText = (value: unknown): boolean => typeof value === 'string';

const types: Readonly<Record<FieldType, { readonly fits: (value: unknown) => boolean; readonly words: string }>> = {
  text: { fits: isText, words: 'a string' },
  texts: { fits: listOf(isText), words: 'a list of strings' },
  boolean: { fits: (value) => typeof value === 'boolean', words: 'true or false' },
  objects: { fits: listOf(isJsonObject), words: 'a list of objects' },
  level: { fits: oneOf(auditLevels), words: `one of ${auditLevels.join(', ')}` },
  stages: { fits: listOf(oneOf(auditStages)), words: `a list of ${auditStages.join(', ')}` },
};

class PolicyCheck {
  readonly problems: string[] = [];

  add(problem: string): void {
    this.problems.push(problem);
  }

  fields(value: JsonObject, path: string, known: Readonly<Record<string, FieldType>>): void {
    for (const [name, member] of Object.entries(value)) {
      const type = Object.hasOwn(known, name) ? known[name] : undefined;
      if (type === undefined) this.add(`${path}${name}: unknown field`);
      else if (member !== null && name !== 'rules' && !types[type].fits(member)) {
        this.add(`${path}${name}: must be ${types[type].words}`);
      }
    }
  }

  rule(rule: unknown, path: string): void {
    if (!isJsonObject(rule)) {
      this.add(`${path}: must be an object`);
      return;
    }
    this.fields(rule, `${path}.`, ruleFields);
    if (rule['level'] === undefined) this.add(`${path}.level: a rule needs a level`);
    const { resources, namespaces, nonResourceURLs } = rule;
    const urls = textsOf(nonResourceURLs);
    if (urls.length > 0 && (textsOf(resources).length > 0 || textsOf(namespaces).length > 0)) {
      this.add(`${path}.nonResourceURLs: rules cannot apply to both regular resources and non-resource URLs`);
    }
    for (const url of urls) {
      if (typeof url !== 'string' || url === '*') continue;
      if (!url.startsWith('/')) this.add(`${path}.nonResourceURLs: ${JSON.stringify(url)} must start with '/'`);
      if (url.slice(0, -1).includes('*')) {
        this.add(`${path}.nonResourceURLs: ${JSON.stringify(url)} may contain '*' only at the end`);
      }
    }
    for (const [index, group] of textsOf(resources).entries()) {
      if (isJsonObject(group)) this.#resources(group, `${path}.resources[${index}]`);
    }
  }

  #resources(group: JsonObject, path: string): void {
    this.fields(group, `${path}.`, resourceFields);
    if (textsOf(group['resourceNames']).length > 0 && textsOf(group['resources']).length === 0) {
      this.add(`${path}.resourceNames: names need resources`);
    }
  }
}

function textsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function invalidPolicy(where: string, problems: readonly string[]): EvenkeelError {
  return new EvenkeelError(
    'invalid-option',
    `${where}: invalid audit policy: ${problems.join('; ')}; correct the policy`,
  );
}
