import { StatusError } from '@evenkeel/core';
import { compareText } from '../apimachinery/index.ts';
import type { Manager } from './manager.ts';
import { formatPath } from './path-element.ts';
import type { PathSet } from './path-set.ts';

/** A manager that owns what an apply would change, and what that is. */
export interface Conflict {
  readonly manager: Manager;
  readonly paths: PathSet;
}

/**
 * 409 as the server says it, with a cause for each manager and path.
 *
 * Difference: managers come in the order of their names, in the causes too, where upstream's order is random.
 */
export function conflictError(conflicts: readonly Conflict[]): StatusError {
  const sorted = [...conflicts].sort((a, b) => compareText(identifierOf(a.manager), identifierOf(b.manager)));
  const causes = sorted.flatMap(({ manager, paths }) =>
    [...paths.paths()].map((path) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${printManager(manager)}`,
      field: formatPath(path),
    })),
  );
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `Apply failed with ${causes.length} ${conflictMessage(sorted, causes)}`,
    reason: 'Conflict',
    details: { causes },
    code: 409,
  });
}

function conflictMessage(sorted: readonly Conflict[], causes: readonly { message: string; field: string }[]): string {
  const [only] = causes;
  if (causes.length === 1 && only !== undefined) return `conflict: ${only.message}: ${only.field}`;
  const lines = sorted.flatMap(({ manager, paths }) => [
    `conflicts with ${printManager(manager)}:`,
    ...[...paths.paths()].map((path) => `- ${formatPath(path)}`),
  ]);
  return `conflicts: ${lines.join('\n')}`;
}

function printManager({ manager, operation, apiVersion, subresource }: Manager): string {
  const name = JSON.stringify(manager);
  const inSubresource = subresource === '' ? name : `${name} with subresource ${JSON.stringify(subresource)}`;
  return operation === 'Update' ? `${inSubresource} using ${apiVersion}` : inSubresource;
}

/** Upstream sorts managers by the JSON that identifies them. */
function identifierOf({ manager, operation, apiVersion, subresource }: Manager): string {
  return JSON.stringify([manager, operation, operation === 'Apply' ? '' : apiVersion, subresource]);
}
