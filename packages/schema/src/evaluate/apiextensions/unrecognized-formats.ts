import { enforcedFormat } from '../format/text-format.ts';
import { type CustomResourceDefinition, hoistSettings, subSchemas } from './custom-resource-definition.ts';

/**
 * The formats of a CRD's schemas that the API server does not enforce, once for each new use. It warns about each with
 * `unrecognized format "<format>"`. On update it does not warn about those that `old` has (Kubernetes 1.34 and later).
 */
export function unrecognizedFormats(crd: CustomResourceDefinition, old?: CustomResourceDefinition): string[] {
  const known = new Set(old === undefined ? [] : formatsOf(old));
  return formatsOf(crd).filter((format) => !known.has(format));
}

function formatsOf(crd: CustomResourceDefinition): string[] {
  const { common, versions } = hoistSettings(crd.spec ?? {});
  const schemas = [common, ...versions].flatMap(({ schema }) => schema?.openAPIV3Schema ?? []);
  return schemas.flatMap((schema) =>
    [...subSchemas(schema)].flatMap(({ format = '', type }) =>
      format !== '' && enforcedFormat(format, type ? [type] : []) === '' ? [format] : [],
    ),
  );
}
