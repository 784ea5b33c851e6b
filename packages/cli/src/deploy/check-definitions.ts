import type { Client } from '@evenkeel/client';
import { EvenkeelError } from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds/apiextensions/v1';
import { compareDefinitions, type DefinitionChange } from '@evenkeel/schema';
import { definitionWithoutOtherSession } from '@evenkeel/testing/webhook';

/** A change that the API server itself rejects. */
const neverAllowed: ReadonlySet<DefinitionChange['check']> = new Set(['storedVersionRemoval', 'scope']);

/** What `evenkeel generate` has already accepted, because `lossy.versions` of the classes has a reason for each field. */
const accepted: ReadonlySet<DefinitionChange['check']> = new Set(['servedVersions']);

/**
 * Compares generated CRDs with those on a cluster. Throws `breaking-definition` for changes that can break existing objects or clients, unless
 * they are allowed. The removal of a version in which objects are stored is never allowed. Throws `dev-session-running` if a session
 * serves a conversion, and restores what killed sessions have changed.
 *
 * @returns the allowed breaking changes, as lines of text.
 */
export async function checkDefinitions(
  client: Client,
  definitions: readonly CustomResourceDefinition[],
  options: { readonly allowBreaking: boolean; readonly dryRun: boolean; readonly signal: AbortSignal },
): Promise<string[]> {
  const allowed: string[] = [];
  const refused: string[] = [];
  let isFinal = false;
  for (const definition of definitions) {
    const { name } = definition.metadata;
    const live = await definitionWithoutOtherSession(client, name, options);
    if (live === undefined) continue;
    for (const change of compareDefinitions(live, definition)) {
      if (accepted.has(change.check)) continue;
      const isAllowed = options.allowBreaking && !neverAllowed.has(change.check);
      isFinal ||= neverAllowed.has(change.check);
      (isAllowed ? allowed : refused).push(`${name}: ${changeText(change)}${fixOf(change, name)}`);
    }
  }
  if (refused.length === 0) return allowed;
  const fix = isFinal
    ? 'undo the changes that the API server rejects'
    : 'undo the changes, add a version, or accept them with --allow-breaking';
  throw new EvenkeelError(
    'breaking-definition',
    `the new CRDs can break objects and clients on this cluster; ${fix}\n${refused.map((line) => `    ${line}`).join('\n')}`,
  );
}

/** Returns a change in one line. */
export function changeText({ version, path, message }: DefinitionChange): string {
  return [version, path, message].filter((part) => part !== undefined && part !== '').join(': ');
}

function fixOf({ check }: DefinitionChange, name: string): string {
  return check === 'storedVersionRemoval' ? `; run "evenkeel migrate ${name}" first` : '';
}
