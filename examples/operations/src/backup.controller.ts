import { controllerFor, Job } from 'evenkeel';
import type { OperationProgress } from 'evenkeel/lifecycle';
import { operationController } from './operation.controller.ts';
import { Backup } from './operations.ts';

export const backupController = operationController(
  Backup,
  controllerFor(Backup).owns(Job),
  (backup, deployment, context) => ({
    prepare: () => (deployment ? undefined : `Deployment ${backup.spec.deployment} does not exist`),
    advance: async () => progressOf(await context.apply(jobFor(backup, false))),
    // This deletes the pods of the Job.
    undo: () => context.apply(jobFor(backup, true)),
  }),
);

function progressOf({ metadata: { name }, status = {} }: Job): OperationProgress {
  const { failed = 0, conditions = [] } = status;
  const end = conditions.find(({ type, status: is }) => is === 'True' && (type === 'Complete' || type === 'Failed'));
  if (end === undefined) return { state: 'running', message: `Job ${name} runs, ${failed} of its pods have failed` };
  if (end.type === 'Complete') return { state: 'succeeded', message: `Job ${name} has completed` };
  return { state: 'failed', message: `Job ${name} has failed: ${end.message}` };
}

function jobFor({ metadata: { name }, spec: { deployment, image, command, claim } }: Backup, suspend: boolean): Job {
  const environment = { BACKUP: name, DEPLOYMENT: deployment };
  const container = {
    name: 'backup',
    image,
    command,
    env: Object.entries(environment).map(([key, value]) => ({ name: key, value })),
    volumeMounts: [{ name: 'backups', mountPath: '/backups' }],
  };
  const volumes = [{ name: 'backups', persistentVolumeClaim: { claimName: claim } }];
  const template = { spec: { restartPolicy: 'Never' as const, containers: [container], volumes } };
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec: { suspend, backoffLimit: 3, template } };
}
