import {
  addErrors,
  childPath,
  dns1035LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  invalid,
  jsonEqual,
  keyPath,
  nameRule,
  notSupported,
  required,
  validateObjectMeta,
  valueAt,
  withinReason,
} from '../apimachinery.ts';
import { isRequestUri } from '../format/url.ts';
import { conversionErrors } from './conversion-rules.ts';
import {
  type CustomResourceDefinition,
  type DefinitionSpec,
  hoistSettings,
  isEstablished,
  subSchemas,
  type VersionSettings,
  type VersionSpec,
} from './custom-resource-definition.ts';
import { decodeCustomResourceDefinition } from './decode-crd.ts';
import { nameErrors } from './name-rules.ts';
import { type CrdLeniency, leniencyFor, strict } from './old-definition.ts';
import { rootSchemaErrors } from './root-schema.ts';
import { unsupportedKeyword } from './structural-rules.ts';
import { deprecationErrors, printerColumnErrors, selectableFieldErrors, subresourceErrors } from './version-rules.ts';

/**
 * All errors that the API server finds in a CustomResourceDefinition, which must have its defaults
 * (`defaultCustomResourceDefinition`). Paths are the server's: settings that are equal in all versions are reported at
 * `spec.validation`, `spec.subresources` and so on. With `old`, later rules that the old definition already violates do not
 * apply, immutable fields are compared, and metadata is not checked. Values of the wrong JSON type, and input that is too
 * large or nests too deeply, are errors too; if there are any, no other errors are reported.
 *
 * Source: apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go.
 */
export function validateCustomResourceDefinition(
  crd: CustomResourceDefinition,
  old?: CustomResourceDefinition,
): readonly FieldError[] {
  const decoded = decodeCustomResourceDefinition(crd);
  return decoded.errors.length > 0 ? decoded.errors : definitionErrors(decoded.crd, old);
}

/** The same for a decoded definition. */
export function definitionErrors(crd: CustomResourceDefinition, old?: CustomResourceDefinition): FieldError[] {
  const spec = crd.spec ?? {};
  const stored = crd.status?.storedVersions ?? storageVersions(spec);
  return withinReason([
    ...(old === undefined ? metadataErrors(crd, spec) : []),
    ...specErrors(spec, old === undefined ? strict : leniencyFor(crd, old)),
    ...(old === undefined ? [] : immutableErrors(spec, old)),
    ...nameErrors(crd.status?.acceptedNames ?? {}, 'status.acceptedNames', false),
    ...storedVersionErrors(stored, spec.versions ?? []),
    ...approvalErrors(crd, old),
    ...preserveErrors(spec, old),
  ]);
}

function storageVersions(spec: DefinitionSpec): readonly string[] {
  return (spec.versions ?? [])
    .filter(({ storage }) => storage === true)
    .map(({ name = '' }) => name)
    .slice(0, 1);
}

function metadataErrors(crd: CustomResourceDefinition, spec: DefinitionSpec): FieldError[] {
  const wanted = `${spec.names?.plural ?? ''}.${spec.group ?? ''}`;
  const nameErrors = nameRule((name) => {
    const mismatch = name === wanted ? [] : ['must be spec.names.plural+"."+spec.group'];
    return [...dns1123SubdomainErrors(name), ...mismatch];
  });
  return validateObjectMeta(crd.metadata ?? {}, { isNamespaced: false, nameErrors, path: 'metadata' });
}

