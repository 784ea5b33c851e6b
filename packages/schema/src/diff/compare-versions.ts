import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { compareSchemas } from './compare-schemas.ts';
import type { SchemaDifference } from './schema-difference.ts';

/** What objects of a version depend on: a part of `spec.versions[]` of a CRD. */
export interface ComparedVersion {
  readonly schema: StructuralSchema;
  readonly hasStatus: boolean;
  /** The paths of the scale subresource, whose values the API server validates. */
  readonly scale?: ScalePaths | undefined;
}

interface ScalePaths {
  readonly specReplicasPath?: string;
  readonly statusReplicasPath?: string;
  readonly labelSelectorPath?: string;
}

/** The differences of {@link compareSchemas}, and those of the subresources. */
export function compareVersions(first: ComparedVersion, second: ComparedVersion): SchemaDifference[] {
  return [
    ...compareSchemas(first.schema, second.schema),
    ...subresourceDifferences(first, second, 'forward'),
    ...subresourceDifferences(second, first, 'backward'),
  ];
}

function subresourceDifferences(
  from: ComparedVersion,
  to: ComparedVersion,
  direction: SchemaDifference['direction'],
): SchemaDifference[] {
  const found: SchemaDifference[] = [];
  if (from.hasStatus && !to.hasStatus && hasStatusField(to.schema)) {
    const place = '.properties[status]';
    found.push({
      keyword: 'subresources.status',
      effect: 'overwritten',
      direction,
      path: 'status',
      fromPlace: place,
      toPlace: place,
      from: true,
      to: false,
    });
  }
  for (const [name, path] of Object.entries(to.scale ?? {})) {
    // The API server validates what both versions name in both.
    const isSame = from.scale?.[name as keyof ScalePaths] === path;
    if (isSame || isValidReplicas(name, from.schema, path)) continue;
    const place = path.replace(/\.([^.]+)/g, '.properties[$1]');
    found.push({
      keyword: 'subresources.scale',
      effect: 'undecided',
      direction,
      path: path.replace(/^\./, ''),
      fromPlace: place,
      toPlace: place,
      from: from.scale,
      to: to.scale,
    });
  }
  return found;
}

function hasStatusField({ properties = {}, ...root }: StructuralSchema): boolean {
  return Object.hasOwn(properties, 'status') || root['x-kubernetes-preserve-unknown-fields'] === true;
}

const maxReplicas = 2 ** 31 - 1;

/** Whether each value at the path is valid for a scale subresource: replicas are integers from 0 to 2^31-1. */
function isValidReplicas(name: string, root: StructuralSchema, path: string): boolean {
  let schema: StructuralSchema | undefined = root;
  for (const step of path.replace(/^\./, '').split('.')) {
    const properties: StructuralSchema['properties'] = schema?.properties ?? {};
    schema = Object.hasOwn(properties, step) ? properties[step] : undefined;
  }
  if (schema === undefined || schema.nullable === true) return false;
  if (name === 'labelSelectorPath') return schema.type === 'string' && (schema.format ?? '') === '';
  const { type, format, minimum = -1, maximum = Infinity } = schema;
  return type === 'integer' && minimum >= 0 && (format === 'int32' || maximum <= maxReplicas);
}
