import { labelKeyErrors, labelValueErrors } from '@evenkeel/apimachinery/names';
import {
  type AnyClass,
  type CustomResourceDeclaration,
  type CustomResourceOptions,
  declarationsOf,
  KubernetesObject,
  type PrinterColumnDeclaration,
  pluralOf,
  type ScaleDeclaration,
} from '@evenkeel/core';
import { readConversion } from '@evenkeel/core/conversion';
import { deprecationErrors } from '../evaluate/apiextensions/version-rules.ts';
import { JsonPathError, parseJsonPath } from '../evaluate/json-path-parser.ts';
import type { ClassReport } from '../finding/finding.ts';
import { acceptedLosses, lossyFields } from './accepted-losses.ts';
import {
  camelCase,
  dotted,
  dottedBelow,
  flag,
  flagOrWarning,
  groupName,
  int32,
  isCamelCase,
  isDotted,
  label,
  labelList,
  oneOf,
  text,
  textMap,
} from './option-form.ts';
import { OptionReader, shown } from './option-reader.ts';
import type { CheckedColumn, ResourceDeclaration } from './resource-declaration.ts';

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
  'storage',
  'served',
  'deprecated',
  'lossy',
  'conversion',
  'labels',
  'annotations',
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

/**
 * Checks the arguments of the class-level decorators of a custom resource. They can have any type in a program without
 * type checks. All problems are reported at once.
 */
export function checkDeclarations(
  type: AnyClass,
  declaration: CustomResourceDeclaration,
  report: ClassReport,
): ResourceDeclaration {
  const { printerColumns, scale, selectableFields } = declarationsOf(type);
  const checkedScale = scale === undefined ? undefined : checkScale(scale, report);
  checkMarks(type, report);
  if (!(type.prototype instanceof KubernetesObject)) {
    report.error(
      'decorator-without-class',
      `@CustomResource is on a class whose objects have no apiVersion, kind and metadata; write "class ${type.name} extends KubernetesObject"`,
    );
  }
  return {
    ...checkCustomResource(type, declaration, report),
    printerColumns: checkColumns(printerColumns, report),
    ...(checkedScale === undefined ? {} : { scale: checkedScale }),
    selectableFields: checkSelectableFields(selectableFields, report),
  };
}

function checkCustomResource(
  type: AnyClass,
  declaration: CustomResourceDeclaration,
  report: ClassReport,
): Omit<ResourceDeclaration, 'printerColumns' | 'scale' | 'selectableFields'> {
  const read = new OptionReader('@CustomResource', declaration, customResourceOptions, report);
  const group = read.required('group', groupName);
  const version = read.required('version', label('such as "v1alpha1"'));
  const kind = read.required('kind', camelCase('such as "Nginx"'));
  const listKind = read.optional('listKind', camelCase('such as "NginxList"'));
  if (kind !== undefined && listKind === kind) {
    read.refuse(`listKind ${shown(listKind)} must not be the kind; omit it to use "${kind}List"`);
  }
  const plural = read.optional('plural', label('such as "nginxes"'));
  const deprecated = read.optional('deprecated', flagOrWarning) ?? false;
  const warnings = typeof deprecated === 'string' ? warningProblems(deprecated) : [];
  for (const problem of warnings) read.refuse(`the warning in deprecated ${problem}`);
  const labels = read.optional('labels', textMap('such as { team: "web" }'));
  const annotations = read.optional('annotations', textMap('such as { "example.com/owner": "web" }'));
  const isMetadataValid =
    [
      ...Object.entries(labels ?? {}).flatMap(([key, value]) => [
        ...labelKeyErrors(key).map((reason) => `the label ${shown(key)}: ${reason}`),
        ...labelValueErrors(value).map((reason) => `the value ${shown(value)} of the label ${key}: ${reason}`),
      ]),
      ...Object.keys(annotations ?? {}).flatMap((key) =>
        labelKeyErrors(key.toLowerCase()).map((reason) => `the annotation ${shown(key)}: ${reason}`),
      ),
    ].map((problem) => read.refuse(problem)).length === 0;
  const known = kind ?? (isCamelCase(type.name) ? type.name : 'Unknown');
  return {
    isIdentified: group !== undefined && version !== undefined && kind !== undefined,
    group: group ?? 'unknown.example.com',
    version: version ?? 'v1',
    kind: known,
    plural: plural ?? pluralOf(known),
    scope: read.optional('scope', oneOf('Namespaced', 'Cluster')) ?? 'Namespaced',
    ...defined('singular', read.optional('singular', label('such as "nginx"'))),
    ...defined('listKind', listKind === kind ? undefined : listKind),
    ...defined('shortNames', read.optional('shortNames', labelList('such as ["ng"]'))),
    ...defined('categories', read.optional('categories', labelList('such as ["all"]'))),
    ...defined('labels', isMetadataValid ? labels : undefined),
    ...defined('annotations', isMetadataValid ? annotations : undefined),
    ...defined('storage', read.optional('storage', flag)),
    served: read.optional('served', flag) ?? true,
    deprecated: warnings.length > 0 ? true : deprecated,
    lossy: acceptedLosses(read.optional('lossy', lossyFields)),
    isConverted: declaration.conversion !== undefined,
    ...defined(
      'conversion',
      // The hub is compared with these.
      group === undefined || version === undefined
        ? undefined
        : readConversion(type, (mistake) =>
            report.error('invalid-conversion', `@CustomResource: conversion: ${mistake}`),
          ),
    ),
  };
}

