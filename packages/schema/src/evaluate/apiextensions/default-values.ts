import {
  addErrors,
  aggregateMessage,
  childPath,
  copyJson,
  type FieldError,
  invalid,
  isJsonObject,
  type JsonObject,
  jsonEqual,
  keyPath,
  setKey,
} from '../apimachinery.ts';
import { CostBudget } from '../cel/index.ts';
import { CelRules } from '../custom-resource/cel-rules.ts';
import { embeddedMismatch, validateEmbedded } from '../custom-resource/embedded-resource.ts';
import { prune } from '../custom-resource/pruning.ts';
import { metaFields, SchemaNode } from '../custom-resource/schema-node.ts';
import { ValidationResult } from '../custom-resource/validation-result.ts';
import { ValueCheckCompiler } from '../custom-resource/value-check-compiler.ts';
import type { StructuralSchema } from '../structural-schema.ts';

/**
 * The errors of a structural schema's default values. They must not contain unknown fields, must satisfy their schema
 * without the defaults below them, and must satisfy its rules, both as a new value and as an unchanged value
 * (apiextensions-apiserver pkg/apiserver/schema/defaulting/validation.go).
 */
export function defaultErrors(schema: StructuralSchema, path: string, requiresPruned: boolean): FieldError[] {
  const walk = new DefaultWalk(requiresPruned);
  walk.visit(new SchemaNode(schema), path, { embed: (value) => value, resource: undefined, isInMeta: false }, true);
  return walk.errors;
}

/** The place of a default: the resource around it, and how to build a resource that contains only the default. */
interface Surrounding {
  readonly embed: (value: unknown) => unknown;
  readonly resource: SchemaNode | undefined;
  /** Whether it is in apiVersion, kind or metadata. */
  readonly isInMeta: boolean;
}

class DefaultWalk {
  readonly errors: FieldError[] = [];
  readonly #requiresPruned: boolean;
  readonly #checks = new ValueCheckCompiler('default');
  readonly #budget = new CostBudget();

  constructor(requiresPruned: boolean) {
    this.#requiresPruned = requiresPruned;
  }

  visit(node: SchemaNode, path: string, around: Surrounding, isRoot: boolean): void {
    const isResource = isRoot || node.embedded;
    const place: Surrounding = isResource ? { embed: (value) => value, resource: node, isInMeta: false } : around;
    if (node.hasDefault) this.#check(node, childPath(path, 'default'), place, isResource);
    const { items } = node;
    if (items !== undefined) {
      const embed = (value: unknown) => place.embed([value]);
      this.visit(items, childPath(path, 'items'), { ...place, embed }, false);
    }
    for (const [name, property] of node.properties) {
      const isInMeta = place.isInMeta || (isResource && metaFields.has(name));
      const embed = (value: unknown) => place.embed(objectOf(name, value));
      this.visit(property, keyPath(childPath(path, 'properties'), name), { ...place, embed, isInMeta }, false);
    }
  }

  #check(node: SchemaNode, path: string, { embed, resource, isInMeta }: Surrounding, isResource: boolean): void {
    const value = node.schema.default;
    if (isInMeta) {
      const object = withTypeMeta(embed(copyJson(value)));
      const errors = resource === undefined ? [] : embeddedErrors(object, resource, '', true);
      if (errors.length > 0) {
        this.errors.push(invalid(path, value, `must result in valid metadata: ${aggregateMessage(errors)}`));
        return;
      }
    } else {
      if (this.#requiresPruned) {
        const pruned = copyJson(value);
        prune(pruned, node, isResource);
        if (!jsonEqual(pruned, value)) this.errors.push(invalid(path, value, 'must not have unknown fields'));
      }
      const errors = embeddedErrors(value, node, path, isResource);
      if (errors.length > 0) {
        addErrors(this.errors, errors);
        return;
      }
    }
    const result = new ValidationResult(path);
    this.#checks.checkOf(node.schema)(value, '', result, undefined, 0);
    addErrors(this.errors, result.errors.length > 0 ? result.errors : this.#ruleErrors(node, value, path, isResource));
  }

  #ruleErrors(node: SchemaNode, value: unknown, path: string, isResource: boolean): FieldError[] {
    if (!node.reaches('rule')) return [];
    const rules = new CelRules(node, isResource);
    const unchanged = rules.validate({ value, old: value, path, budget: this.#budget });
    return unchanged.length > 0 ? unchanged : rules.validate({ value, path, budget: this.#budget });
  }
}

/** The errors of metadata and similar fields, unless one of them has the wrong type. */
function embeddedErrors(value: unknown, node: SchemaNode, path: string, isRoot: boolean): FieldError[] {
  const mismatch = embeddedMismatch(value, node, path, isRoot);
  return mismatch.length > 0 ? mismatch : validateEmbedded(value, node, path, isRoot);
}

function objectOf(name: string, value: unknown): JsonObject {
  const object: JsonObject = {};
  setKey(object, name, value);
  return object;
}

/** Adds the fields that every resource has, so that only the default can cause errors. */
function withTypeMeta(object: unknown): unknown {
  if (!isJsonObject(object)) return object;
  return { apiVersion: 'validation/v1', kind: 'Validation', ...object };
}
