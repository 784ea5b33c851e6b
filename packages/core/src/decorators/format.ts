import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/** The formats that an API server of version 1.36 enforces, by the type of the value. */
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

/** The formats that the API server checks, of strings and of numbers. */
export type SchemaFormat = (typeof schemaFormats)[keyof typeof schemaFormats][number];

/**
 * A format that the API server checks. Most string formats differ from the class-validator decorator with a similar name:
 * `uuid` also accepts a value without dashes. Prefer the decorators, which become patterns. In CEL rules, `date`, `date-time`,
 * `duration` and `byte` turn the value into a time, a duration or bytes. Servers before 1.36 do not enforce the formats of
 * numbers; for `int32` the schema also has the bounds.
 */
export function Format(format: SchemaFormat): InstanceMemberDecorator {
  return declareProperty({ says: 'format', format });
}
