import { type FieldError, fieldErrorBody, invalid } from '@evenkeel/apimachinery/field-error';
import type { JsonObject } from '@evenkeel/apimachinery/json';
import {
  type AnyClass,
  apiVersionOf,
  EvenkeelError,
  type KindClass,
  type KubernetesObject,
  resourceOf,
} from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { type CompiledSchema, compileSchema } from '../evaluate/custom-resource/compiled-schema.ts';
import { LimitError } from '../evaluate/nesting.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { findingText } from '../finding/finding.ts';
import { customResourceDefinitionOf } from '../generate/generate.ts';
import type { ClassSources } from '../source/class-sources.ts';
import { type ClassValidatorOptions, classValidator } from '../validator/class-validator.ts';

/** The options of {@link validate}. */
export interface ValidationOptions {
  /**
   * The stored object if `object` is an update of it. Rules can then compare with `oldSelf`, and the API server ignores
   * errors in unchanged parts.
   */
  readonly old?: object;
  /** The CRD of the cluster, such as the generated file. Default: a CRD generated from the class. */
  readonly definition?: CustomResourceDefinition;
  /**
   * The TypeScript source of the class, from {@link readSources}, for the CRD that is generated from the class. Default:
   * none. Then `?`, literal unions and everything else that exists only in TypeScript is unknown.
   */
  readonly sources?: ClassSources;
  /** Options of `classValidator()`. Default: its defaults, which accept missing values. */
  readonly validator?: ClassValidatorOptions;
}

/** The results of the API server and of the operator's validator for an object. */
export interface Validation<T extends KubernetesObject> {
  readonly isValid: boolean;
  /** The errors of the API server in its order, then those of class-validator. */
  readonly errors: readonly ValidationError[];
  /** The errors as the API server prints them: `spec.size: Invalid value: 9: ...`. */
  readonly messages: readonly string[];
  /** The object that would be stored: a pruned copy with defaults. The given object if it is too large or nested too deeply. */
  readonly object: T;
  /** The sorted paths of pruned fields, which strict field validation would report as unknown fields. */
  readonly pruned: readonly string[];
}

/** A reason why an object is invalid. */
export interface ValidationError {
  /** In the API server's notation: `spec.ports[0].port`; empty for the object itself. */
  readonly path: string;
  readonly message: string;
  /** Who rejects it. `class-validator` means that the API server accepts it, but a validator in the operator does not. */
  readonly by: 'api-server' | 'class-validator';
}

/**
 * Validates an object in unit tests, as a cluster with the CRD of the class would:
 *
 *     const { messages } = await validate(Memcached, { spec: { size: 9 } });
 *     expect(messages).toEqual(['spec.size: Invalid value: 9: spec.size in body should be less than or equal to 5']);
 *
 * The object is copied as JSON, pruned and gets its defaults. Then the schema and its rules check it, with the API server's
 * messages, and after that all class-validator decorators, as in `classValidator()` of `@evenkeel/schema/validator`. An
 * error of both is reported once, with the server's message. `apiVersion`, `kind` and `metadata` may be omitted; the content
 * of `metadata` is not checked.
 *
 * Without `sources` or `definition`, the CRD contains only what is known about the class at run time. A literal union
 * (`tier: 'bronze' | 'gold' = 'bronze'`) then accepts any string, without a warning.
 *
 * The CRD is generated and compiled once for each class. Rejects with an EvenkeelError if it cannot be generated.
 */
export async function validate<T extends KubernetesObject>(
  kind: KindClass<T>,
  object: object,
  options: ValidationOptions = {},
): Promise<Validation<T>> {
  const { old } = options;
  const schema = await schemaOf(kind, options);
  try {
    const decoded = completed(kind, object);
    const pruned = schema.prune(decoded);
    schema.default(decoded);
    const errors = [...typeErrors(kind, decoded), ...schema.validate(decoded, { old: stored(kind, schema, old) })];
    const validated = Object.setPrototypeOf(decoded, kind.prototype as object) as T;
    return validation(
      validated,
      pruned,
      errors.map(validationErrorOf),
      classErrors(kind, validated, options.validator),
    );
  } catch (error) {
    if (!(error instanceof LimitError || error instanceof RangeError)) throw error;
    const message =
      error instanceof RangeError ? `the object is too large or nested too deeply: ${error.message}` : error.message;
    return validation(object as T, [], [{ path: '', message, by: 'api-server' }], []);
  }
}

