import { EvenkeelError } from '@evenkeel/core';
import { CustomResourceDefinition } from '@evenkeel/kinds/apiextensions/v1';
import { type ClusterOptions, type ClusterSession, onCluster } from '../cluster/cluster-session.ts';
import type { ManifestObject } from '../manifests/generated-file.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { checkAccess } from './check-access.ts';
import { checkDefinitions } from './check-definitions.ts';
import { definitionDrift } from './definition-drift.ts';
import { definitionsIn } from './definitions-in.ts';
import { waitUntilEstablished } from './established.ts';
import { preflight } from './preflight.ts';

/** The options of commands that apply objects. */
export interface ApplyOptions extends ClusterOptions {
  readonly dryRun?: string;
  readonly allowBreaking?: boolean;
  readonly forceConflicts?: boolean;
}

/** Applies the CRDs of a project and waits until they are served; resolves to the exit code. */
export function install(options: ApplyOptions, terminal: CommandTerminal): Promise<number> {
  return onCluster('installing the CRDs of', options, {}, terminal, async (session) => {
    const definitions = definitionsIn(session.objects);
    await checkAccess(session.cluster, definitions, ['get', 'create', 'patch'], session.signal);
    await compareDefinitionsWithLive(session, options);
    await preflight(session, definitions, options.forceConflicts === true);
    for (const definition of definitions) await applyObject(session, options, definition);
    await untilEstablished(session, definitions);
    session.report.say(`installed: ${session.report.summary}`);
  });
}

/** Throws `breaking-definition`, or prints the breaking changes that the user allows. */
export async function compareDefinitionsWithLive(
  { client, objects, report, signal }: ClusterSession,
  { allowBreaking = false }: ApplyOptions,
): Promise<void> {
  const allowed = await checkDefinitions(client, definitionsIn(objects), {
    allowBreaking,
    dryRun: report.isDryRun,
    signal,
  });
  for (const line of allowed) report.notice(`allowed by --allow-breaking: ${line}`);
}

/** Applies one object and prints what happened. */
export async function applyObject(
  { cluster, report, signal }: ClusterSession,
  { forceConflicts = false }: ApplyOptions,
  object: ManifestObject,
): Promise<void> {
  report.object(await cluster.apply(object, { dryRun: report.isDryRun, force: forceConflicts, signal }));
}

/** Waits until CRDs are served. Does nothing in a dry run. */
export async function untilEstablished(
  { client, clock, deadlineMs, report, signal }: ClusterSession,
  definitions: readonly CustomResourceDefinition[],
): Promise<void> {
  if (report.isDryRun) return;
  for (const definition of definitions) {
    const { name } = definition.metadata;
    await waitUntilEstablished(client, name, { clock, deadlineMs, signal });
    const drift = definitionDrift(definition, await client.get(CustomResourceDefinition, name, { signal }));
    if (drift.length === 0) continue;
    report.notice(
      `CRD ${name}: fields still differ from the classes, because other field managers have added or changed them; fix them with "kubectl edit crd ${name}":\n${drift.map((line) => `    ${line}`).join('\n')}`,
    );
  }
}

/** Throws `invalid-config` for a project without an operator. */
export function requiredOperator(
  { operator }: ClusterSession,
  command: string,
): NonNullable<ClusterSession['operator']> {
  if (operator !== undefined) return operator;
  throw new EvenkeelError(
    'invalid-config',
    `${command}: the project has no operator to deploy; set "operator" in the configuration and do not set "deployment: false", or run "evenkeel install" to install only the CRDs`,
  );
}
