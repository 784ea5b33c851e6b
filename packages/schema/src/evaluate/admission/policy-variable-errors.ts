import type { MutatingAdmissionPolicy } from '@evenkeel/kinds';
import { type FieldError, invalid, required } from '../apimachinery.ts';
import type { AdmissionCompiler, AdmissionVariables } from './admission-compiler.ts';

type Variable = NonNullable<NonNullable<MutatingAdmissionPolicy['spec']>['variables']>[number];

const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** The errors in the variables of a policy, which are added to its compiler: `validateVariable`. */
export function policyVariableErrors(
  variables: readonly Variable[],
  path: string,
  compiler: AdmissionCompiler,
  declared: AdmissionVariables,
): FieldError[] {
  return variables.flatMap(({ name = '', expression = '' }, index) => {
    const at = `${path}[${index}]`;
    const errors: FieldError[] = [];
    if (name.trim() === '') errors.push(required(`${at}.name`, 'name is not specified'));
    else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) || reserved.has(name)) {
      errors.push(invalid(`${at}.name`, name, 'must be a valid CEL identifier'));
    }
    if (expression.trim() === '') return [...errors, required(`${at}.expression`, 'expression is not specified')];
    const { compiled } = compiler.addVariable(name, expression, declared);
    if ('failure' in compiled) errors.push(invalid(`${at}.expression`, expression, compiled.failure));
    return errors;
  });
}
