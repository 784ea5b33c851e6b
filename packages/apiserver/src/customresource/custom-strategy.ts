import { labelKeyErrors } from '../apimachinery/index.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { Strategy } from '../kind/strategy.ts';
import { forbidden } from '../status/refusal.ts';
import {
  type DefinitionSpec,
  isConditionTrue,
  type StoredDefinition,
  type VersionDefinition,
} from './custom-definition.ts';
import { compileIfJsonPath } from './json-path.ts';

/**
 * What the pipeline's generic rules for custom kinds leave open: selectable fields, warnings of finalizers, and that
 * nothing is created while its definition is being deleted.
 *
 * Source: apiextensions-apiserver `pkg/registry/customresource/strategy.go`, `pkg/apiserver/customresource_handler.go`.
 */
export function customStrategy(definition: StoredDefinition, version: VersionDefinition): Strategy {
  const { spec } = definition;
  const selectable = (version.selectableFields ?? []).map(({ jsonPath = '' }) => ({
    name: jsonPath.replace(/^\./, ''),
    path: compileIfJsonPath(jsonPath),
  }));
  return {
    warnings: (object, old) => finalizerWarnings(object, old),
    selectableFieldNames: selectable.map(({ name }) => name),
    selectableFields: (object) =>
      Object.fromEntries(selectable.map(({ name, path }) => [name, String(path?.first(object) ?? '')])),
    ...(isConditionTrue(definition, 'Terminating') && { prepareForCreate: (object) => refuseCreate(spec, object) }),
  };
}

function refuseCreate({ group = '', names }: DefinitionSpec, { metadata }: ApiObject): never {
  const resource = { group, plural: names?.plural ?? '' };
  const why = 'create not allowed while custom resource definition is terminating';
  throw forbidden(resource, metadata.name ?? '', why);
}

const standardFinalizers = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

function finalizerWarnings({ metadata }: ApiObject, old: ApiObject | undefined): string[] {
  const before = new Set(old?.metadata.finalizers);
  const added = [...new Set(metadata.finalizers)].filter((finalizer) => !before.has(finalizer)).sort();
  return added.flatMap((finalizer) => {
    const warning = (text: string): string => `metadata.finalizers: ${JSON.stringify(finalizer)}: ${text}`;
    const warnings = labelKeyErrors(finalizer).map(warning);
    if (finalizer.includes('/') || standardFinalizers.has(finalizer)) return warnings;
    const path = finalizer.includes('.') ? ' including a path (/)' : '';
    return [
      ...warnings,
      warning(
        `prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`,
      ),
    ];
  });
}
