import { type FieldError, goQuote, validateObjectMeta } from '../apimachinery.ts';
import type { CustomResourceDefinition } from './custom-resource-definition.ts';
import { decodeCustomResourceDefinition } from './decode-crd.ts';
import { defaultCustomResourceDefinition } from './default-crd.ts';
import { unrecognizedFormats } from './unrecognized-formats.ts';
import { definitionErrors } from './validate-crd.ts';

/** The API server's result for a definition. */
export interface CheckedDefinition {
  /** The definition as the API server would store it, except its metadata; meaningless if there are errors. */
  readonly crd: CustomResourceDefinition;
  /** All errors with the API server's paths and messages. Empty if the definition would be accepted. */
  readonly errors: readonly FieldError[];
  /** The warnings in the API server's response. */
  readonly warnings: readonly string[];
}

/**
 * Checks any parsed JSON or YAML as a CustomResourceDefinition. The result is that of a request to create it, or to replace
 * `old`. If values have the wrong JSON type, only those are reported. The status and the namespace are ignored; the API
 * server sets the status itself. The argument is not changed.
 */
export function checkCustomResourceDefinition(value: unknown, old?: CustomResourceDefinition): CheckedDefinition {
  const { crd, errors, unknownFields } = decodeCustomResourceDefinition(value);
  const warnings = unknownFields.map((path) => `unknown field ${goQuote(path)}`);
  if (errors.length > 0) return { crd, errors, warnings: [] };
  // A definition has no namespace, even if one is given.
  delete crd.metadata?.['namespace'];
  crd.status = { ...old?.status };
  defaultCustomResourceDefinition(crd);
  storeAlso(crd);
  const ofMetadata =
    old === undefined
      ? []
      : validateObjectMeta(crd.metadata ?? {}, { isNamespaced: false, nameErrors: anyName, path: 'metadata' });
  const found = [...ofMetadata, ...definitionErrors(crd, old)];
  if (found.length === 0) {
    for (const format of new Set(unrecognizedFormats(crd, old)))
      warnings.push(`unrecognized format ${goQuote(format)}`);
  }
  return { crd, errors: found, warnings };
}

/** On update the name equals the old one, which has been checked. */
const anyName = (): string[] => [];

/** Adds the storage version to the versions in which objects may be stored. */
function storeAlso(crd: CustomResourceDefinition): void {
  const stored = crd.status?.storedVersions ?? [];
  const storage = crd.spec?.versions?.find((version) => version.storage === true);
  if (storage === undefined || stored.includes(storage.name ?? '')) return;
  crd.status = { ...crd.status, storedVersions: [...stored, storage.name ?? ''] };
}
