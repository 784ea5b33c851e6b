import type { KindFields } from '@evenkeel/core';
import { ServedFields, type ServedFieldsOptions } from '../fields/served-fields.ts';
import { FieldsSource } from '../source/fields-source.ts';
import type { WatchedKind } from '../source/kind-source.ts';
import type { Source } from '../source/source.ts';

/** Returns a function that creates the source that compares the fields of a kind with those at build time, if they are known. */
export function fieldsSourceOf(
  fields: KindFields,
  options: Omit<ServedFieldsOptions, 'fields'>,
): (of: WatchedKind) => Source | undefined {
  const lookup = new ServedFields({ ...options, fields });
  return (of) => (lookup.knows(of.informer.resource) ? new FieldsSource({ ...of, lookup }) : undefined);
}