function validation<T extends KubernetesObject>(
  object: T,
  pruned: readonly string[],
  byServer: readonly ValidationError[],
  byClass: readonly ValidationError[],
): Validation<T> {
  const errors = [
    ...byServer,
    ...byClass.filter(({ path }) => !byServer.some((error) => isAtOrBelow(error.path, path))),
  ];
  return {
    isValid: errors.length === 0,
    errors,
    messages: errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)),
    object,
    pruned,
  };
}

function isAtOrBelow(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}.`) || path.startsWith(`${parent}[`);
}

const schemas = new WeakMap<object, Map<KindClass, Promise<CompiledSchema>>>();

/** The schema of a kind, compiled once for each definition, source or class. */
function schemaOf(kind: KindClass, { definition, sources }: ValidationOptions): Promise<CompiledSchema> {
  const origin = definition ?? sources ?? kind;
  let compiled = schemas.get(origin);
  if (compiled === undefined) {
    compiled = new Map();
    schemas.set(origin, compiled);
  }
  let schema = compiled.get(kind);
  if (schema === undefined) {
    schema = Promise.resolve(definition ?? definitionOf(kind, sources)).then((made) => compiledVersion(kind, made));
    compiled.set(kind, schema);
  }
  return schema;
}

async function definitionOf(kind: KindClass, sources: ClassSources | undefined): Promise<CustomResourceDefinition> {
  if (sources !== undefined && sources.sourceOf(kind) === undefined) {
    const found = sources.findings.map((finding) => `\n${findingText(finding)}`).join('');
    throw new EvenkeelError(
      'source-not-found',
      `validate(${kind.name}): the sources do not contain the class ${kind.name} of this program; export it, and pass readSources() the module that exports it, by the name under which the program loads it${found}`,
    );
  }
  try {
    return await customResourceDefinitionOf(kind as AnyClass, sources);
  } catch (error) {
    if (sources !== undefined || !(error instanceof EvenkeelError)) throw error;
    throw new EvenkeelError(error.code, `${error.message}\n${withoutSources(kind)}`, { cause: error });
  }
}

function withoutSources({ name }: KindClass): string {
  const file = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();
  return `validate(${name}) has no TypeScript sources, so "?", literal unions and types without a decorator are unknown; write validate(${name}, object, { sources: await readSources('src/${file}.ts') }) with the file of the class, or pass { definition } with the generated CRD`;
}

function compiledVersion(kind: KindClass, { metadata, spec }: CustomResourceDefinition): CompiledSchema {
  const resource = resourceOf(kind);
  const version = spec.versions.find(({ name }) => name === resource.version);
  if (spec.group !== resource.group || spec.names.kind !== resource.kind || version === undefined) {
    throw new EvenkeelError(
      'invalid-option',
      `validate(${kind.name}): the definition ${metadata.name} has no ${apiVersionOf(resource)} ${resource.kind}; pass the CRD that was generated from ${kind.name}`,
    );
  }
  const schema = version.schema?.openAPIV3Schema as StructuralSchema | undefined;
  const scale = version.subresources?.scale;
  return compileSchema(schema ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, {
    ...(scale === undefined ? {} : { scale }),
  });
}

/** The JSON of an object, with the fields that a client adds. */
function completed(kind: KindClass, object: object): JsonObject {
  const resource = resourceOf(kind);
  const json = JSON.parse(JSON.stringify(object)) as JsonObject;
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: {}, ...json };
}

function stored(kind: KindClass, schema: CompiledSchema, old: object | undefined): JsonObject | undefined {
  if (old === undefined) return undefined;
  const json = completed(kind, old);
  schema.prune(json);
  schema.default(json);
  return json;
}

/** apiextensions-apiserver pkg/registry/customresource/validator.go, `ValidateTypeMeta`. */
function typeErrors(kind: KindClass, object: JsonObject): FieldError[] {
  const resource = resourceOf(kind);
  const wanted = { kind: resource.kind, apiVersion: apiVersionOf(resource) };
  return Object.entries(wanted).flatMap(([field, value]) =>
    object[field] === value ? [] : [invalid(field, object[field], `must be ${value}`)],
  );
}

function validationErrorOf(error: FieldError): ValidationError {
  return { path: error.field === '<nil>' ? '' : error.field, message: fieldErrorBody(error), by: 'api-server' };
}

const byDecorators = classValidator();

function classErrors(
  kind: KindClass,
  object: KubernetesObject,
  options: ClassValidatorOptions | undefined,
): ValidationError[] {
  const validator = options === undefined ? byDecorators : classValidator(options);
  validator.prepare?.(kind);
  return validator.validate(object).map((finding) => ({ ...finding, by: 'class-validator' }));
}
