import type { MutatingAdmissionPolicy } from '@evenkeel/kinds';
import { duplicate, type FieldError, invalid, invalidBy, labelKeyErrors, required, tooMany } from '../apimachinery.ts';
import { AdmissionCompiler } from './admission-compiler.ts';

type MatchCondition = NonNullable<NonNullable<MutatingAdmissionPolicy['spec']>['matchConditions']>[number];

const conditionsMax = 64;

/** The errors in the match conditions of a webhook, or of a policy, whose conditions can have `params`. */
export function matchConditionErrors(
  conditions: readonly MatchCondition[],
  path: string,
  variables: { readonly params?: boolean } = {},
): FieldError[] {
  const errors: FieldError[] = [];
  if (conditions.length > conditionsMax) errors.push(tooMany(path, conditions.length, conditionsMax));
  const compiler = new AdmissionCompiler();
  const names = new Set<string>();
  for (const [index, { name = '', expression = '' }] of conditions.entries()) {
    const at = `${path}[${index}]`;
    const trimmed = expression.trim();
    if (trimmed === '') errors.push(required(`${at}.expression`));
    else {
      const { compiled } = compiler.compile(trimmed, 'condition', { ...variables, authorizer: true });
      if ('failure' in compiled) errors.push(invalid(`${at}.expression`, trimmed, compiled.failure));
    }
    if (name === '') errors.push(required(`${at}.name`));
    else {
      errors.push(...invalidBy(labelKeyErrors, `${at}.name`, name));
      if (names.size === names.add(name).size) errors.push(duplicate(`${at}.name`, name));
    }
  }
  return errors;
}
