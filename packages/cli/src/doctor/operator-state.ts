import { ignoreNotFound } from '@evenkeel/core';
import { Deployment } from '@evenkeel/kinds/apps/v1';
import { Lease } from '@evenkeel/kinds/coordination/v1';
import { type CheckResult, failed, ok, warning } from '../cluster/check-result.ts';
import { type ClusterSession } from '../cluster/cluster-session.ts';
import { managerOf } from '../cluster/field-manager.ts';
import { DeploymentRecord } from '../deploy/deployment-record.ts';
import { podProblems } from '../deploy/pod-problems.ts';
import { stateOf } from '../deploy/rollout.ts';
import { compareWithDisk } from '../generate/output-files.ts';
import { ownVersion } from '../own-version.ts';

/** Checks that the pods of the operator are available. */
export async function checkDeployment({ client, objects, signal }: ClusterSession): Promise<CheckResult[]> {
  const wanted = objects.find(({ kind }) => kind === 'Deployment');
  if (wanted === undefined) return [];
  const check = 'deployment';
  const { name, namespace } = wanted.metadata;
  const deployment = await ignoreNotFound(client.get(Deployment, { name, namespace }, { signal }));
  if (deployment === undefined) {
    return [failed(check, `the Deployment ${namespace}/${name} does not exist`, 'run "evenkeel deploy"')];
  }
  const state = stateOf(deployment);
  if (state.isDone) return [ok(check, `${state.text} of ${namespace}/${name} are available`)];
  const problems = await podProblems(client, deployment, true, signal);
  return [
    failed(check, `${state.text} of ${namespace}/${name} are available`, 'fix the problems of its pods', problems),
  ];
}

/** Checks that a replica leads. */
export async function checkLeader({ client, clock, operator, signal }: ClusterSession): Promise<CheckResult[]> {
  if (operator?.leaderElection === undefined) return [];
  const check = 'leader';
  const { name, namespace } = operator.leaderElection;
  const lease = await ignoreNotFound(client.get(Lease, { name, namespace }, { signal }));
  const { holderIdentity = '', renewTime, leaseDurationSeconds = 15 } = lease?.spec ?? {};
  const fix = 'check the log of the operator';
  if (lease === undefined) return [failed(check, `the Lease ${namespace}/${name} does not exist`, fix)];
  if (holderIdentity === '') return [failed(check, `no replica holds the Lease ${namespace}/${name}`, fix)];
  const ageSeconds = renewTime === undefined ? Number.POSITIVE_INFINITY : (clock.now() - Date.parse(renewTime)) / 1000;
  const text = `${holderIdentity} renewed the Lease ${namespace}/${name} ${Math.max(0, Math.round(ageSeconds))} s ago`;
  return [
    ageSeconds > leaseDurationSeconds
      ? failed(check, `${text}, and must do so every ${leaseDurationSeconds} s`, fix)
      : ok(check, text),
  ];
}

/** Compares the versions of the deployed objects, the generated files and the installed framework. */
export async function checkVersions({
  client,
  clock,
  operator,
  generated,
  signal,
}: ClusterSession): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  const own = ownVersion();
  if (generated !== undefined) {
    const check = 'generated files';
    const files = await compareWithDisk(generated.files, generated.folder);
    const stale = files.filter(({ state }) => state !== 'current');
    if (files.every(({ state }) => state === 'missing'))
      results.push(ok(check, 'they are not written, and deploy does not need them'));
    else if (stale.length === 0) results.push(ok(check, `they match evenkeel ${own}`));
    else {
      const paths = stale.map(({ path, state }) => `${path} is ${state}`);
      results.push(
        warning(check, `they do not match evenkeel ${own} and the current classes`, 'run "evenkeel generate"', paths),
      );
    }
  }
  if (operator === undefined) return results;
  const record = new DeploymentRecord({ client, clock, operator, manager: managerOf(operator) });
  const check = 'deployed version';
  const { exists, version } = await record.read(signal);
  if (!exists)
    results.push(
      warning(check, 'the operator was not deployed by "evenkeel deploy"', 'ignore this if other tools deploy it'),
    );
  else if (version === own) results.push(ok(check, `it was deployed by evenkeel ${own}`));
  else
    results.push(
      warning(check, `it was deployed by evenkeel ${version}, and ${own} is installed`, 'run "evenkeel deploy"'),
    );
  return results;
}
