import type { CustomResourceDefinition } from './custom-resource-definition.ts';

/**
 * Sets the defaults that the API server sets when it decodes a CustomResourceDefinition: singular and list kind from the
 * kind, no conversion, the port of a conversion webhook's service, and the storage version as the stored version
 * (apiextensions-apiserver pkg/apis/apiextensions/v1/defaults.go). Changes `crd` in place.
 */
export function defaultCustomResourceDefinition(crd: CustomResourceDefinition): void {
  crd.spec ??= {};
  const { spec } = crd;
  spec.names ??= {};
  const { names } = spec;
  if (!names.singular) names.singular = (names.kind ?? '').toLowerCase();
  if (!names.listKind && names.kind) names.listKind = `${names.kind}List`;
  spec.conversion ??= { strategy: 'None' };
  const service = spec.conversion.webhook?.clientConfig?.service;
  if (service !== undefined) service.port ??= 443;
  if (!crd.status?.storedVersions?.length) {
    const storage = spec.versions?.find((version) => version.storage === true)?.name;
    if (storage !== undefined) crd.status = { ...crd.status, storedVersions: [storage] };
  }
}
