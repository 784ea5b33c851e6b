import {
  didYouMean,
  type ErrorCode,
  type ExternalDocsOptions,
  type RuleOptions,
  type RuleReason,
  type SharedSchemaDeclaration,
} from '@evenkeel/core';

type Report = (code: ErrorCode, message: string) => void;

/** Checks the arguments of a decorator that is allowed on classes and on properties. */
export function checkSharedDeclaration(declaration: SharedSchemaDeclaration, report: Report): void {
  switch (declaration.says) {
    case 'rule': {
      const { says: _says, rule, ...options } = declaration;
      checkRule(rule, options, report);
      return;
    }
    case 'title':
      if (typeof declaration.text !== 'string') {
        report('invalid-option', `@Title() takes a string, not ${show(declaration.text)}`);
      }
      return;
    case 'externalDocs': {
      const { says: _says, ...options } = declaration;
      unknownOptions('@ExternalDocs()', options, externalDocsOptions, report);
      if (!URL.canParse(String(options.url))) {
        report('invalid-option', `@ExternalDocs(): url ${show(options.url)} is not a URL with a scheme`);
      }
      if (options.description !== undefined && typeof options.description !== 'string') {
        report('invalid-option', `@ExternalDocs(): description ${show(options.description)} is not a string`);
      }
      return;
    }
    case 'mapType':
      if (declaration.type !== 'atomic' && declaration.type !== 'granular') {
        report('invalid-option', `@MapType(${show(declaration.type)}): the map type must be "atomic" or "granular"`);
      }
      return;
  }
}

function checkRule(rule: unknown, options: RuleOptions, report: Report): void {
  const decorator = typeof rule === 'string' ? `@Rule(${JSON.stringify(rule)})` : '@Rule()';
  if (typeof rule !== 'string' || rule.trim() === '') {
    report('invalid-option', `@Rule() takes a CEL expression as a string, not ${show(rule)}`);
  }
  unknownOptions(decorator, options, ruleOptions, report);
  for (const option of ['message', 'messageExpression', 'fieldPath'] as const) {
    const value: unknown = options[option];
    if (value !== undefined && typeof value !== 'string') {
      report('invalid-option', `${decorator}: ${option} ${show(value)} is not a string`);
    }
  }
  if (options.reason !== undefined && !isRuleReason(options.reason)) {
    report(
      'invalid-option',
      `${decorator}: reason ${show(options.reason)} is unknown${didYouMean(String(options.reason), reasons) || `; use one of ${reasons.join(', ')}`}`,
    );
  }
  if (options.optionalOldSelf !== undefined && typeof options.optionalOldSelf !== 'boolean') {
    report('invalid-option', `${decorator}: optionalOldSelf ${show(options.optionalOldSelf)} is not a boolean`);
  }
}

/** Reports unknown options, with the most similar known option. */
export function unknownOptions(decorator: string, options: object, known: readonly string[], report: Report): void {
  for (const option of Object.keys(options)) {
    if (known.includes(option)) continue;
    report(
      'unknown-option',
      `${decorator}: unknown option "${option}"${didYouMean(option, known) || `; it takes ${known.join(', ')}`}`,
    );
  }
}

/** A value as messages show it. */
export function show(value: unknown): string {
  if (value === undefined) return '(missing)';
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (typeof value === 'function') return value.name === '' ? 'a function' : value.name;
  return JSON.stringify(value) ?? String(value);
}

const externalDocsOptions: readonly string[] = ['url', 'description'] satisfies readonly (keyof ExternalDocsOptions)[];

const ruleOptions: readonly string[] = [
  'message',
  'messageExpression',
  'reason',
  'fieldPath',
  'optionalOldSelf',
] satisfies readonly (keyof RuleOptions)[];

const reasons = [
  'FieldValueInvalid',
  'FieldValueForbidden',
  'FieldValueRequired',
  'FieldValueDuplicate',
] as const satisfies readonly RuleReason[];

export function isRuleReason(reason: unknown): reason is RuleReason {
  return reasons.some((known) => known === reason);
}
