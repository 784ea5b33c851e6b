import { didYouMean } from '@evenkeel/core';
import type { PathStep } from '../evaluate/json-path-parser.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import type { ClassReport } from '../finding/finding.ts';
import type { CheckedColumn, ResourceDeclaration } from '../resource-options/resource-declaration.ts';

/**
 * Checks that the paths of a version's printer columns, scale subresource and selectable fields lead to properties of its
 * schema, and that the properties have valid types. The API server checks only the paths of selectable fields.
 */
export function checkPaths(declaration: ResourceDeclaration, root: StructuralSchema, report: ClassReport): void {
  for (const column of declaration.printerColumns) checkColumn(column, root, report);
  const { scale } = declaration;
  if (scale !== undefined) {
    const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
    const check = (option: string, path: string, types: readonly string[]) =>
      checkField(`@Scale: ${option} ${path}`, path, types, root, report);
    check('specReplicasPath', specReplicasPath, ['integer']);
    check('statusReplicasPath', statusReplicasPath, ['integer']);
    if (labelSelectorPath !== undefined) check('labelSelectorPath', labelSelectorPath, ['string']);
  }
  for (const path of declaration.selectableFields) {
    checkField(`@SelectableField('${path}')`, path, ['string', 'integer', 'boolean'], root, report);
  }
}

/** A path of `@Scale` or of a selectable field. The API server evaluates it, so it must lead to a property. */
function checkField(
  what: string,
  path: string,
  types: readonly string[],
  root: StructuralSchema,
  report: ClassReport,
): void {
  const steps = path
    .slice(1)
    .split('.')
    .map((name): PathStep => ({ type: 'field', name }));
  const found = follow(root, steps);
  if (found.is === 'unknown') return;
  if (found.is === 'nothing') report.error('invalid-option', `${what} leads to no property: ${found.reason}`);
  else if (!types.includes(found.type)) {
    const wanted = types.map(withArticle).join(' or ');
    const fix = found.type === 'number' && types.includes('integer') ? '; add @IsInt() to that property' : '';
    report.error('invalid-option', `${what} leads to ${withArticle(found.type)}; it must lead to ${wanted}${fix}`);
  }
}

/** The types of values that kubectl shows in a column of a type; a `string` column shows any value. */
const shownTypes: Readonly<Record<string, readonly string[]>> = {
  integer: ['integer'],
  number: ['number', 'integer'],
  boolean: ['boolean'],
  date: ['string'],
};

function checkColumn({ column, path }: CheckedColumn, root: StructuralSchema, report: ClassReport): void {
  const found = follow(root, path);
  const what = `@PrinterColumn "${column.name}": ${column.jsonPath}`;
  if (found.is === 'unknown') return;
  if (found.is === 'nothing') {
    report.notice('empty-column', `${what} leads to no property: ${found.reason}; the column will be empty`);
    return;
  }
  const fitting = shownTypes[column.type];
  if (fitting === undefined || fitting.includes(found.type)) return;
  const better = found.type === 'number' ? '"number"' : found.type === 'integer' ? '"integer"' : '"string"';
  report.notice(
    'empty-column',
    `${what} leads to ${withArticle(found.type)}, which a column of type "${column.type}" cannot show; change the column's type to ${better}`,
  );
}

type Followed =
  | { readonly is: 'found'; readonly type: string }
  | { readonly is: 'nothing'; readonly reason: string }
  /** The schema does not describe the value at the path. */
  | { readonly is: 'unknown' };

/** The types of the fields in the metadata of every object (ObjectMeta of k8s.io/apimachinery). */
const metadataSchema: StructuralSchema = {
  type: 'object',
  properties: {
    ...Object.fromEntries(
      [
        'name',
        'generateName',
        'namespace',
        'selfLink',
        'uid',
        'resourceVersion',
        'creationTimestamp',
        'deletionTimestamp',
      ].map((name) => [name, { type: 'string' }]),
    ),
    generation: { type: 'integer' },
    deletionGracePeriodSeconds: { type: 'integer' },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    annotations: { type: 'object', additionalProperties: { type: 'string' } },
    finalizers: { type: 'array', items: { type: 'string' } },
    ownerReferences: { type: 'array', items: { 'x-kubernetes-preserve-unknown-fields': true } },
    managedFields: { type: 'array', items: { 'x-kubernetes-preserve-unknown-fields': true } },
  },
};

function follow(root: StructuralSchema, steps: readonly PathStep[]): Followed {
  let schema: StructuralSchema = { ...root, properties: { ...root.properties, metadata: metadataSchema } };
  for (const step of steps) {
    const next = schemaAt(schema, step);
    if (next === undefined) return { is: 'unknown' };
    if (typeof next === 'string') return { is: 'nothing', reason: next };
    schema = next;
  }
  return schema.type === undefined ? { is: 'unknown' } : { is: 'found', type: schema.type };
}

/** The schema after one step of the path; undefined if it is unknown, a reason if no value can exist there. */
function schemaAt(schema: StructuralSchema, step: PathStep): StructuralSchema | string | undefined {
  const { type, properties = {}, additionalProperties, items } = schema;
  const ofValues = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  switch (step.type) {
    case 'field': {
      if (Object.hasOwn(properties, step.name)) return properties[step.name];
      if (ofValues !== undefined) return ofValues;
      if (schema['x-kubernetes-preserve-unknown-fields'] === true || additionalProperties === true) return undefined;
      if (type === undefined) return undefined;
      if (type !== 'object') return `${withArticle(type)} has no property "${step.name}"`;
      const hint = didYouMean(step.name, Object.keys(properties));
      return `there is no property "${step.name}"${hint}`;
    }
    case 'slice':
    case 'filter':
      if (type === undefined) return undefined;
      return items ?? (type === 'array' ? undefined : `${withArticle(type)} has no elements`);
    case 'wildcard':
      return items ?? ofValues;
    default:
      return undefined;
  }
}

function withArticle(type: string): string {
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}
