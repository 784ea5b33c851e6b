import { isJsonObject } from '@evenkeel/apimachinery/json';
import { readBody } from '@evenkeel/client';
import { defaultMinServerVersion } from '@evenkeel/core/webhook';
import { type CheckResult, failed, ok, warning } from '../cluster/check-result.ts';
import type { ClusterSession } from '../cluster/cluster-session.ts';

const check = 'server version';

/** Checks that the cluster is not older than the operator needs. */
export async function checkServerVersion({ transport, operator, signal }: ClusterSession): Promise<CheckResult> {
  const needed = operator?.minServerVersion ?? defaultMinServerVersion;
  const response = await transport.request({ method: 'GET', path: '/version', signal });
  const text = (await readBody(response)).toString('utf8');
  const version: unknown = response.status === 200 ? JSON.parse(text) : undefined;
  // Some providers add a suffix, such as 31+.
  const [major, minor] = isJsonObject(version)
    ? [version['major'], version['minor']].map((part) => Number.parseInt(String(part), 10))
    : [];
  if (major === undefined || minor === undefined || Number.isNaN(major + minor)) {
    return warning(check, `the server does not report its version (${response.status})`, 'check "kubectl version"');
  }
  const [neededMajor = 1, neededMinor = 0] = needed.split('.').map(Number);
  const found = `Kubernetes ${major}.${minor}; the operator needs ${needed} or newer`;
  const isNewEnough = major > neededMajor || (major === neededMajor && minor >= neededMinor);
  return isNewEnough
    ? ok(check, found)
    : failed(check, found, 'upgrade the cluster, or lower minServerVersion in defineOperator()');
}
