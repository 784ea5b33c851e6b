import { Environment } from '@evenkeel/testing';
import { expect, it } from '@jest/globals';
import { Deployment, Job } from 'evenkeel';

it('has a Job that fails', async () => {
  await using environment = await Environment.create({ variables: {} });
  const { client } = environment;
  await client.create(Job, {
    metadata: { name: 'backup', namespace: 'default' },
    spec: {
      backoffLimit: 0,
      template: {
        metadata: { annotations: { 'pods.evenkeel.dev/exit-code': '3', 'pods.evenkeel.dev/log': 'disk is full' } },
        spec: { restartPolicy: 'Never', containers: [{ name: 'backup', image: 'backup:1.0' }] },
      },
    },
  });
  await environment.eventually(async () => {
    const { status } = await client.get(Job, 'default/backup');
    expect(status?.conditions?.map(({ type }) => type)).toContain('Failed');
  });
});

it('has a Deployment whose pods never become ready', async () => {
  await using environment = await Environment.create({ variables: {} });
  const { client } = environment;
  const labels = { app: 'web' };
  await client.create(Deployment, {
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations: { 'pods.evenkeel.dev/ready-after': 'never' } },
        spec: { containers: [{ name: 'web', image: 'web:1.0' }] },
      },
    },
  });
  await environment.eventually(async () => {
    const { status } = await client.get(Deployment, 'default/web');
    expect([status?.replicas, status?.readyReplicas, status?.unavailableReplicas]).toEqual([1, undefined, 1]);
  });
});
