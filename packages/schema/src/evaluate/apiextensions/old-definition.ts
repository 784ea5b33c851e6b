import { jsonEqual } from '../apimachinery.ts';
import type { StructuralSchema } from '../structural-schema.ts';
import { type ConversionLeniency, hasInvalidCaBundle, hasKnownReviewVersion } from './conversion-rules.ts';
import {
  type CustomResourceDefinition,
  hoistSettings,
  isEstablished,
  type JsonSchemaProps,
  schemaTypes,
  subSchemas,
} from './custom-resource-definition.ts';
import { defaultErrors } from './default-values.ts';
import { looseListMapErrors, nonAtomicSetErrors } from './list-type-rules.ts';
import type { SchemaLeniency } from './schema-rules.ts';
import { structuralErrors, unsupportedKeyword } from './structural-rules.ts';

/** Rules that do not apply to an update, because the old CRD violated them before they existed. */
export interface CrdLeniency extends SchemaLeniency, ConversionLeniency {
  readonly allowsNoSchema: boolean;
  readonly allowsNonStructural: boolean;
  readonly allowsUnprunedDefaults: boolean;
  /** The versions, or the empty string for all, that had too many selectable fields and keep exactly those. */
  readonly manySelectableFields: ReadonlySet<string>;
  /** The versions, or the empty string for all, with unchanged schemas: the costs of their rules are not limited. */
  readonly unchangedSchemas: ReadonlySet<string>;
}

/** The rules for a create request: almost all apply. */
export const strict: CrdLeniency = {
  allowsNoSchema: false,
  allowsNonStructural: false,
  allowsUnprunedDefaults: false,
  allowsUnknownReviewVersions: false,
  // The webhook of a kind is not called until the kind is served.
  allowsInvalidCaBundle: true,
  allowsUnknownTypes: false,
  allowsNonAtomicSets: false,
  allowsLooseListMaps: false,
  manySelectableFields: new Set(),
  unchangedSchemas: new Set(),
};

/** The rules that the old CRD violated. */
export function leniencyFor(crd: CustomResourceDefinition, old: CustomResourceDefinition): CrdLeniency {
  const versions = old.spec?.versions ?? [];
  const schemas = versions.flatMap(({ schema }) => schema?.openAPIV3Schema ?? []);
  const some = (isBroken: (schema: JsonSchemaProps) => boolean) =>
    schemas.some((schema) => [...subSchemas(schema)].some(isBroken));
  return {
    allowsNoSchema: versions.some(({ schema }) => schema?.openAPIV3Schema === undefined),
    allowsNonStructural: mayBeNonStructural(crd) && schemas.some(isNonStructural),
    allowsUnprunedDefaults: schemas.some(hasUnprunedDefaults),
    allowsUnknownReviewVersions: !hasKnownReviewVersion(old.spec?.conversion),
    allowsInvalidCaBundle: !isEstablished(old) || hasInvalidCaBundle(old.spec?.conversion),
    allowsUnknownTypes: some(({ type }) => Boolean(type) && !schemaTypes.includes(type ?? '')),
    allowsNonAtomicSets: some((schema) => nonAtomicSetErrors(schema, '').length > 0),
    allowsLooseListMaps: some((schema) => looseListMapErrors(schema, '').length > 0),
    manySelectableFields: keptSelectableFields(crd, old),
    unchangedSchemas: unchangedSchemas(crd, old),
  };
}

/** Pruning, defaults and extensions need structural schemas. */
function mayBeNonStructural({ spec }: CustomResourceDefinition): boolean {
  if (spec?.preserveUnknownFields !== true) return false;
  const parts = (spec.versions ?? []).flatMap(({ schema }) => [...subSchemas(schema?.openAPIV3Schema ?? {})]);
  return !parts.some((part) => (part.default ?? null) !== null || extensions.some((name) => isSaid(part[name])));
}

const extensions = [
  'x-kubernetes-embedded-resource',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-validations',
] as const;

function isSaid(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

function isNonStructural(schema: JsonSchemaProps): boolean {
  return unsupportedKeyword(schema) !== undefined || structuralErrors(schema, '').length > 0;
}

function hasUnprunedDefaults(schema: JsonSchemaProps): boolean {
  if (isNonStructural(schema)) return false;
  return defaultErrors(schema as StructuralSchema, '', true).some(
    ({ detail }) => detail === 'must not have unknown fields',
  );
}

function keptSelectableFields(crd: CustomResourceDefinition, old: CustomResourceDefinition): ReadonlySet<string> {
  const kept = new Set<string>();
  const oldVersions = new Map(old.spec?.versions?.map((version) => [version.name, version]));
  for (const version of crd.spec?.versions ?? []) {
    const before = oldVersions.get(version.name)?.selectableFields ?? [];
    if (before.length > 8 && jsonEqual(before, version.selectableFields)) kept.add(version.name ?? '').add('');
  }
  return kept;
}

/** A new version is unchanged if all versions had its schema; a schema that all share is compared with the first version. */
function unchangedSchemas(crd: CustomResourceDefinition, old: CustomResourceDefinition): ReadonlySet<string> {
  const before = hoistSettings(old.spec ?? {});
  const unchanged = new Set<string>();
  const oldVersions = new Map(before.versions.map((version) => [version.name, version]));
  crd.spec?.versions?.forEach(({ name, schema }, i) => {
    const known = before.common.schema ?? oldVersions.get(name)?.schema;
    if (known === undefined || !jsonEqual(known, schema)) return;
    unchanged.add(name ?? '');
    if (i === 0) unchanged.add('');
  });
  return unchanged;
}
