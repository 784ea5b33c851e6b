import { isJsonObject } from '@evenkeel/apimachinery/json';
import { didYouMean, type ErrorCode, type SchemaKeywords } from '@evenkeel/core';
import { show } from './check-shared-declaration.ts';
import { jsonOf } from './initial-values.ts';

type Report = (code: ErrorCode, message: string) => void;

/** Checks the names of the keywords at every level. The API server's rules check their values. */
export function checkSchemaKeywords(keywords: unknown, decorator: string, report: Report): void {
  if (jsonOf(keywords, true) === undefined || !isJsonObject(keywords)) {
    report(
      'invalid-option',
      `${decorator} takes an object of keywords as JSON, not ${isJsonObject(keywords) ? 'this one' : show(keywords)}`,
    );
    return;
  }
  check(keywords, '', decorator, report);
}

function check(keywords: Readonly<Record<string, unknown>>, at: string, decorator: string, report: Report): void {
  for (const [keyword, value] of Object.entries(keywords)) {
    if (!known.includes(keyword)) {
      report(
        'unknown-option',
        `${decorator}: ${at === '' ? '' : `in ${at}: `}structural schemas do not have the keyword "${keyword}"${didYouMean(keyword, known)}`,
      );
      continue;
    }
    const path = at === '' ? keyword : `${at}.${keyword}`;
    if (keyword === 'properties' && isJsonObject(value)) {
      for (const [name, property] of Object.entries(value)) below(property, `${path}[${name}]`, decorator, report);
    } else if (single.has(keyword)) below(value, path, decorator, report);
    else if (several.has(keyword) && Array.isArray(value)) {
      for (const [index, part] of value.entries()) below(part, `${path}[${index}]`, decorator, report);
    }
  }
}

function below(value: unknown, at: string, decorator: string, report: Report): void {
  if (isJsonObject(value)) check(value, at, decorator, report);
  else if (typeof value !== 'boolean' || !at.endsWith('additionalProperties')) {
    report('invalid-option', `${decorator}: ${at} must be a schema, not ${show(value)}`);
  }
}

const single = new Set(['items', 'additionalProperties', 'not']);
const several = new Set(['allOf', 'anyOf', 'oneOf']);

const known: readonly string[] = Object.keys({
  type: true,
  format: true,
  title: true,
  description: true,
  default: true,
  example: true,
  nullable: true,
  externalDocs: true,
  maximum: true,
  exclusiveMaximum: true,
  minimum: true,
  exclusiveMinimum: true,
  multipleOf: true,
  maxLength: true,
  minLength: true,
  pattern: true,
  maxItems: true,
  minItems: true,
  maxProperties: true,
  minProperties: true,
  enum: true,
  required: true,
  allOf: true,
  anyOf: true,
  oneOf: true,
  not: true,
  items: true,
  properties: true,
  additionalProperties: true,
  'x-kubernetes-preserve-unknown-fields': true,
  'x-kubernetes-embedded-resource': true,
  'x-kubernetes-int-or-string': true,
  'x-kubernetes-list-type': true,
  'x-kubernetes-list-map-keys': true,
  'x-kubernetes-map-type': true,
  'x-kubernetes-validations': true,
} satisfies Record<keyof SchemaKeywords, true>);
