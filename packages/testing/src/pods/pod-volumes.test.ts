import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiServer } from '@evenkeel/apiserver';
import { createClient } from '@evenkeel/client';
import type { Container, Pod } from '@evenkeel/kinds';
import { ContainerConfigError, PodSources } from './pod-sources.ts';
import { PodVolumes } from './pod-volumes.ts';

describe('PodVolumes', () => {
  let folder: string;
  let server: ApiServer;
  let volumes: PodVolumes;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evenkeel-volumes-'));
    server = await ApiServer.create({ controllers: false });
    volumes = new PodVolumes({
      folder,
      claims: join(folder, 'claims'),
      sources: new PodSources(createClient(server.transport()), 'default'),
      addresses: { podIP: '127.0.0.2', hostIP: '127.0.0.1' },
      ca: '',
      token: async () => '',
    });
    const pod = { metadata: { name: 'a', namespace: 'default' }, spec: { volumes: [{ name: 'data', emptyDir: {} }] } };
    await volumes.write(pod as unknown as Pod);
  });

  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const container = {
    name: 'main',
    volumeMounts: [{ name: 'data', mountPath: '/data', subPathExpr: 'of/$(TENANT)' }],
  } as Container;

  it.each(['a', '..a', 'a/b'])('mounts the sub-path of the variable %j', (tenant) => {
    const path = volumes.path(container, '/data/file', new Map([['TENANT', tenant]]));
    expect(path).toBe(join(folder, 'data/of', tenant, 'file'));
  });

  it.each(['..', '../../../etc', 'a/../../..'])(
    'rejects the variable %j, which leads out of the sub-path',
    (tenant) => {
      const variables = new Map([['TENANT', tenant]]);
      expect(() => volumes.path(container, '/data/file', variables)).toThrow(ContainerConfigError);
    },
  );
});
