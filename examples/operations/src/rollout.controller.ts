import type { PodTemplateSpec, ReconcileContext, StrategicMergePatch } from 'evenkeel';
import { controllerFor, Deployment, ObjectKey } from 'evenkeel';
import type { OperationProgress, OperationSteps } from 'evenkeel/lifecycle';
import { operationController } from './operation.controller.ts';
import { type Operation, Restart, Upgrade } from './operations.ts';

/** On a Deployment: the uid of the operation that changed its pods last. It is written with the change, so a change is made once. */
const changedBy = 'operations.example.com/changed-by';
/** On the pods of a Deployment. Another value replaces them. */
const restartedBy = 'operations.example.com/restarted-by';

export const restartController = operationController(
  Restart,
  controllerFor(Restart).rbac(Deployment, ['patch'], { reason: 'restarts the pods' }),
  (restart, deployment, context) =>
    rolloutOf(restart, deployment, context, {
      value: restart.metadata.uid ?? '',
      read: ({ metadata }) => metadata?.annotations?.[restartedBy] ?? '',
      write: (value) => ({ metadata: { annotations: { [restartedBy]: value || null } } }),
    }),
);

export const upgradeController = operationController(
  Upgrade,
  controllerFor(Upgrade).rbac(Deployment, ['patch'], { reason: 'sets the image' }),
  (upgrade, deployment, context) => {
    const { image, container = deployment?.spec?.template.spec?.containers[0]?.name ?? '' } = upgrade.spec;
    return rolloutOf(upgrade, deployment, context, {
      value: image,
      read: ({ spec }) => spec?.containers.find(({ name }) => name === container)?.image,
      write: (value) => ({ spec: { containers: [{ name: container, image: value }] } }),
    });
  },
);

/** A change of one value in the pods of a Deployment. */
interface PodChange {
  readonly value: string;
  /** Returns the present value: empty if there is none, and undefined if there cannot be one. */
  read(template: PodTemplateSpec): string | undefined;
  write(value: string): StrategicMergePatch<PodTemplateSpec>;
}

/** Changes the pods of a Deployment once, and waits until it has replaced them. */
function rolloutOf(
  { metadata: { uid = '', namespace }, spec, status }: Operation,
  deployment: Deployment | undefined,
  { client }: ReconcileContext,
  { value, read, write }: PodChange,
): OperationSteps {
  const present = deployment?.spec === undefined ? undefined : read(deployment.spec.template);
  const isChanged = deployment?.metadata.annotations?.[changedBy] === uid;
  const patch = (by: string | null, next: string): Promise<Deployment> => {
    const strategic = { metadata: { annotations: { [changedBy]: by } }, spec: { template: write(next) } };
    return client.patch(Deployment, new ObjectKey(spec.deployment, namespace), { strategic });
  };
  return {
    prepare() {
      if (deployment === undefined) return `Deployment ${spec.deployment} does not exist`;
      if (present === undefined) return `Deployment ${spec.deployment} has no such container`;
      Object.assign(status, { deploymentUid: deployment.metadata.uid, previous: present });
      return undefined;
    },
    async advance() {
      if (deployment === undefined || deployment.metadata.uid !== status.deploymentUid)
        return { state: 'failed', message: `Deployment ${spec.deployment} was deleted` };
      return progressOf(isChanged ? deployment : await patch(uid, value), status.startTime ?? '');
    },
    async undo() {
      // A value that somebody else has set since stays.
      if (isChanged && present === value) await patch(null, status.previous ?? '');
    },
  };
}

function progressOf({ metadata, spec, status = {} }: Deployment, since: string): OperationProgress {
  const { observedGeneration, replicas = 0, updatedReplicas = 0, availableReplicas = 0, conditions = [] } = status;
  const wanted = spec?.replicas ?? 1;
  const isObserved = observedGeneration === metadata.generation;
  const message = `${isObserved ? updatedReplicas : 0} of ${wanted} pods are new, ${availableReplicas} are available`;
  if (!isObserved) return { state: 'running', message };
  const failure = conditions.find(({ type, status: is }) => type === 'Progressing' && is === 'False');
  // The Deployment keeps the failure of an earlier change until it makes progress.
  const isNew = Date.parse(failure?.lastUpdateTime ?? '') > Date.parse(since);
  if (failure?.message !== undefined && isNew) return { state: 'failed', message: failure.message };
  const isComplete = [updatedReplicas, replicas, availableReplicas].every((count) => count === wanted);
  return { state: isComplete ? 'succeeded' : 'running', message };
}
