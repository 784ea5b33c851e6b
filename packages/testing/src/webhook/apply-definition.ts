import type { Client } from '@evenkeel/client';
import { ignoreNotFound } from '@evenkeel/core';
import { CustomResourceDefinition } from '@evenkeel/kinds';
import { allFieldsOf, withConversionOwners } from './conversion-owners.ts';
import { definitionWithoutOtherSession } from './definition-without-other-session.ts';
import { type Conversion, noConversion, untilWritten } from './restore-conversion.ts';
import { isOfThisProcess } from './session-mark.ts';

export interface ApplyDefinitionOptions {
  readonly fieldManager: string;
  /** Whether to take over the fields of other managers. Default: false. The conversion is taken over in any case if it cannot stay. */
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Applies a CRD by server-side apply. The conversion becomes the declared one, which is `None` without a declaration, even if another field
 * manager has set a webhook. An apply does not remove the fields of other managers, so this manager first becomes the only owner of a
 * conversion that cannot stay. The conversion changes together with the rest of the CRD, in one write.
 *
 * A conversion that a session of this process serves stays until the session ends. Throws `dev-session-running` if another process
 * serves it.
 */
export async function applyDefinition(
  client: Client,
  definition: CustomResourceDefinition,
  options: ApplyDefinitionOptions,
): Promise<CustomResourceDefinition> {
  const { dryRun = false, fieldManager } = options;
  const { name } = definition.metadata;
  const declared = definition.spec.conversion ?? noConversion;
  const live = await definitionWithoutOtherSession(client, name, options);
  const kept = live?.spec.conversion;
  if (live === undefined || kept === undefined || !isInTheWay(kept, declared)) {
    return client.apply(CustomResourceDefinition, definition, options);
  }
  const isServedHere = isOfThisProcess(live);
  if (dryRun || isServedHere) {
    const spec = { ...definition.spec, conversion: kept };
    const applied = await client.apply(CustomResourceDefinition, { ...definition, spec }, options);
    return isServedHere ? applied : { ...applied, spec: { ...applied.spec, conversion: declared } };
  }
  await untilWritten(() => own(client, name, fieldManager));
  return client.apply(CustomResourceDefinition, definition, options);
}

/** Whether an apply can fail or leave fields, because the webhook has another form of address, or none is declared. */
function isInTheWay(live: Conversion, declared: Conversion): boolean {
  const before = live.webhook?.clientConfig;
  if (live.webhook === undefined) return false;
  const after = declared.webhook?.clientConfig;
  if (declared.webhook === undefined) return true;
  return (before?.url === undefined) !== (after?.url === undefined);
}

/** Makes a field manager the only owner of the conversion of a CRD. Changes nothing else. */
async function own(client: Client, name: string, manager: string): Promise<void> {
  const live = await ignoreNotFound(client.get(CustomResourceDefinition, name));
  if (live?.spec.conversion === undefined) return;
  const { managedFields, resourceVersion = '' } = live.metadata;
  const owner = { manager, operation: 'Apply', fields: allFieldsOf(live.spec.conversion) } as const;
  const merge = { metadata: { resourceVersion, managedFields: withConversionOwners(managedFields, [owner]) } };
  await client.patch(CustomResourceDefinition, name, { merge });
}
