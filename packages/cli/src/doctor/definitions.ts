import { ignoreNotFound } from '@evenkeel/core';
import { CustomResourceDefinition } from '@evenkeel/kinds/apiextensions/v1';
import { type CheckResult, failed, ok, warning } from '../cluster/check-result.ts';
import type { ClusterSession } from '../cluster/cluster-session.ts';
import { definitionDrift } from '../deploy/definition-drift.ts';
import { definitionsIn } from '../deploy/definitions-in.ts';

/** Compares the CRDs of the cluster with the classes. */
export async function checkDefinitionsOnCluster({ client, objects, signal }: ClusterSession): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const definition of definitionsIn(objects)) {
    const { name } = definition.metadata;
    const check = `CRD ${name}`;
    const live = await ignoreNotFound(client.get(CustomResourceDefinition, name, { signal }));
    if (live === undefined) {
      results.push(failed(check, 'it is not installed', 'run "evenkeel install" or "evenkeel deploy"'));
      continue;
    }
    const unmet = (live.status?.conditions ?? []).find(
      ({ type, status }) => ['Established', 'NamesAccepted'].includes(type) && status !== 'True',
    );
    const names = new Set(definition.spec.versions.map((version) => version.name));
    const stored = live.status?.storedVersions ?? [];
    const old = stored.filter((version) => !names.has(version));
    const drift = definitionDrift(definition, live);
    if (unmet !== undefined) {
      results.push(
        failed(
          check,
          `${unmet.type} is ${unmet.status}: ${unmet.message}`,
          'change the names, or delete the other CRD',
        ),
      );
    } else if (old.length > 0) {
      const fix = `add the version to the classes, or run "evenkeel migrate ${name}"`;
      results.push(failed(check, `objects are stored in versions without a class: ${old.join(', ')}`, fix));
    } else if (drift.length > 0) {
      results.push(failed(check, 'it differs from the classes', 'run "evenkeel install" or "evenkeel deploy"', drift));
    } else if (stored.length > 1) {
      results.push(
        warning(
          check,
          `objects may be stored in several versions: ${stored.join(', ')}`,
          `run "evenkeel migrate ${name}"`,
        ),
      );
    } else results.push(ok(check, 'it matches the classes'));
  }
  return results;
}
