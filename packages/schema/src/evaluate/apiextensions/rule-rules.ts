import {
  addErrors,
  childPath,
  type FieldError,
  GoStruct,
  internalError,
  invalid,
  keyPath,
  notSupported,
  required,
} from '../apimachinery.ts';
import { CompiledRule, compileRule, type DeclaredType } from '../cel/index.ts';
import { resolveFieldPath } from '../custom-resource/field-path.ts';
import type { StructuralSchema, ValidationRule } from '../structural-schema.ts';
import type { JsonSchemaProps } from './custom-resource-definition.ts';
import type { RuleScope } from './rule-scope.ts';
import { unsupportedKeyword } from './structural-rules.ts';

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** The errors of the fields of rules, without compiling them. */
export function ruleFormErrors(schema: JsonSchemaProps, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const rules = schema['x-kubernetes-validations'] ?? [];
  const resolves = rules.some(({ fieldPath }) => fieldPath) && unsupportedKeyword(schema) === undefined;
  rules.forEach((rule, i) => {
    const at = (name: string) => childPath(keyPath(childPath(path, 'x-kubernetes-validations'), i), name);
    addErrors(errors, textErrors(rule, at));
    if (rule.messageExpression && rule.messageExpression.trim() === '') {
      errors.push(required(at('messageExpression'), 'messageExpression must be non-empty if specified'));
    }
    if (rule.reason !== undefined && !reasons.includes(rule.reason)) {
      errors.push(notSupported(at('reason'), rule.reason, reasons));
    }
    const { fieldPath } = rule;
    if (!fieldPath) return;
    if (fieldPath.trim() === '') errors.push(invalid(at('fieldPath'), fieldPath, 'must be non-empty if specified'));
    if (hasLineBreak(fieldPath)) errors.push(invalid(at('fieldPath'), fieldPath, 'must not contain line breaks'));
    const isResolved = !resolves || resolveFieldPath(fieldPath, schema as StructuralSchema).error === undefined;
    if (!isResolved) errors.push(invalid(at('fieldPath'), fieldPath, 'must be a valid path'));
  });
  return errors;
}

function textErrors({ rule = '', message = '' }: ValidationRule, at: (name: string) => string): FieldError[] {
  if (rule.trim() === '') return [required(at('rule'), 'rule is not specified')];
  if (message !== '' && message.trim() === '') {
    return [invalid(at('message'), message, 'must be non-empty if specified')];
  }
  if (hasLineBreak(message.trim())) return [invalid(at('message'), message, 'must not contain line breaks')];
  if (hasLineBreak(rule.trim()) && message.trim() === '') {
    return [required(at('message'), 'message must be specified if rule contains line breaks')];
  }
  return [];
}

function hasLineBreak(text: string): boolean {
  return /[\n\r]/.test(text);
}

/**
 * The errors of compiling a schema's rules, and of their costs. `uncorrelated` is the path of the nearest parent, if any,
 * below which values have no old value.
 */
export function ruleErrors(
  schema: JsonSchemaProps,
  path: string,
  scope: RuleScope,
  uncorrelated: string | undefined,
): FieldError[] {
  const rules = schema['x-kubernetes-validations'] ?? [];
  if (rules.length === 0) return [];
  const rulesPath = childPath(path, 'x-kubernetes-validations');
  const { declared } = scope;
  if (declared === undefined) {
    return [internalError(rulesPath, 'failed to convert to declType for CEL validation rules')];
  }
  if (declared.kind === 'preserved') {
    const why = 'unable to convert structural schema to CEL declarations';
    const detail = `internal error: failed to construct type information for x-kubernetes-validations rules: ${why}`;
    return [internalError(rulesPath, detail)];
  }
  return rules.flatMap((rule, i) => expressionErrors(rule, scope, declared, keyPath(rulesPath, i), uncorrelated));
}

function expressionErrors(
  rule: ValidationRule,
  scope: RuleScope,
  declared: DeclaredType,
  path: string,
  uncorrelated: string | undefined,
): FieldError[] {
  const errors: FieldError[] = [];
  const rulePath = childPath(path, 'rule');
  const optionalOldSelf = rule.optionalOldSelf === true;
  const compiled = compileRule({ expression: rule.rule, declared, optionalOldSelf });
  if (compiled instanceof CompiledRule) {
    addErrors(errors, scope.addRule(compiled, declared, rulePath));
    addErrors(errors, messageErrors(rule, scope, declared, childPath(path, 'messageExpression')));
  } else {
    errors.push(invalid(rulePath, internalRule(rule), compiled.message));
  }
  const usesOldSelf = compiled instanceof CompiledRule && compiled.usesOldSelf;
  if (usesOldSelf && uncorrelated !== undefined) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
    errors.push(invalid(rulePath, rule.rule, detail));
  } else if (!usesOldSelf && rule.optionalOldSelf !== undefined) {
    const detail = 'may not be set if oldSelf is not used in rule';
    errors.push(invalid(childPath(path, 'optionalOldSelf'), rule.optionalOldSelf, detail));
  }
  return errors;
}

function messageErrors(rule: ValidationRule, scope: RuleScope, declared: DeclaredType, path: string): FieldError[] {
  if (!rule.messageExpression) return [];
  const message = compileRule({
    expression: rule.messageExpression,
    declared,
    optionalOldSelf: rule.optionalOldSelf === true,
    result: 'string',
  });
  if (message instanceof CompiledRule) return scope.addMessage(message, path);
  const detail = message.message
    .replace(/^program /, '')
    .replace(/^(?=compilation|instantiation)/, 'messageExpression ');
  return [invalid(path, internalRule(rule), detail)];
}

/** A rule as the API server's messages print it: its internal form with the names of Go's fields. */
function internalRule(rule: ValidationRule): GoStruct {
  return new GoStruct({
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  });
}
