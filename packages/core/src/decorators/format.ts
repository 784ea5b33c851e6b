import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/** The formats that an API server of 1.36 enforces: of strings, of integers (`int32`, `int64`) and of numbers. */
export const schemaFormats = {
  string: [
    'bsonobjectid',
    'byte',
    'cidr',
    'creditcard',
    'date',
    'date-time',
    'duration',
    'email',
    'hexcolor',
    'hostname',
    'ipv4',
    'ipv6',
    'isbn',
    'isbn10',
    'isbn13',
    'k8s-long-name',
    'k8s-short-name',
    'mac',
    'password',
    'rgbcolor',
    'ssn',
    'uri',
    'uuid',
    'uuid3',
    'uuid4',
    'uuid5',
  ],
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
} as const;

export type SchemaFormat = (typeof schemaFormats)[keyof typeof schemaFormats][number];

/**
 * A format that the API server checks. Most formats of strings mean something else than class-validator's decorator of a
 * similar name (`uuid` also accepts one without dashes); prefer those, which become patterns. `date`, `date-time`,
 * `duration` and `byte` also make the value a time, a duration or bytes in CEL rules. Servers before 1.36 do not enforce
 * those of numbers; with `int32` the bounds stand in the schema too.
 */
export function Format(format: SchemaFormat): InstanceMemberDecorator {
  return declareProperty({ says: 'format', format });
}
