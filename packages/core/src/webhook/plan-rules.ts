import { isJsonObject } from '@evenkeel/apimachinery/json';
import { declared } from '../declarations/class-record.ts';
import type { DeclarationReader } from '../declarations/declaration-reader.ts';
import type { AdmissionRule, RuleDeclaration } from '../declarations/rule-declaration.ts';
import { schema } from '../declarations/schema-declaration.ts';
import type { WebhookDeclaration } from '../declarations/webhook-class.ts';
import { admits } from '../decorators/admit.ts';
import { listers } from '../decorators/lister-of.ts';
import { type MutationDeclaration, mutations } from '../decorators/mutation.ts';
import type { ApiResource } from '../kind/api-resource.ts';
import { show } from './given-value.ts';
import { planOperations } from './plan-operations.ts';
import type { PlannedParams, PlannedRules, WebhookPlan } from './webhook-plan.ts';

/** The options that only rules need. */
const optionsOfRules = ['operations', 'variables', 'params'] as const;

/**
 * Reads the rules of a webhook class, and reports its mistakes. It does not check the expressions, which are compiled later.
 *
 * @param resource of the webhook's kind; undefined if it is invalid.
 * @returns undefined if the class has none.
 */
export function planRules(
  reader: DeclarationReader,
  word: string,
  type: WebhookPlan['type'],
  declaration: WebhookDeclaration,
  resource: ApiResource | undefined,
): PlannedRules | undefined {
  const { controllerClass } = reader;
  const validations = declared(schema, controllerClass).filter((one) => one.says === 'rule');
  const mutating = declared(mutations, controllerClass);
  const wrong = (message: string): void => reader.report('invalid-option', message);
  const policy = declaration.policy === true;
  if (declaration.policy !== undefined && typeof declaration.policy !== 'boolean') {
    wrong(`${word}: policy is ${show(declaration.policy)}; use true or false`);
  }
  const [own, other] = type === 'validating' ? ['Rule', 'Mutation'] : ['Mutation', 'Rule'];
  if ((type === 'validating' ? mutating : validations).length > 0) {
    wrong(
      `@${other} has no effect in a class with ${word}; move it to a class with @${type === 'validating' ? 'Mutating' : 'Validating'}Webhook`,
    );
  }
  if (validations.length + mutating.length === 0) {
    const unused = optionsOfRules.find((option) => declaration[option] !== undefined);
    if (policy) wrong(`${word}: policy is true, but the class has no @${own}; add @${own}('...') above it`);
    else if (unused !== undefined) {
      const fix = unused === 'operations' ? 'name the operations in @Admit' : `remove it, or add @${own}('...')`;
      wrong(`${word}: ${unused} has no effect without @${own}; ${fix}`);
    }
    return undefined;
  }
  for (const rule of validations) checkRule(rule, wrong);
  for (const mutation of mutating) checkMutation(mutation, wrong);
  if (policy) checkPolicyOnly(reader, declaration, word, own ?? '');
  const subresource = typeof declaration.subresource === 'string' ? declaration.subresource : undefined;
  const operations = planOperations(declaration.operations ?? [], subresource, (problem) =>
    wrong(`${word}: operations: ${problem}`),
  );
  if (type === 'mutating' && operations.includes('delete')) {
    wrong(`${word}: operations: an object that is deleted cannot be changed; remove 'delete'`);
  }
  const variables = variablesOf(declaration.variables ?? [], word, wrong);
  const params = declaration.params === undefined ? undefined : planParams(declaration.params, reader, word, resource);
  const expressions = [
    ...validations.flatMap(({ rule, messageExpression }) => [rule, messageExpression]),
    ...mutating.map(({ expression }) => expression),
    ...variables.map(({ expression }) => expression),
  ];
  const readsNamespace = expressions.some((expression) => /\bnamespaceObject\b/.test(String(expression)));
  return {
    operations,
    validations: validations as readonly AdmissionRule[],
    mutations: mutating,
    variables,
    params,
    readsNamespace,
    policy,
  };
}

type Report = (message: string) => void;

const reasons: readonly unknown[] = [undefined, 'Invalid', 'Forbidden', 'RequestEntityTooLarge'];

function checkRule(
  { rule, message, messageExpression, reason, fieldPath, optionalOldSelf }: RuleDeclaration,
  wrong: Report,
): void {
  const shown = `@Rule(${show(rule)})`;
  if (typeof rule !== 'string' || rule.trim() === '') wrong(`${shown}: write an expression in CEL`);
  for (const [option, value] of Object.entries({ message, messageExpression })) {
    if (value !== undefined && typeof value !== 'string')
      wrong(`${shown}: ${option} is ${show(value)}; write a string`);
  }
  if (!reasons.includes(reason)) {
    wrong(
      `${shown}: reason is ${show(reason)}, which only API classes have; use ${reasons.slice(1).map(show).join(', ')}`,
    );
  }
  for (const [option, value] of Object.entries({ fieldPath, optionalOldSelf })) {
    if (value !== undefined) wrong(`${shown}: ${option} has no effect in a webhook; remove it`);
  }
}

