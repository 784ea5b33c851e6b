import { labelKeyErrors } from '../apimachinery/index.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { Strategy } from '../kind/strategy.ts';
import type { VersionDefinition } from './custom-definition.ts';
import { compileIfJsonPath } from './json-path.ts';

/**
 * Returns the rules of a custom kind beyond the pipeline's generic ones: selectable fields, and warnings about finalizers.
 *
 * Source: apiextensions-apiserver `pkg/registry/customresource/strategy.go`.
 */
export function customStrategy(version: VersionDefinition): Strategy {
  const selectable = (version.selectableFields ?? []).map(({ jsonPath = '' }) => ({
    name: jsonPath.replace(/^\./, ''),
    path: compileIfJsonPath(jsonPath),
  }));
  return {
    warnings: (object, old) => finalizerWarnings(object, old),
    selectableFieldNames: selectable.map(({ name }) => name),
    selectableFields: (object) =>
      Object.fromEntries(selectable.map(({ name, path }) => [name, String(path?.first(object) ?? '')])),
  };
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
