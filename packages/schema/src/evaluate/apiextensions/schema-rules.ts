import {
  addErrors,
  childPath,
  type FieldError,
  forbidden,
  invalid,
  keyPath,
  notSupported,
  required,
} from '../apimachinery.ts';
import { metaFields } from '../custom-resource/schema-node.ts';
import {
  additionalSchema,
  isSchemaList,
  itemSchema,
  type JsonSchemaProps,
  schemaTypes,
} from './custom-resource-definition.ts';
import { listTypeErrors } from './list-type-rules.ts';
import { RuleCosts } from './rule-cost.ts';
import { ruleErrors, ruleFormErrors } from './rule-rules.ts';
import { RuleScope } from './rule-scope.ts';

/** Rules of later Kubernetes versions that do not apply, because the old CRD violated them. */
export interface SchemaLeniency {
  readonly allowsUnknownTypes: boolean;
  readonly allowsNonAtomicSets: boolean;
  readonly allowsLooseListMaps: boolean;
}

/** The properties of a place in the schema that follow from its parents. */
interface Place {
  /** Set if defaults are forbidden: the reason, or the empty string. */
  readonly noDefaults?: string;
  readonly isInMetadata?: boolean;
  /** The path of the nearest parent whose children have no old value to compare with. */
  readonly uncorrelated?: string;
  /** Undefined if rules are not compiled: in conditions, and in schemas that are not structural. */
  readonly rules?: RuleScope | undefined;
}

/**
 * The errors of a CRD's schema except structural errors: rejected keywords, list and map types, validation rules
 * (ValidateCustomResourceDefinitionOpenAPISchema of apiextensions-apiserver). Errors of rules come last, and only if their
 * schema has no other errors.
 */
export function schemaErrors(
  schema: JsonSchemaProps,
  path: string,
  leniency: SchemaLeniency,
  { compilesRules, limitsEachRule }: RuleChecks,
): FieldError[] {
  const walk = new SchemaWalk(leniency);
  const costs = new RuleCosts(limitsEachRule);
  const rules = compilesRules ? new RuleScope(schema, costs) : undefined;
  const found = walk.visit(schema, path, { rules }, true);
  return [...found.schema, ...found.rules, ...costs.totalErrors(path)];
}

/** The checks of rules besides their fields. */
export interface RuleChecks {
  readonly compilesRules: boolean;
  readonly limitsEachRule: boolean;
}

interface Found {
  readonly schema: FieldError[];
  readonly rules: FieldError[];
}

class SchemaWalk {
  readonly #leniency: SchemaLeniency;

  constructor(leniency: SchemaLeniency) {
    this.#leniency = leniency;
  }

