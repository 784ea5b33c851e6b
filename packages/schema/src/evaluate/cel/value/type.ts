export type CelTypeKind =
  | 'null'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'timestamp'
  | 'duration'
  | 'list'
  | 'map'
  | 'struct'
  | 'opaque'
  | 'type'
  | 'param'
  | 'dyn'
  | 'error';

/** A type of the CEL type system; `parameters` are element types, keys and values. */
export interface CelType {
  readonly kind: CelTypeKind;
  readonly name: string;
  readonly parameters: readonly CelType[];
  /** For a struct type: the declaration of its fields. */
  readonly declared?: StructDeclaration;
}

export interface StructDeclaration {
  /** A field by its name in expressions. */
  field(name: string): { readonly celType: CelType } | undefined;
}

function simple(kind: CelTypeKind, name: string = kind): CelType {
  return { kind, name, parameters: [] };
}

export const nullType = simple('null', 'null_type');
export const boolType = simple('bool');
export const intType = simple('int');
export const uintType = simple('uint');
export const doubleType = simple('double');
export const stringType = simple('string');
export const bytesType = simple('bytes');
export const timestampType = simple('timestamp', 'google.protobuf.Timestamp');
export const durationType = simple('duration', 'google.protobuf.Duration');
export const dynType = simple('dyn');
export const errorType = simple('error', '!error!');

export function listType(element: CelType): CelType {
  return { kind: 'list', name: 'list', parameters: [element] };
}

export function mapType(key: CelType, value: CelType): CelType {
  return { kind: 'map', name: 'map', parameters: [key, value] };
}

/** The type of a type, such as that of `int` itself; without a parameter the type of any type. */
export function typeType(of?: CelType): CelType {
  return { kind: 'type', name: 'type', parameters: of === undefined ? [] : [of] };
}

export function optionalType(value: CelType): CelType {
  return opaqueType('optional_type', value);
}

export function opaqueType(name: string, ...parameters: CelType[]): CelType {
  return { kind: 'opaque', name, parameters };
}

/** A type that Kubernetes registers as a structure without fields, such as `kubernetes.Quantity`. */
export function objectType(name: string): CelType {
  return { kind: 'struct', name, parameters: [] };
}

/** A structure with these fields. */
export function structType(name: string, fields: Readonly<Record<string, CelType>>): CelType {
  const types = new Map(Object.entries(fields));
  return {
    ...objectType(name),
    declared: {
      field(field) {
        const celType = types.get(field);
        return celType === undefined ? undefined : { celType };
      },
    },
  };
}

/** A type variable of a function declaration. */
export function typeParameter(name: string): CelType {
  return { kind: 'param', name, parameters: [] };
}

export function isOptional(type: CelType): boolean {
  return type.kind === 'opaque' && type.name === 'optional_type';
}

/** The type as error messages show it (cel-go v0.26 `checker/format.go`). */
export function formatType(type: CelType): string {
  switch (type.kind) {
    case 'null':
    case 'timestamp':
    case 'duration':
      return type.kind;
    default:
      return type.parameters.length === 0 ? type.name : `${type.name}(${type.parameters.map(formatType).join(', ')})`;
  }
}

/** The type as Go prints it (`Type.String` of cel-go v0.26 `common/types`). */
export function typeText(type: CelType): string {
  return type.parameters.length === 0 ? type.name : `${type.name}(${type.parameters.map(typeText).join(', ')})`;
}

export function isSameType(a: CelType, b: CelType): boolean {
  return (
    a === b ||
    (a.kind === b.kind &&
      a.name === b.name &&
      a.parameters.length === b.parameters.length &&
      a.parameters.every((parameter, i) => isSameType(parameter, b.parameters[i] ?? errorType)))
  );
}
