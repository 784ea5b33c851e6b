import { type FieldError, goQuote, validateObjectMeta } from '../apimachinery.ts';
import type { CustomResourceDefinition } from './custom-resource-definition.ts';
import { decodeCustomResourceDefinition } from './decode-crd.ts';
import { defaultCustomResourceDefinition } from './default-crd.ts';
import { unrecognizedFormats } from './unrecognized-formats.ts';
import { definitionErrors } from './validate-crd.ts';

/** What the API server would make of a definition that is sent to it. */
export interface CheckedDefinition {
  /** The definition as the API server would store it, its metadata aside; worth nothing where there are errors. */
  readonly crd: CustomResourceDefinition;
  /** Every error, at the API server's paths and in its words. None where it would be accepted. */
  readonly errors: readonly FieldError[];
  /** The warnings the API server would answer with, in its words. */
  readonly warnings: readonly string[];
}

/**
 * Checks a CustomResourceDefinition as it was parsed from JSON or YAML, whatever that is: what a request to create it, or
 * to replace `old`, would be answered with. Where a value is of the wrong JSON type, only such values are told of. A
 * status is not looked at: the API server has its own. Neither is a namespace. Changes nothing.
 */
export function checkCustomResourceDefinition(value: unknown, old?: CustomResourceDefinition): CheckedDefinition {
  const { crd, errors, unknownFields } = decodeCustomResourceDefinition(value);
  const warnings = unknownFields.map((path) => `unknown field ${goQuote(path)}`);
  if (errors.length > 0) return { crd, errors, warnings: [] };
  // A definition is in no namespace, whatever it says.
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

/** The name is the old one's, which has been looked at. */
const anyName = (): string[] => [];

/** The storage version joins the versions in which objects may be stored. */
function storeAlso(crd: CustomResourceDefinition): void {
  const stored = crd.status?.storedVersions ?? [];
  const storage = crd.spec?.versions?.find((version) => version.storage === true);
  if (storage === undefined || stored.includes(storage.name ?? '')) return;
  crd.status = { ...crd.status, storedVersions: [...stored, storage.name ?? ''] };
}
