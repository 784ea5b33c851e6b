import { isJsonObject, jsonEqual, valueAt } from '../apimachinery.ts';
import type { StructuralSchema } from '../structural-schema.ts';

/** A schema of a CRD that may not be structural: with the keywords that are rejected, and `items` of any form. */
export interface JsonSchemaProps extends Omit<StructuralSchema, SubSchemaKeyword> {
  id?: string;
  $schema?: string;
  $ref?: string;
  items?: JsonSchemaProps | readonly JsonSchemaProps[];
  properties?: { [name: string]: JsonSchemaProps };
  additionalProperties?: JsonSchemaProps | boolean;
  allOf?: readonly JsonSchemaProps[];
  anyOf?: readonly JsonSchemaProps[];
  oneOf?: readonly JsonSchemaProps[];
  not?: JsonSchemaProps;
  patternProperties?: { [pattern: string]: JsonSchemaProps };
  additionalItems?: JsonSchemaProps | boolean;
  definitions?: { [name: string]: JsonSchemaProps };
  dependencies?: { [name: string]: JsonSchemaProps | readonly string[] };
}

type SubSchemaKeyword = 'items' | 'properties' | 'additionalProperties' | 'allOf' | 'anyOf' | 'oneOf' | 'not';

export interface PrinterColumn {
  name?: string;
  type?: string;
  format?: string;
  description?: string;
  priority?: number;
  jsonPath?: string;
}

export interface ScaleSubresource {
  specReplicasPath?: string;
  statusReplicasPath?: string;
  labelSelectorPath?: string;
}

export interface Subresources {
  status?: object;
  scale?: ScaleSubresource;
}

/** The settings of a version, or of the whole spec if all versions have the same. */
export interface VersionSettings {
  schema?: { openAPIV3Schema?: JsonSchemaProps };
  subresources?: Subresources;
  additionalPrinterColumns?: readonly PrinterColumn[];
  selectableFields?: readonly { jsonPath?: string }[];
}

export interface VersionSpec extends VersionSettings {
  name?: string;
  served?: boolean;
  storage?: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
}

export interface NamesSpec {
  plural?: string;
  singular?: string;
  kind?: string;
  listKind?: string;
  shortNames?: readonly string[];
  categories?: readonly string[];
}

export interface WebhookClientConfig {
  url?: string;
  service?: { name?: string; namespace?: string; path?: string; port?: number };
  caBundle?: string;
}

export interface ConversionSpec {
  strategy?: string;
  webhook?: { conversionReviewVersions?: readonly string[]; clientConfig?: WebhookClientConfig };
}

export interface DefinitionSpec {
  group?: string;
  scope?: string;
  names?: NamesSpec;
  versions?: readonly VersionSpec[];
  conversion?: ConversionSpec;
  preserveUnknownFields?: boolean;
}

/**
 * The decoded JSON of an apiextensions.k8s.io/v1 CustomResourceDefinition: fields may be missing or have invalid values, but
 * have the right JSON type.
 */
export interface CustomResourceDefinition {
  metadata?: { name?: string; annotations?: { [key: string]: string }; [key: string]: unknown };
  spec?: DefinitionSpec;
  status?: {
    storedVersions?: readonly string[];
    acceptedNames?: NamesSpec;
    conditions?: readonly { type?: string; status?: string }[];
  };
}

/**
 * A spec in the API server's internal version, which determines the paths of errors. Settings that are equal in all
 * versions are in the spec (`validation`, `subresources` and so on) instead of in the versions.
 */
export interface HoistedSpec {
  readonly common: VersionSettings;
  readonly versions: readonly VersionSpec[];
}

const settings = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

/** Convert_v1_CustomResourceDefinitionSpec_To_apiextensions of apiextensions-apiserver. */
export function hoistSettings(spec: DefinitionSpec): HoistedSpec {
  const versions = spec.versions ?? [];
  const [first] = versions;
  if (first === undefined) return { common: {}, versions };
  const shared = settings.filter((name) => versions.every((version) => isSame(version[name], first[name])));
  const common = Object.fromEntries(shared.map((name) => [name, first[name]])) as VersionSettings;
  const rest = versions.map((version) => ({
    ...version,
    ...Object.fromEntries(shared.map((name) => [name, undefined])),
  }));
  return { common, versions: rest };
}

/** Empty and missing lists are equal. */
function isSame(left: unknown, right: unknown): boolean {
  const blank = (value: unknown) => (Array.isArray(value) && value.length === 0 ? undefined : value);
  return jsonEqual(blank(left), blank(right));
}

/** The valid types of a schema. */
export const schemaTypes: readonly string[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** All schemas in a schema, starting with itself. */
export function* subSchemas(schema: JsonSchemaProps): Generator<JsonSchemaProps> {
  const open: unknown[] = [schema];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!isJsonObject(next)) continue;
    yield next as JsonSchemaProps;
    for (const keyword of ['items', 'allOf', 'anyOf', 'oneOf', 'not', 'additionalProperties', 'additionalItems']) {
      const value = valueAt(next, keyword);
      for (const child of Array.isArray(value) ? value : [value]) open.push(child ?? null);
    }
    for (const keyword of ['properties', 'patternProperties', 'definitions', 'dependencies']) {
      const value = valueAt(next, keyword);
      for (const child of isJsonObject(value) ? Object.values(value) : []) open.push(child ?? null);
    }
  }
}

/** The item schema, if it is a single schema. */
export function itemSchema(schema: JsonSchemaProps): JsonSchemaProps | undefined {
  const { items } = schema;
  return items === undefined || isSchemaList(items) ? undefined : items;
}

export function isSchemaList(items: JsonSchemaProps['items']): items is readonly JsonSchemaProps[] {
  return Array.isArray(items);
}

/** The schema of additional properties, if it is not a boolean. */
export function additionalSchema(schema: JsonSchemaProps): JsonSchemaProps | undefined {
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}

/** The schema of a property, if the object has it as its own property. */
export function propertyOf(schema: JsonSchemaProps, name: string): JsonSchemaProps | undefined {
  return Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined;
}

/** Whether the API server serves the definition's kind. */
export function isEstablished(crd: CustomResourceDefinition): boolean {
  return crd.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') === true;
}