function specErrors(spec: DefinitionSpec, leniency: CrdLeniency): FieldError[] {
  const errors: FieldError[] = [];
  const { common, versions } = hoistSettings(spec);
  const { group = '', scope = '', names = {}, conversion } = spec;
  const groupReasons = group === '' ? [] : dns1123SubdomainErrors(group);
  if (group === '') errors.push(required('spec.group'));
  else if (groupReasons.length > 0) errors.push(invalid('spec.group', group, groupReasons.join(',')));
  else if (!group.includes('.')) {
    errors.push(invalid('spec.group', group, 'should be a domain with at least one dot'));
  }
  if (scope === '') errors.push(required('spec.scope'));
  else if (scope !== 'Cluster' && scope !== 'Namespaced') {
    errors.push(notSupported('spec.scope', scope, ['Cluster', 'Namespaced']));
  }
  addErrors(errors, missingSchemaErrors(spec, common, versions, leniency));
  if (spec.preserveUnknownFields === true && hasDefaults(spec)) {
    const detail = 'must be false in order to use defaults in the schema';
    errors.push(invalid('spec.preserveUnknownFields', true, detail));
  }
  versions.forEach((version, i) => {
    addErrors(errors, versionErrors(version, common, keyPath('spec.versions', i), leniency));
  });
  const isUnique = new Set(versions.map(({ name }) => name)).size === versions.length;
  if (!isUnique) errors.push(invalid('spec.versions', spec.versions, 'must contain unique version names'));
  if (versions.filter(({ storage }) => storage === true).length !== 1) {
    const detail = 'must have exactly one version marked as storage version';
    errors.push(invalid('spec.versions', spec.versions ?? null, detail));
  }
  const [first] = versions;
  const firstReasons = first?.name ? dns1035LabelErrors(first.name) : [];
  if (firstReasons.length > 0) errors.push(invalid('spec.version', first?.name, firstReasons.join(',')));
  addErrors(errors, nameErrors(names, 'spec.names', true));
  const hasStatus = [common, ...versions].some(({ subresources }) => Boolean(subresources?.status));
  addErrors(errors, settingErrors(common, 'spec', 'validation', hasStatus, leniency, ''));
  if (conversion !== undefined) {
    if (conversion.strategy !== 'None' && spec.preserveUnknownFields === true) {
      const detail = 'must be None if spec.preserveUnknownFields is true';
      errors.push(invalid('spec.conversion.strategy', conversion.strategy ?? '', detail));
    }
    addErrors(errors, conversionErrors(conversion, 'spec.conversion', leniency));
  }
  return errors;
}

function missingSchemaErrors(
  spec: DefinitionSpec,
  common: VersionSettings,
  versions: readonly VersionSpec[],
  leniency: CrdLeniency,
): FieldError[] {
  if (common.schema?.openAPIV3Schema !== undefined) return [];
  return versions.flatMap((version, i) => {
    if (version.schema?.openAPIV3Schema !== undefined) return [];
    const path = `spec.versions[${i}].schema.openAPIV3Schema`;
    if (!leniency.allowsNoSchema) return [required(path)];
    const isPruned = spec.preserveUnknownFields !== true && version.served === true;
    return isPruned ? [required(path, 'because otherwise all fields are pruned')] : [];
  });
}

function hasDefaults(spec: DefinitionSpec): boolean {
  return (spec.versions ?? []).some(({ schema }) =>
    [...subSchemas(schema?.openAPIV3Schema ?? {})].some(({ default: value }) => value !== undefined && value !== null),
  );
}

function versionErrors(
  version: VersionSpec,
  common: VersionSettings,
  path: string,
  leniency: CrdLeniency,
): FieldError[] {
  const { name = '' } = version;
  const reasons = dns1035LabelErrors(name);
  const hasStatus = Boolean((version.subresources ?? common.subresources)?.status);
  return [
    ...(reasons.length > 0 ? [invalid(childPath(path, 'name'), name, reasons.join(','))] : []),
    ...deprecationErrors(version, path),
    ...settingErrors(version, path, 'schema', hasStatus, leniency, name),
  ];
}

function settingErrors(
  settings: VersionSettings,
  path: string,
  schemaField: 'schema' | 'validation',
  hasStatus: boolean,
  leniency: CrdLeniency,
  version: string,
): FieldError[] {
  const { subresources, additionalPrinterColumns = [], selectableFields = [] } = settings;
  const schema = settings.schema?.openAPIV3Schema;
  const at = (name: string) => childPath(path, name);
  const errors: FieldError[] = [];
  if (schema !== undefined) {
    const schemaPath = childPath(at(schemaField), 'openAPIV3Schema');
    const limitsEachRule = !leniency.unchangedSchemas.has(version);
    addErrors(errors, rootSchemaErrors(schema, schemaPath, hasStatus, leniency, limitsEachRule));
  }
  addErrors(errors, subresourceErrors(subresources, at('subresources')));
  addErrors(errors, printerColumnErrors(additionalPrinterColumns, at('additionalPrinterColumns')));
  if (selectableFields.length > 0) {
    const allowsMany = leniency.manySelectableFields.has(version);
    const fieldsPath = at('selectableFields');
    const isCommon = schemaField === 'validation';
    // If all versions share it, a validation without a schema is enough.
    if (schema !== undefined || (isCommon && settings.schema !== undefined)) {
      const unsupported = schema && unsupportedKeyword(schema);
      if (unsupported !== undefined) errors.push(invalid(childPath(at('schema'), 'openAPIV3Schema'), '', unsupported));
      const known = unsupported === undefined ? schema : undefined;
      addErrors(errors, selectableFieldErrors(selectableFields, known, fieldsPath, allowsMany));
    } else {
      // Upstream's message says "not included", but means the opposite.
      const when = isCommon ? 'validations.schema is included' : '`version.schema.openAPIV3Schema` is not included';
      errors.push(invalid(fieldsPath, '', `may only be set when ${when}`));
    }
  }
  return errors;
}

