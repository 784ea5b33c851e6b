import { requestBytesMax } from '../../apimachinery.ts';
import type { DeclaredType } from '../value/declared-type.ts';

/** The minimal and maximal size of a value. Upstream's largest number means unknown. */
export interface SizeEstimate {
  readonly min: number;
  readonly max: number;
}

/** The maximum of upstream's 64 bits, at which counting stops. */
const saturation = 2 ** 64;

export const unknownSize: SizeEstimate = { min: 0, max: saturation };

export function fixedSize(size: number): SizeEstimate {
  return { min: size, max: size };
}

export function addSizes(a: SizeEstimate, b: SizeEstimate): SizeEstimate {
  return { min: saturate(a.min + b.min), max: saturate(a.max + b.max) };
}

export function multiplySizes(a: SizeEstimate, b: SizeEstimate): SizeEstimate {
  return { min: saturate(a.min * b.min), max: saturate(a.max * b.max) };
}

export function uniteSizes(a: SizeEstimate, b: SizeEstimate): SizeEstimate {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

/** The maximal cost of iterating over a value of the size. */
export function costOf(size: SizeEstimate, factor: number): number {
  return saturate(Math.ceil(size.max * factor));
}

export function saturate(value: number): number {
  return Math.min(value, saturation);
}

/**
 * The maximal number of elements, or bytes of a string, of data of the type; 0 for types of fixed size. Source:
 * k8s.io/apiserver `pkg/cel/common/schemas.go`.
 */
export function maxElements(type: DeclaredType): number {
  const { schema } = type;
  switch (type.kind) {
    case 'list':
      return schema.maxItems ?? Math.floor((requestBytesMax - 2) / (minSerializedSize(type.element) + 1));
    case 'map':
      return schema.maxProperties ?? Math.floor((requestBytesMax - 2) / (minSerializedSize(type.element) + 6));
    case 'string':
      if (schema.maxLength !== undefined) return schema.maxLength * 4;
      if (schema.enum === undefined || schema.enum.length === 0) return requestBytesMax - 2;
      return Math.max(0, ...schema.enum.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0)));
    case 'int-or-string':
      return schema.maxLength === undefined ? requestBytesMax - 2 : schema.maxLength * 4;
    case 'bytes':
      return schema.maxLength ?? requestBytesMax - 2;
    case 'date':
      return 12;
    case 'date-time':
    case 'duration':
      return 32;
    default:
      return 0;
  }
}

/** The minimal size in JSON of data of the type; fields with a default may be missing. */
export function minSerializedSize(type: DeclaredType | undefined): number {
  switch (type?.kind) {
    case 'object': {
      const required = new Set(type.schema.required ?? []);
      let size = 2;
      for (const [name, property] of type.properties) {
        if (property.kind === 'preserved' || !required.has(name) || property.schema.default !== undefined) continue;
        size += Buffer.byteLength(name) + minSerializedSize(property) + 4;
      }
      return size;
    }
    case 'bool':
      return 4;
    case 'date':
      return 12;
    case 'date-time':
      return 21;
    case 'duration':
      return 3;
    case 'int':
    case 'double':
    case 'int-or-string':
      return 1;
    default:
      return 2;
  }
}

/** The maximal number of occurrences of data of the type in one request. */
export function maxCardinality(type: DeclaredType): number {
  return Math.floor(requestBytesMax / (minSerializedSize(type) + 1));
}
