import { isDns1123Subdomain } from '@evenkeel/apimachinery/name-form';
import { describeValue, EvenkeelError } from '@evenkeel/core';
import type { CertificateSource } from '@evenkeel/core/certificates';
import { Operator } from '../options/operator.ts';
import { attempt } from './attempt.ts';
import { declarationMistakes } from './check-declaration.ts';
import { checkOptions } from './check-options.ts';

const certificateSources: Readonly<Record<CertificateSource, true>> = {
  'built-in': true,
  'cert-manager': true,
  files: true,
};

/** The suffixes of role names need the rest. */
const longestName = 200;

/**
 * The mistakes in a declaration that can be found without the declarations of its classes. For programs that check a project
 * without running it.
 */
export function operatorMistakes(operator: Operator): readonly EvenkeelError[] {
  const errors: EvenkeelError[] = [];
  attempt(errors, () => checkOptions(operator.declaration, 'defineOperator'));
  attempt(errors, () => checkOwn(operator));
  return [...errors, ...declarationMistakes(operator, 'defineOperator').errors];
}

/**
 * Throws for a value that `defineOperator()` did not return, and for mistakes in a declaration that the checks of a manager do
 * not find.
 */
export function checkOperator(given: unknown): asserts given is Operator {
  if (!(given instanceof Operator)) throw new EvenkeelError('operator-not-declared', replacementOf(given));
  checkOptions(given.declaration, 'defineOperator');
  checkOwn(given);
}

function checkOwn(operator: Operator): void {
  const { name, controllers, webhooks = [], conversions = [], runnables = [], declaration } = operator;
  const { leaderElection, metricsAuthentication = false, webhookServer } = declaration;
  const invalid = (option: string, value: unknown, fix: string): EvenkeelError =>
    new EvenkeelError(
      'invalid-option',
      `defineOperator(): ${option} is ${typeof value === 'string' ? JSON.stringify(value.slice(0, longestName)) : describeValue(value)}; ${fix}`,
    );
  if (typeof name !== 'string' || name.length > longestName || !isDns1123Subdomain(name)) {
    throw invalid('name', name, "set a name of lower-case letters, digits, '-' and '.', such as 'nginx-operator'");
  }
  const isElection = ['undefined', 'boolean'].includes(typeof leaderElection) || isObject(leaderElection);
  if (!isElection) throw invalid('leaderElection', leaderElection, 'set true, or an object with its options');
  if (typeof metricsAuthentication !== 'boolean') {
    throw invalid('metricsAuthentication', metricsAuthentication, 'set true or false');
  }
  const { certificates } = isObject(webhookServer) ? webhookServer : {};
  if (certificates !== undefined && !Object.hasOwn(certificateSources, certificates)) {
    throw invalid('webhookServer.certificates', certificates, 'set "built-in", "cert-manager" or "files"');
  }
  if (controllers?.length === 0 && webhooks.length === 0 && conversions.length === 0 && runnables.length === 0) {
    throw new EvenkeelError(
      'invalid-option',
      'defineOperator(): the option "controllers" is empty and there are no "webhooks" or "runnables", so nothing would run; pass controllers, such as controllers: [TheController]',
    );
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** What to write instead of the options that `Manager.run` took before there were declarations. */
function replacementOf(given: unknown): string {
  const declared = ['controllers', 'webhooks', 'services', 'runnables'] as const;
  const lists = declared.flatMap((option) => {
    const listed: unknown = isObject(given) ? Reflect.get(given, option) : undefined;
    return Array.isArray(listed) ? [`${option}: [${listed.map(nameOf).join(', ')}]`] : [];
  });
  const options = ["name: 'my-operator'", ...(lists.length === 0 ? ['controllers: [TheController]'] : lists)];
  return (
    'Manager.run(): the first argument is not the value of defineOperator(); ' +
    `write a module src/operator.ts with: export const operator = defineOperator({ ${options.join(', ')} }); ` +
    "set operator: './src/operator.ts' in evenkeel.config.ts, and call Manager.run(operator, { ... }) with the options that are known only at run time"
  );
}

function nameOf(entry: unknown): string {
  return typeof entry === 'function' && entry.name !== '' ? entry.name : '...';
}