  visit(schema: JsonSchemaProps, path: string, place: Place, isRoot: boolean): Found {
    const found: Found = { schema: this.#keywordErrors(schema, path, place), rules: [] };
    this.#visitChildren(schema, path, place, isRoot, found);
    addErrors(found.schema, listTypeErrors(schema, path, this.#leniency));
    addErrors(found.schema, ruleFormErrors(schema, path));
    if (place.rules !== undefined && found.schema.length === 0) {
      addErrors(found.rules, ruleErrors(schema, path, place.rules, place.uncorrelated));
    }
    return found;
  }

  #visitChildren(schema: JsonSchemaProps, path: string, place: Place, isRoot: boolean, found: Found): void {
    const isResource = isRoot || schema['x-kubernetes-embedded-resource'] === true;
    const visit = (child: JsonSchemaProps | undefined, childAt: string, childPlace: Place, name?: string) => {
      if (child === undefined) return;
      const rules = childPlace.rules?.child(child, name);
      const below = this.visit(child, childAt, { ...childPlace, rules }, false);
      addErrors(found.schema, below.schema);
      addErrors(found.rules, below.rules);
    };
    const inCondition = { ...place, rules: undefined };

    if (schema.additionalProperties !== undefined) {
      const at = childPath(path, 'additionalProperties');
      if (Object.keys(schema.properties ?? {}).length > 0 && schema.additionalProperties !== true) {
        found.schema.push(forbidden(at, 'additionalProperties and properties are mutual exclusive'));
      }
      const noDefaults = 'inside additionalProperties applying to object metadata';
      visit(additionalSchema(schema), at, place.isInMetadata ? { ...place, noDefaults } : place);
    }
    const mapType = schema['x-kubernetes-map-type'];
    const isComparable = mapType === undefined || mapType === 'granular' || mapType === 'atomic';
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      let below: Place = isComparable ? place : { ...place, uncorrelated: place.uncorrelated ?? path };
      if (isResource && metaFields.has(name)) {
        below = { ...below, isInMetadata: true, ...(isRoot ? { noDefaults: `in top-level ${name}` } : {}) };
      }
      visit(property, keyPath(childPath(path, 'properties'), name), below, name);
    }
    visit(schema.not, childPath(path, 'not'), inCondition);
    for (const keyword of ['allOf', 'oneOf', 'anyOf'] as const) {
      schema[keyword]?.forEach((branch, i) => {
        visit(branch, keyPath(childPath(path, keyword), i), inCondition);
      });
    }
    for (const [name, definition] of Object.entries(schema.definitions ?? {})) {
      visit(definition, keyPath(childPath(path, 'definitions'), name), inCondition);
    }
    for (const [name, dependency] of Object.entries(schema.dependencies ?? {})) {
      if (Array.isArray(dependency)) continue;
      visit(dependency as JsonSchemaProps, keyPath(childPath(path, 'dependencies'), name), inCondition);
    }
    const ofItems =
      schema['x-kubernetes-list-type'] === 'map' ? place : { ...place, uncorrelated: place.uncorrelated ?? path };
    visit(itemSchema(schema), childPath(path, 'items'), ofItems);
    if (isSchemaList(schema.items)) {
      schema.items.forEach((items, i) => {
        visit(items, keyPath(childPath(path, 'items'), i), ofItems);
      });
    }
  }

  #keywordErrors(schema: JsonSchemaProps, path: string, place: Place): FieldError[] {
    const errors: FieldError[] = [];
    const at = (keyword: string) => childPath(path, keyword);
    const refuse = (keyword: string, detail = `${keyword} is not supported`) => {
      errors.push(forbidden(at(keyword), detail));
    };
    const { type } = schema;
    if (!this.#leniency.allowsUnknownTypes && type && !schemaTypes.includes(type)) {
      errors.push(notSupported(at('type'), type, schemaTypes));
    }
    if (schema.default !== undefined && schema.default !== null && place.noDefaults !== undefined) {
      refuse('default', `must not be set ${place.noDefaults}`.trim());
    }
    if (schema.id) refuse('id');
    if (schema.additionalItems !== undefined) refuse('additionalItems');
    if (Object.keys(schema.patternProperties ?? {}).length > 0) refuse('patternProperties');
    if (Object.keys(schema.definitions ?? {}).length > 0) refuse('definitions');
    if (schema.dependencies !== undefined) refuse('dependencies');
    if (schema.$ref !== undefined) refuse('$ref');
    if (type === 'null') refuse('type', 'type cannot be set to null, use nullable as an alternative');
    if (isSchemaList(schema.items) && schema.items.length > 0) {
      refuse('items', 'items must be a schema object and not an array');
    }
    if (place.isInMetadata && schema['x-kubernetes-embedded-resource'] === true) {
      refuse('x-kubernetes-embedded-resource', 'must not be used inside of resource meta');
    }
    if (schema.uniqueItems === true) {
      refuse('uniqueItems', 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic');
    }
    if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
      errors.push(invalid(at('x-kubernetes-preserve-unknown-fields'), false, 'must be true or undefined'));
    }
    const mapType = schema['x-kubernetes-map-type'];
    if (mapType !== undefined && type !== 'object') {
      const detail = 'must be object if x-kubernetes-map-type is specified';
      errors.push(type ? invalid(at('type'), type, detail) : required(at('type'), detail));
    }
    if (mapType !== undefined && mapType !== 'atomic' && mapType !== 'granular') {
      errors.push(notSupported(at('x-kubernetes-map-type'), mapType, ['atomic', 'granular']));
    }
    return errors;
  }
}