function immutableErrors(spec: DefinitionSpec, old: CustomResourceDefinition): FieldError[] {
  const errors: FieldError[] = [];
  const compare = (path: string, value: unknown, oldValue: unknown) => {
    if (!jsonEqual(value, oldValue)) errors.push(invalid(path, value ?? '', 'field is immutable'));
  };
  if (isEstablished(old)) {
    compare('spec.scope', spec.scope, old.spec?.scope);
    compare('spec.names.kind', spec.names?.kind, old.spec?.names?.kind);
  }
  compare('spec.group', spec.group, old.spec?.group);
  compare('spec.names.plural', spec.names?.plural, old.spec?.names?.plural);
  return errors;
}

function storedVersionErrors(stored: readonly string[], versions: readonly VersionSpec[]): FieldError[] {
  const path = 'status.storedVersions';
  if (stored.length === 0) return [invalid(path, null, 'must have at least one stored version')];
  const wasStored = new Set(stored);
  const names = new Set<string>();
  const errors: FieldError[] = [];
  for (const { name = '', storage } of versions) {
    // A name counts once: of two storage versions with one name, the second is not noticed.
    const isNew = names.size !== names.add(name).size;
    if (storage === true && !(isNew && wasStored.has(name))) {
      errors.push(invalid(path, stored, `must have the storage version ${name}`));
    }
  }
  stored.forEach((name, i) => {
    if (names.has(name)) return;
    const until = 'until a storage migration ensures no data remains persisted in';
    const detail = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions ${until} ${name} and removes ${name} from status.storedVersions`;
    errors.push(invalid(keyPath(path, i), name, detail));
  });
  return errors;
}

const approval = 'api-approved.kubernetes.io';

/** Groups of the Kubernetes community need an approval, or a reason why there is none. */
function approvalErrors(crd: CustomResourceDefinition, old: CustomResourceDefinition | undefined): FieldError[] {
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(crd.spec?.group ?? '')) return [];
  const annotation = approvalOf(crd);
  const state = approvalState(annotation);
  if (state === 'valid' || (old !== undefined && approvalState(approvalOf(old)) === state)) return [];
  const path = `metadata.annotations[${approval}]`;
  const see = 'see https://github.com/kubernetes/enhancements/pull/1111';
  if (state === 'missing') {
    return [required(path, `protected groups must have approval annotation "${approval}", ${see}`)];
  }
  const either = 'with either a URL or a reason starting with "unapproved"';
  return [invalid(path, annotation, `protected groups must have approval annotation "${approval}" ${either}, ${see}`)];
}

function approvalOf(crd: CustomResourceDefinition): string {
  return String(valueAt(crd.metadata?.annotations ?? {}, approval) ?? '');
}

function approvalState(annotation: string): 'missing' | 'valid' | 'invalid' {
  if (annotation === '') return 'missing';
  const isUrl = isRequestUri(annotation) && /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?]/.test(annotation);
  return annotation.startsWith('unapproved') || isUrl ? 'valid' : 'invalid';
}

function preserveErrors(spec: DefinitionSpec, old: CustomResourceDefinition | undefined): FieldError[] {
  if (spec.preserveUnknownFields !== true || old?.spec?.preserveUnknownFields === true) return [];
  const detail =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [invalid('spec.preserveUnknownFields', true, detail)];
}
