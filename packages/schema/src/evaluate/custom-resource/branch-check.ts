import { goQuote } from '../apimachinery.ts';
import type { StructuralSchema } from '../structural-schema.ts';
import type { ValidationResult } from './validation-result.ts';
import type { ValueCheck } from './value-check.ts';

/**
 * Checks anyOf, oneOf, allOf and not, in that order. If all branches fail, the errors of the branch with the most
 * successful checks are reported (kube-openapi pkg/validation/validate/schema_props.go). Errors in branches are not ignored
 * on update. `checkOf` returns the check of a branch, and is called when a value is checked.
 */
export function compileBranchCheck(schema: StructuralSchema, checkOf: CheckOf): ValueCheck | undefined {
  const checks: ValueCheck[] = [];
  const compileAll = (branches: readonly StructuralSchema[]) => branchesOf(branches, checkOf);
  if (schema.anyOf?.length) checks.push(anyOfCheck(compileAll(schema.anyOf)));
  if (schema.oneOf?.length) checks.push(oneOfCheck(compileAll(schema.oneOf)));
  if (schema.allOf?.length) checks.push(allOfCheck(compileAll(schema.allOf)));
  if (schema.not !== undefined) checks.push(notCheck(compileAll([schema.not])));
  if (checks.length <= 1) return checks[0];
  return (value, path, result, correlation, depth) => {
    for (const check of checks) check(value, path, result, correlation, depth);
  };
}

type CheckOf = (schema: StructuralSchema) => ValueCheck;

type Branch = (value: unknown, path: string, parent: ValidationResult, depth: number) => ValidationResult;

function branchesOf(schemas: readonly StructuralSchema[], checkOf: CheckOf): Branch[] {
  return schemas.map((schema) => (value, path, parent, depth) => {
    const result = parent.branch();
    checkOf(schema)(value, path, result, undefined, depth);
    return result;
  });
}

function anyOfCheck(branches: readonly Branch[]): ValueCheck {
  return (value, path, result, _correlation, depth) => {
    let best: ValidationResult | undefined;
    for (const branch of branches) {
      const tried = branch(value, path, result, depth);
      if (tried.errors.length === 0) {
        result.merge(tried);
        return;
      }
      if (best === undefined || tried.matchCount > best.matchCount) best = tried;
    }
    result.unattributed(`${goQuote(path)} must validate at least one schema (anyOf)`);
    if (best !== undefined) result.merge(best);
  };
}

function oneOfCheck(branches: readonly Branch[]): ValueCheck {
  return (value, path, result, _correlation, depth) => {
    let best: ValidationResult | undefined;
    let valid: ValidationResult | undefined;
    let count = 0;
    for (const branch of branches) {
      const tried = branch(value, path, result, depth);
      if (tried.errors.length === 0) {
        count++;
        valid ??= tried;
      } else if (best === undefined || tried.matchCount > best.matchCount) {
        best = tried;
      }
    }
    if (count === 1 && valid !== undefined) {
      result.merge(valid);
      return;
    }
    const found = count === 0 ? 'Found none valid' : `Found ${count} valid alternatives`;
    result.unattributed(`${goQuote(path)} must validate one and only one schema (oneOf). ${found}`);
    if (count === 0 && best !== undefined) result.merge(best);
  };
}

function allOfCheck(branches: readonly Branch[]): ValueCheck {
  return (value, path, result, _correlation, depth) => {
    let valid = 0;
    for (const branch of branches) {
      const tried = branch(value, path, result, depth);
      if (tried.errors.length === 0) valid++;
      result.merge(tried);
    }
    if (valid === branches.length) return;
    const none = valid === 0 ? '. None validated' : '';
    result.unattributed(`${goQuote(path)} must validate all the schemas (allOf)${none}`);
  };
}

function notCheck([branch]: readonly Branch[]): ValueCheck {
  return (value, path, result, _correlation, depth) => {
    if (branch?.(value, path, result, depth).errors.length === 0) {
      result.unattributed(`${goQuote(path)} must not validate the schema (not)`);
    }
  };
}