function checkMutation({ expression, patchType }: MutationDeclaration, wrong: Report): void {
  const shown = `@Mutation(${show(expression)})`;
  if (typeof expression !== 'string' || expression.trim() === '') wrong(`${shown}: write an expression in CEL`);
  if (!['ApplyConfiguration', 'JSONPatch', undefined].includes(patchType)) {
    wrong(`${shown}: patchType is ${show(patchType)}; use "ApplyConfiguration" or "JSONPatch"`);
  }
}

/** The API server evaluates a policy without the operator, so nothing else of the class can have an effect. */
function checkPolicyOnly(
  reader: DeclarationReader,
  { schema: hasSchema }: WebhookDeclaration,
  word: string,
  own: string,
): void {
  const only = `${word}: the API server evaluates a policy without the operator, so the class can have only @${own}`;
  const [admit] = declared(admits, reader.controllerClass);
  if (admit !== undefined) {
    reader.report('invalid-option', `${only}; move this method to another class, or remove policy`, admit.method);
  }
  if (hasSchema === true) reader.report('invalid-option', `${only}; remove schema or policy`);
  if (declared(listers, reader.controllerClass).length > 0) {
    reader.report('invalid-option', `${only}; remove @ListerOf or policy`);
  }
}

function variablesOf(given: unknown, word: string, wrong: Report): PlannedRules['variables'] {
  const isVariable = (one: unknown): boolean =>
    isJsonObject(one) && typeof one['name'] === 'string' && typeof one['expression'] === 'string';
  if (Array.isArray(given) && given.every(isVariable)) return given as PlannedRules['variables'];
  wrong(
    `${word}: variables is ${show(given)}; use a list, such as [{ name: 'replicas', expression: 'object.spec.replicas' }]`,
  );
  return [];
}

const paramOptions: readonly string[] = ['kind', 'name', 'selector', 'namespace', 'parameterNotFoundAction'];

function planParams(
  given: unknown,
  reader: DeclarationReader,
  word: string,
  resource: ApiResource | undefined,
): PlannedParams | undefined {
  const wrong = (message: string): void => reader.report('invalid-option', `${word}: params${message}`);
  if (!isJsonObject(given)) {
    wrong(` is ${show(given)}; use an object, such as { kind: ConfigMap, name: 'limits' }`);
    return undefined;
  }
  const params = given as unknown as NonNullable<WebhookDeclaration['params']>;
  for (const option of Object.keys(given)) {
    if (!paramOptions.includes(option)) wrong(`: unknown option "${option}"; use one of ${paramOptions.join(', ')}`);
  }
  const { name, selector, namespace, parameterNotFoundAction = 'Deny' } = params;
  if ((name === undefined) === (selector === undefined)) {
    wrong(' need either a name or a selector; write { kind, name } or { kind, selector: {} }');
  }
  if (selector !== undefined && !isJsonObject(selector)) {
    wrong(`.selector is ${show(selector)}; use a label selector, such as { matchLabels: { app: 'web' } }`);
  }
  for (const [option, value] of Object.entries({ name, namespace })) {
    if (value !== undefined && typeof value !== 'string') wrong(`.${option} is ${show(value)}; write a name`);
  }
  if (!['Allow', 'Deny'].includes(parameterNotFoundAction)) {
    wrong(`.parameterNotFoundAction is ${show(parameterNotFoundAction)}; use "Allow" or "Deny"`);
  }
  const kind = reader.kind(`params of ${word}`, params.kind);
  if (kind === undefined) return undefined;
  if (kind.metadataOnly) wrong(` need a kind, not its metadata; write kind: ${kind.kind.name}`);
  const { namespaced, plural } = kind.resource;
  if (!namespaced && namespace !== undefined) {
    wrong(`.namespace has no effect, because ${plural} are cluster-scoped; remove it`);
  }
  if (namespaced && namespace === undefined && resource?.namespaced === false) {
    wrong(
      ` need a namespace, because ${resource.plural} are cluster-scoped and ${plural} are not; set params.namespace`,
    );
  }
  return {
    kind,
    parameterNotFoundAction,
    ...(name === undefined ? {} : { name }),
    ...(selector === undefined ? {} : { selector }),
    ...(namespace === undefined ? {} : { namespace }),
  };
}
