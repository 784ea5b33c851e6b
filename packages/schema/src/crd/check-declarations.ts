import {
  type AnyClass,
  type CustomResourceDeclaration,
  type CustomResourceOptions,
  declarationsOf,
  didYouMean,
  type ErrorCode,
  type PrinterColumnDeclaration,
  type ScaleDeclaration,
} from '@evenkeel/core';
import type { Finding } from '../finding.ts';

const customResourceOptions: readonly string[] = [
  'group',
  'version',
  'kind',
  'plural',
  'singular',
  'listKind',
  'shortNames',
  'categories',
  'scope',
] satisfies readonly (keyof CustomResourceOptions)[];

const printerColumnOptions: readonly string[] = [
  'name',
  'type',
  'jsonPath',
  'format',
  'description',
  'priority',
] satisfies readonly (keyof PrinterColumnDeclaration)[];

const scaleOptions: readonly string[] = [
  'specReplicasPath',
  'statusReplicasPath',
  'labelSelectorPath',
] satisfies readonly (keyof ScaleDeclaration)[];

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/;
const label = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

/**
 * Checks what the decorators of a custom resource were given, before a CRD is made of it. What the API server would
 * refuse in the CRD is checked there.
 */
export function checkDeclarations(
  type: AnyClass,
  declaration: CustomResourceDeclaration,
  report: (code: ErrorCode, message: string, property?: string) => void,
): void {
  const { printerColumns, scale, properties } = declarationsOf(type);
  checkNames('@CustomResource', declaration, customResourceOptions, report);
  for (const column of printerColumns)
    checkNames(`@PrinterColumn "${column.name}"`, column, printerColumnOptions, report);
  if (scale !== undefined) checkNames('@Scale', scale, scaleOptions, report);

  const { group, version, kind, scope } = declaration;
  if (typeof group !== 'string' || !subdomain.test(group)) {
    report(
      'invalid-option',
      `@CustomResource: group ${show(group)} must be a lower-case DNS name with a dot, such as "web.example.com"`,
    );
  }
  if (typeof version !== 'string' || !label.test(version)) {
    report(
      'invalid-option',
      `@CustomResource: version ${show(version)} must be a lower-case DNS label, such as "v1alpha1"`,
    );
  }
  if (typeof kind !== 'string' || !/^[A-Z][A-Za-z0-9]*$/.test(kind)) {
    report('invalid-option', `@CustomResource: kind ${show(kind)} must be one word in CamelCase, such as "Nginx"`);
  }
  if (scope !== undefined && scope !== 'Namespaced' && scope !== 'Cluster') {
    report('invalid-option', `@CustomResource: scope ${show(scope)} must be "Namespaced" or "Cluster"`);
  }
  for (const column of printerColumns) {
    if (typeof column.jsonPath === 'string' && column.jsonPath.startsWith('.')) continue;
    report(
      'invalid-option',
      `@PrinterColumn "${column.name}": jsonPath ${show(column.jsonPath)} must begin with a dot, such as ".status.readyReplicas"`,
    );
  }
  for (const says of ['spec', 'status'] as const) {
    const marked = [...properties].filter(([, declared]) => declared.some((property) => property.says === says));
    for (const [property] of marked) {
      if (property === says) continue;
      report(
        'decorator-without-class',
        `@${says === 'spec' ? 'Spec' : 'Status'}() marks the property ${says}; rename this one, or remove the decorator`,
        property,
      );
    }
  }
}

function checkNames(
  decorator: string,
  options: object,
  known: readonly string[],
  report: (code: ErrorCode, message: string) => void,
): void {
  for (const option of Object.keys(options)) {
    if (known.includes(option)) continue;
    report(
      'unknown-option',
      `${decorator}: unknown option "${option}"${didYouMean(option, known) || `; it takes ${known.join(', ')}`}`,
    );
  }
}

function show(value: unknown): string {
  return value === undefined ? '(missing)' : JSON.stringify(value);
}

/** A property that is named like a part of every object, but was not marked as that part. */
export function checkUnmarked(
  properties: readonly { readonly name: string; readonly says: readonly { readonly says: string }[] }[],
  report: (code: Finding['code'], message: string, property: string) => void,
): void {
  for (const { name, says } of properties) {
    if ((name !== 'spec' && name !== 'status') || says.some((declaration) => declaration.says === name)) continue;
    const decorator = name === 'spec' ? '@Spec()' : '@Status()';
    report(
      'decorator-missing',
      `add ${decorator} above it; without it the property is not read as the object's ${name}`,
      name,
    );
  }
}
