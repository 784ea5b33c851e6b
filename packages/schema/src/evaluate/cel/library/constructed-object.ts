import type { ConstructibleType } from '../value/declaration.ts';
import { countVisits } from '../value/evaluation-limit.ts';
import { EvaluationFault } from '../value/fault.ts';
import { type CelType, dynType, objectType, stringType } from '../value/type.ts';
import { CelList, CelMap, CelObject, type CelValue, isEqual } from '../value/value.ts';

/** An object that an expression constructed without a schema: `Object.spec{replicas: 3}`. */
export class ConstructedObject extends CelObject {
  readonly celType: CelType;
  readonly fields: ReadonlyMap<string, CelValue>;

  constructor(celType: CelType, fields: ReadonlyMap<string, CelValue>) {
    super();
    this.celType = celType;
    this.fields = fields;
  }

  equals(other: CelValue): boolean {
    if (!(other instanceof ConstructedObject) || other.celType.name !== this.celType.name) return false;
    if (other.fields.size !== this.fields.size) return false;
    countVisits(this.fields.size + 1);
    return [...this.fields].every(([name, value]) => {
      const theirs = other.fields.get(name);
      return theirs !== undefined && isEqual(value, theirs);
    });
  }

  /**
   * Types that are not named after the path of their field, such as `Object.spec{selector: Object.spec.wrong{}}`, because
   * the type checker does not know the fields. Lists and maps in between have no name.
   */
  typeErrors(): readonly string[] {
    const errors: string[] = [];
    collectTypeErrors(this, this.celType.name, errors);
    return errors;
  }
}

function collectTypeErrors(value: CelValue, expected: string, errors: string[]): void {
  countVisits(1);
  if (value instanceof ConstructedObject) {
    const { name } = value.celType;
    if (name !== expected) {
      const what = `unexpected type name "${name}", expected "${expected}"`;
      errors.push(`${what}, which matches field name path from root Object type`);
    }
    for (const [field, part] of value.fields) collectTypeErrors(part, `${expected}.${field}`, errors);
  } else if (value instanceof CelList) {
    for (const item of value) collectTypeErrors(item, expected, errors);
  } else if (value instanceof CelMap) {
    for (const key of value.keys()) collectTypeErrors(value.find(key) ?? null, expected, errors);
  }
}

/** One operation of a JSON patch: `JSONPatch{op: 'add', path: '/a', value: 1}`. */
export class JsonPatchOperation extends CelObject {
  readonly celType: CelType = jsonPatchType;
  readonly fields: ReadonlyMap<string, CelValue>;

  constructor(fields: ReadonlyMap<string, CelValue>) {
    super();
    this.fields = fields;
  }

  /** A text field; empty if it is not set. */
  text(name: 'op' | 'path' | 'from'): string {
    const value = this.fields.get(name);
    return typeof value === 'string' ? value : '';
  }

  equals(other: CelValue): boolean {
    if (!(other instanceof JsonPatchOperation)) return false;
    if (textFields.some((name) => this.text(name) !== other.text(name))) return false;
    const [mine, theirs] = [this.fields.get('value'), other.fields.get('value')];
    return mine === undefined || theirs === undefined ? mine === theirs : isEqual(mine, theirs);
  }
}

const textFields = ['op', 'path', 'from'] as const;

export const jsonPatchType: CelType = {
  ...objectType('JSONPatch'),
  declared: {
    field(name) {
      if (name === 'value') return { celType: dynType };
      // Upstream has a type without a name for unknown fields.
      return { celType: textFields.some((field) => field === name) ? stringType : objectType('') };
    },
  },
};

/** The type of whole objects, and the prefix of the types of their parts. */
export const applyConfigurationType: CelType = constructedType('Object');

function constructedType(name: string): CelType {
  return { ...objectType(name), declared: { field: () => ({ celType: dynType }) } };
}

/** The types of patches. Source: k8s.io/apiserver v0.36 `pkg/cel/mutation`. */
export function patchTypeOf(name: string): ConstructibleType | undefined {
  if (name === 'JSONPatch') {
    return {
      type: jsonPatchType,
      construct: (fields) => {
        for (const field of textFields) {
          const value = fields.get(field);
          if (value !== undefined && typeof value !== 'string') {
            throw new EvaluationFault(`unexpected type for JSONPatchType '${field}' field`);
          }
        }
        for (const field of fields.keys()) {
          if (field !== 'value' && !textFields.some((name) => name === field)) {
            throw new EvaluationFault(`unexpected JSONPatchType field: ${field}`);
          }
        }
        return new JsonPatchOperation(fields);
      },
    };
  }
  if (name !== 'Object' && !name.startsWith('Object.')) return undefined;
  const type = name === 'Object' ? applyConfigurationType : constructedType(name);
  return { type, construct: (fields) => new ConstructedObject(type, fields) };
}