function defined<K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [name]: value } as Record<K, V>);
}

/** The reasons why a string is not a valid `deprecationWarning`. */
function warningProblems(warning: string): string[] {
  return deprecationErrors({ deprecated: true, deprecationWarning: warning }, '').map(({ detail }) => detail);
}

const columnTypes = ['integer', 'number', 'string', 'boolean', 'date'] as const;
const columnFormats = ['int32', 'int64', 'float', 'double', 'byte', 'date', 'date-time', 'password'] as const;

function checkColumns(columns: readonly unknown[], report: ClassReport): CheckedColumn[] {
  const names = new Set<string>();
  return columns.flatMap((given) => {
    const decorator = `@PrinterColumn${nameIn(given)}`;
    const read = new OptionReader(decorator, given, printerColumnOptions, report);
    const name = read.required('name', text('a string, the heading of the column'));
    const type = read.required('type', oneOf(...columnTypes));
    const jsonPath = read.required('jsonPath', dotted('such as ".status.readyReplicas"'));
    const column = {
      ...defined('format', read.optional('format', oneOf(...columnFormats))),
      ...defined('description', read.optional('description', text('a string'))),
      ...defined('priority', read.optional('priority', int32)),
    };
    if (name !== undefined && names.has(name)) {
      report.notice(
        'duplicate-declaration',
        `${decorator} is declared twice, maybe once on a base class, and "kubectl get" shows both; rename or remove one`,
      );
    }
    if (name !== undefined) names.add(name);
    if (jsonPath === undefined) return [];
    try {
      const path = parseJsonPath(jsonPath);
      return name === undefined || type === undefined ? [] : [{ column: { name, type, jsonPath, ...column }, path }];
    } catch (error) {
      if (!(error instanceof JsonPathError)) throw error;
      read.refuse(
        `jsonPath ${shown(jsonPath)} is invalid: ${error.message}; fix it, because the API server accepts it, but "kubectl get" then omits this column and all columns after it`,
      );
      return [];
    }
  });
}

function nameIn(column: unknown): string {
  const name: unknown = typeof column === 'object' && column !== null && 'name' in column ? column.name : undefined;
  return typeof name === 'string' && name !== '' ? ` "${name}"` : '';
}

function checkScale(scale: unknown, report: ClassReport): ScaleDeclaration | undefined {
  const read = new OptionReader('@Scale', scale, scaleOptions, report);
  const specReplicasPath = read.required('specReplicasPath', dottedBelow(['spec'], 'such as ".spec.replicas"'));
  const statusReplicasPath = read.required('statusReplicasPath', dottedBelow(['status'], 'such as ".status.replicas"'));
  const labelSelectorPath = read.optional(
    'labelSelectorPath',
    dottedBelow(['spec', 'status'], 'such as ".status.selector"'),
  );
  if (specReplicasPath === undefined || statusReplicasPath === undefined) return undefined;
  return { specReplicasPath, statusReplicasPath, ...defined('labelSelectorPath', labelSelectorPath) };
}

/** MaxSelectableFields of apiextensions-apiserver. */
const maxSelectableFields = 8;

function checkSelectableFields(paths: readonly unknown[], report: ClassReport): string[] {
  const checked = new Set<string>();
  for (const path of paths) {
    const decorator = `@SelectableField(${shown(path)})`;
    if (typeof path !== 'string' || !isDotted(path)) {
      report.error('invalid-option', `${decorator}: the path must be dot-separated names, such as ".spec.color"`);
    } else if (/^\.metadata(?:\.|$)/.test(path)) {
      report.error(
        'invalid-option',
        `${decorator}: fields of metadata cannot be selected; put the value in spec or status`,
      );
    } else if (checked.has(path)) {
      report.error('duplicate-declaration', `${decorator} is declared twice, maybe once on a base class; remove one`);
    } else checked.add(path);
  }
  if (checked.size > maxSelectableFields) {
    report.error(
      'invalid-option',
      `@SelectableField: a version has at most ${maxSelectableFields} selectable fields, not ${checked.size}; use labels for the others`,
    );
  }
  return [...checked].slice(0, maxSelectableFields);
}

function checkMarks(type: AnyClass, report: ClassReport): void {
  const { properties } = declarationsOf(type);
  for (const says of ['spec', 'status'] as const) {
    const marked = [...properties].filter(([, declared]) => declared.some((property) => property.says === says));
    for (const [property] of marked) {
      if (property === says) continue;
      report.error(
        'decorator-without-class',
        `@${says === 'spec' ? 'Spec' : 'Status'}() is only for the property ${says}; rename this property, or remove the decorator`,
        { property },
      );
    }
  }
}

/** Reports properties named `spec` or `status` without their decorator, unless the reason was reported before. */
export function checkUnmarked(
  properties: readonly { readonly name: string; readonly says: readonly { readonly says: string }[] }[],
  report: ClassReport,
  isReported: (property: string) => boolean,
): void {
  for (const { name, says } of properties) {
    if ((name !== 'spec' && name !== 'status') || says.some((declaration) => declaration.says === name)) continue;
    if (isReported(name)) continue;
    const decorator = name === 'spec' ? '@Spec()' : '@Status()';
    report.error(
      'decorator-missing',
      `it has no ${decorator}, so it is not the object's ${name}; add ${decorator} above it`,
      { property: name },
    );
  }
}
