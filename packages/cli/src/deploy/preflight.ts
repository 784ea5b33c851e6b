import { EvenkeelError, parseApiVersion, type StatusError } from '@evenkeel/core';
import type { ClusterSession } from '../cluster/cluster-session.ts';
import { forEachConcurrently } from '../cluster/for-each-concurrently.ts';
import { isNamespace, referenceOf } from '../cluster/object-name.ts';
import type { ManifestObject } from '../manifests/generated-file.ts';
import { definitionsIn } from './definitions-in.ts';

/**
 * Lets the API server check all objects before the first one is written, so that a deployment does not stop in the middle. Throws
 * `apply-conflict` with all conflicts, `kind-not-served`, and rejections of invalid objects.
 *
 * Not checked: objects in a namespace that does not exist yet, and kinds whose CRD is among the objects. A request that fails for
 * another reason, such as a webhook without support for dry runs or a role that does not exist yet, does not fail here: the order of
 * the objects may solve it.
 */
export async function preflight(
  { cluster, signal }: Pick<ClusterSession, 'cluster' | 'signal'>,
  objects: readonly ManifestObject[],
  force: boolean,
): Promise<void> {
  const namespaces = new Set<string>();
  for (const object of objects.filter(isNamespace)) {
    if ((await cluster.get(referenceOf(object), signal)) === undefined) namespaces.add(object.metadata.name);
  }
  const newGroups = new Set(definitionsIn(objects).map(({ spec }) => spec.group));
  const checked = objects.filter(
    ({ apiVersion, metadata: { namespace = '' } }) =>
      !namespaces.has(namespace) && !newGroups.has(parseApiVersion(apiVersion).group),
  );
  const problems = new Map<ManifestObject, EvenkeelError | StatusError>();
  await forEachConcurrently(checked, async (object) => {
    const problem = await cluster.checkApply(object, { force, signal });
    if (problem !== undefined) problems.set(object, problem);
  });
  const found = objects.flatMap((object) => problems.get(object) ?? []);
  const [first] = found;
  if (first === undefined) return;
  if (found.length === 1 || !(first instanceof EvenkeelError)) throw first;
  const alike = found.filter((problem) => problem instanceof EvenkeelError && problem.code === first.code);
  throw new EvenkeelError(first.code, alike.map(({ message }) => message).join('\n'), { cause: first });
}
