import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigMap, Deployment, Pod, Secret, Service, ServiceAccount } from '@evenkeel/kinds';
import { Environment, type EnvironmentOptions } from '../environment.ts';
import { podOf, script, server, waiting } from './pod-runner.fixture.ts';
import { PodRunner } from './pod-runner.ts';

/** The behaviour that tests may rely on, on every server. `hasControllers`: Deployments create pods. */
export function podRunnerContract(options: () => Promise<EnvironmentOptions>, hasControllers: boolean): void {
  let environment: Environment;
  let pods: PodRunner;
  let namespace: string;

  beforeAll(async () => {
    environment = await Environment.create(await options());
    namespace = await environment.createNamespace();
    pods = await PodRunner.start({
      environment,
      select: (pod) => pod.metadata.labels?.['simulated'] !== 'true',
      run: {
        server,
        waiting,
        printing: script('console.log(JSON.stringify({ env: process.env, args: process.argv.slice(1) }))'),
        failing: script(`console.error('no database'); process.exit(3)`),
        first: script(`require('fs').appendFileSync(process.argv[1] + '/steps', 'first ')`),
        second: script(`require('fs').appendFileSync(process.argv[1] + '/steps', 'second ')`),
        stubborn: script(`process.on('SIGTERM', () => {}); console.log('running'); setInterval(() => {}, 1000)`),
      },
    });
  });
  afterAll(() => environment?.close());

  const create = (name: string, spec: object, metadata: object = {}): Promise<Pod> =>
    environment.client.create(Pod, podOf(namespace, name, spec, metadata) as never);
  const get = (name: string): Promise<Pod> => environment.client.get(Pod, `${namespace}/${name}`);
  const eventually = <T>(assertion: () => Promise<T>): Promise<T> =>
    environment.eventually(assertion, { timeout: '20s' });
  const container = (image: string, more: object = {}): object => ({ containers: [{ name: 'main', image, ...more }] });
  const untilPhase = (name: string, phase: string): Promise<Pod> =>
    eventually(async () => {
      const pod = await get(name);
      expect(pod.status?.phase).toBe(phase);
      return pod;
    });
  const untilReady = (name: string): Promise<Pod> =>
    eventually(async () => {
      const pod = await get(name);
      expect(pod.status?.conditions?.find(({ type }) => type === 'Ready')?.status).toBe('True');
      return pod;
    });
  const untilLogged = (name: string, text: string): Promise<void> =>
    eventually(async () => expect(pods.logs(`${namespace}/${name}`)).toBe(text));
  const untilGone = (name: string): Promise<void> =>
    eventually(async () => {
      await expect(get(name)).rejects.toMatchObject({ reason: 'NotFound' });
    });

  it('runs a container on its node, at an address of this machine, until a probe finds it ready', async () => {
    await create('web', container('server', { readinessProbe: { httpGet: { port: 8080 } } }));
    const { spec, status } = await untilReady('web');
    expect(spec?.nodeName).toBe(pods.nodeName);
    expect(status).toMatchObject({
      phase: 'Running',
      hostIP: '127.0.0.1',
      containerStatuses: [{ name: 'main', ready: true, started: true, restartCount: 0, lastState: {} }],
    });
    expect(status?.containerStatuses?.[0]?.state?.running?.startedAt).toMatch(/^2.*Z$/);
    expect(status?.conditions?.find(({ type }) => type === 'PodScheduled')?.status).toBe('True');
    const answer = await fetch(`http://${status?.podIP}:8080`);
    expect(await answer.text()).toBe('hello');
    await untilLogged('web', 'listening\n');
  });

  it('passes variables, arguments and volumes, and replaces the paths of volumes', async () => {
    const { client } = environment;
    await client.create(ConfigMap, { metadata: { name: 'settings', namespace }, data: { color: 'blue', size: '3' } });
    await client.create(Secret, { metadata: { name: 'login', namespace }, stringData: { password: 'secret' } });
    await create(
      'printer',
      {
        restartPolicy: 'Never',
        volumes: [
          { name: 'settings', configMap: { name: 'settings', items: [{ key: 'color', path: 'nested/color' }] } },
          {
            name: 'all',
            projected: {
              sources: [
                { secret: { name: 'login' } },
                { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
              ],
            },
          },
          { name: 'scratch', emptyDir: {} },
        ],
        ...container('printing', {
          args: ['--config=/etc/settings/nested/color', '/work', '$(COLOR)$$(COLOR)', '$(MISSING)'],
          resources: { limits: { cpu: '1500m', memory: '64Mi' } },
          env: [
            { name: 'COLOR', valueFrom: { configMapKeyRef: { name: 'settings', key: 'color' } } },
            { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'login', key: 'password' } } },
            { name: 'NONE', valueFrom: { secretKeyRef: { name: 'login', key: 'none', optional: true } } },
            { name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            { name: 'ADDRESS', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
            { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
            { name: 'MEMORY', valueFrom: { resourceFieldRef: { resource: 'limits.memory', divisor: '1Mi' } } },
            { name: 'BOTH', value: '$(NAME) is $(COLOR)' },
          ],
          envFrom: [{ prefix: 'MAP_', configMapRef: { name: 'settings' } }],
          volumeMounts: [
            { name: 'settings', mountPath: '/etc/settings' },
            { name: 'all', mountPath: '/all' },
            { name: 'scratch', mountPath: '/work', subPath: 'below' },
          ],
        }),
      },
      { labels: { app: 'printer' } },
    );
    const { status } = await untilPhase('printer', 'Succeeded');
    const printed = JSON.parse(pods.logs(`${namespace}/printer`)) as { env: Record<string, string>; args: string[] };
    expect(printed.env).toMatchObject({
      ...{ COLOR: 'blue', PASSWORD: 'secret', NAME: 'printer', ADDRESS: status?.podIP, CPU: '2', MEMORY: '64' },
      ...{ BOTH: 'printer is blue', MAP_color: 'blue', MAP_size: '3', HOSTNAME: 'printer' },
    });
    expect(printed.env).not.toHaveProperty('NONE');
    const path = (inside: string): string => pods.path(`${namespace}/printer`, inside);
    expect(printed.args).toEqual([
      `--config=${path('/etc/settings/nested/color')}`,
      path('/work'),
      'blue$(COLOR)',
      '$(MISSING)',
    ]);
    expect(await readFile(path('/etc/settings/nested/color'), 'utf8')).toBe('blue');
    expect(await readFile(path('/all/password'), 'utf8')).toBe('secret');
    expect(await readFile(path('/all/labels'), 'utf8')).toBe('app="printer"');
    expect(path('/work').endsWith(join('scratch', 'below'))).toBe(true);
    expect(path('/elsewhere')).toBe('/elsewhere');
  });

  it('runs init containers one after another before the others', async () => {
    const mount = { args: ['/work'], volumeMounts: [{ name: 'work', mountPath: '/work' }] };
    await create('ordered', {
      volumes: [{ name: 'work', emptyDir: {} }],
      initContainers: [
        { name: 'one', image: 'first', ...mount },
        { name: 'two', image: 'second', ...mount },
      ],
      ...container('waiting', mount),
    });
    const { status } = await untilReady('ordered');
    expect(status?.initContainerStatuses).toMatchObject([
      { name: 'one', ready: true, state: { terminated: { exitCode: 0, reason: 'Completed' } } },
      { name: 'two', ready: true, state: { terminated: { exitCode: 0 } } },
    ]);
    expect(await readFile(join(pods.path(`${namespace}/ordered`, '/work'), 'steps'), 'utf8')).toBe('first second ');
  });

  it('restarts a container that is killed, and counts it', async () => {
    await create('killed', container('waiting'));
    await untilLogged('killed', 'running\n');
    pods.kill(`${namespace}/killed`);
    const { status } = await eventually(async () => {
      const pod = await untilReady('killed');
      expect(pod.status?.containerStatuses?.[0]?.restartCount).toBe(1);
      return pod;
    });
    expect(status?.containerStatuses?.[0]?.lastState?.terminated).toMatchObject({ exitCode: 137, reason: 'Error' });
    expect(pods.logs(`${namespace}/killed`, 'main', { previous: true })).toBe('running\n');
  });

  it('restarts a container whose image changes, with its files, and at once in a back-off', async () => {
    const change = (name: string, image: string): Promise<Pod> =>
      environment.client.patch(Pod, `${namespace}/${name}`, {
        json: [{ op: 'replace', path: '/spec/containers/0/image', value: image }],
      });
    const mount = { args: ['/work'], volumeMounts: [{ name: 'work', mountPath: '/work' }] };
    const volumes = [{ name: 'work', emptyDir: {} }];
    await create('changed', { restartPolicy: 'Never', volumes, ...container('waiting', mount) });
    await untilLogged('changed', 'running\n');
    await change('changed', 'first');
    const { status } = await untilPhase('changed', 'Succeeded');
    expect(status?.containerStatuses?.[0]).toMatchObject({ image: 'first', restartCount: 1 });
    expect(pods.logs(`${namespace}/changed`, 'main', { previous: true })).toBe('running\nstopping\n');
    expect(await readFile(join(pods.path(`${namespace}/changed`, '/work'), 'steps'), 'utf8')).toBe('first ');

    await create('corrected', container('failing'));
    await eventually(async () =>
      expect((await get('corrected')).status?.containerStatuses?.[0]?.state?.waiting?.reason).toBe('CrashLoopBackOff'),
    );
    await change('corrected', 'waiting');
    expect((await untilReady('corrected')).status?.containerStatuses?.[0]).toMatchObject({
      image: 'waiting',
      restartCount: 2,
    });
  });

  it('reports a container that fails again and again, with its log in the message of a failed wait', async () => {
    await create('broken', container('failing', { terminationMessagePolicy: 'FallbackToLogsOnError' }));
    const { status } = await eventually(async () => {
      const pod = await get('broken');
      expect(pod.status?.containerStatuses?.[0]?.state?.waiting?.reason).toBe('CrashLoopBackOff');
      return pod;
    });
    expect(status?.phase).toBe('Running');
    expect(status?.containerStatuses?.[0]).toMatchObject({
      ready: false,
      restartCount: 1,
      state: { waiting: { message: `back-off 10s restarting failed container=main pod=broken_${namespace}` } },
      lastState: { terminated: { exitCode: 3, reason: 'Error', message: 'no database' } },
    });
    const failed = environment.eventually(() => Promise.reject(new Error('not there')), { timeout: '10ms' });
    await expect(failed).rejects.toThrow(
      `pod ${namespace}/broken (Running)\n  container main: waiting: CrashLoopBackOff: back-off 10s restarting failed container=main pod=broken_${namespace}; restarts: 1\n    no database`,
    );
    await environment.client.delete(Pod, `${namespace}/broken`);
    await untilGone('broken');
  });

  it('ends a pod by its restart policy', async () => {
    await create('once', { restartPolicy: 'Never', ...container('failing') });
    const { status } = await untilPhase('once', 'Failed');
    expect(status?.containerStatuses?.[0]?.state?.terminated?.exitCode).toBe(3);
    await create('done', { restartPolicy: 'OnFailure', ...container('printing') });
    await untilPhase('done', 'Succeeded');
  });

  it('stops a deleted pod by SIGTERM, and by SIGKILL at the end of the grace period', async () => {
    const { client } = environment;
    await create('polite', container('waiting'));
    await create('stubborn', { terminationGracePeriodSeconds: 1, ...container('stubborn') });
    await untilLogged('polite', 'running\n');
    await untilLogged('stubborn', 'running\n');
    await client.delete(Pod, `${namespace}/polite`);
    const deletedMs = performance.now();
    expect((await client.delete(Pod, `${namespace}/stubborn`))?.metadata.deletionGracePeriodSeconds).toBe(1);
    await untilGone('polite');
    expect(pods.logs(`${namespace}/polite`)).toBe('running\nstopping\n');
    await untilGone('stubborn');
    expect(performance.now() - deletedMs).toBeGreaterThan(999);
  });

  it('gives a process the identity of its ServiceAccount', async () => {
    await environment.client.create(ServiceAccount, { metadata: { name: 'robot', namespace } });
    await create('robot', { serviceAccountName: 'robot', ...container('waiting') });
    await untilReady('robot');
    const whoAmI = `const { token } = { token: require('fs').readFileSync(require('path').dirname(process.env.KUBECONFIG) + '/token', 'utf8') };
      console.log(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString() || '{}').sub ?? 'opaque', process.env.KUBERNETES_SERVICE_PORT !== undefined)`;
    const { exitCode, output } = await pods.exec(`${namespace}/robot`, [process.execPath, '-e', whoAmI]);
    expect({ exitCode, output }).toEqual({
      exitCode: 0,
      output: expect.stringMatching(new RegExp(`^(opaque|system:serviceaccount:${namespace}:robot) true\n$`)),
    });
  });

  it('waits for a missing ConfigMap, and says so', async () => {
    const { client } = environment;
    const env = [{ name: 'LATE', valueFrom: { configMapKeyRef: { name: 'late', key: 'value' } } }];
    await create('late', container('server', { env }));
    await eventually(async () =>
      expect((await get('late')).status).toMatchObject({
        phase: 'Pending',
        containerStatuses: [
          { state: { waiting: { reason: 'CreateContainerConfigError', message: 'configmap "late" not found' } } },
        ],
      }),
    );
    await client.create(ConfigMap, { metadata: { name: 'late', namespace }, data: { value: 'now' } });
    await untilReady('late');
  });

  it('names the image that has no process', async () => {
    await create('unknown', container('registry.example.com/unknown:1.0'));
    await eventually(async () =>
      expect((await get('unknown')).status?.containerStatuses?.[0]?.state?.waiting).toEqual({
        reason: 'ErrImagePull',
        message:
          'no process for image "registry.example.com/unknown:1.0"; add "main" to the option run of the PodRunner',
      }),
    );
  });

  it('restarts a container whose liveness probe fails', async () => {
    const livenessProbe = { tcpSocket: { port: 9 }, periodSeconds: 1, failureThreshold: 1 };
    await create('dead', container('waiting', { livenessProbe }));
    await eventually(async () =>
      expect((await get('dead')).status?.containerStatuses?.[0]?.restartCount).toBeGreaterThan(0),
    );
  });

  it('leaves pods alone that it does not select', async () => {
    await create('simulated', container('server'), { labels: { simulated: 'true' } });
    const key = `${namespace}/simulated`;
    if (hasControllers) expect((await untilPhase('simulated', 'Running')).spec?.nodeName).toBe('node-0');
    else expect((await get('simulated')).spec?.schedulerName).toBe('default-scheduler');
    expect(() => pods.logs(key)).toThrow(expect.objectContaining({ code: 'pod-not-run' }));
    const late = PodRunner.start({ environment, select: { simulated: 'true' }, run: {} });
    if (hasControllers) await expect(late).rejects.toMatchObject({ code: 'pods-already-run' });
    else await (await late).close();
  });

  if (!hasControllers) return;

  it('keeps the files of a claim for the next pod of a Deployment behind a Service', async () => {
    const { client } = environment;
    const labels = { app: 'shop' };
    const claim = { persistentVolumeClaim: { claimName: 'data' } };
    const template = {
      metadata: { labels },
      spec: {
        volumes: [{ name: 'data', ...claim }],
        containers: [
          {
            ...{ name: 'web', image: 'server', ports: [{ name: 'http', containerPort: 8080 }] },
            readinessProbe: { httpGet: { port: 'http' } },
            volumeMounts: [{ name: 'data', mountPath: '/data' }],
          },
        ],
      },
    };
    await client.create(Service, {
      metadata: { name: 'shop', namespace },
      spec: { selector: labels, ports: [{ port: 80, targetPort: 'http' }] },
    });
    const key = `${namespace}/shop`;
    await expect(pods.addressOf(key)).rejects.toMatchObject({ code: 'service-without-endpoints' });
    const deployment = { replicas: 1, selector: { matchLabels: labels }, template };
    await client.create(Deployment, { metadata: { name: 'shop', namespace }, spec: deployment } as never);
    await eventually(async () => expect((await client.get(Deployment, key)).status?.availableReplicas).toBe(1));
    const answer = await fetch(`http://${await pods.addressOf(key)}`);
    expect(await answer.text()).toBe('hello');
    const only = async (): Promise<Pod> => {
      const { items } = await client.list(Pod, { namespace, labels: { app: 'shop' } });
      const [pod, ...more] = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
      expect(more).toEqual([]);
      return pod as Pod;
    };
    const first = await only();
    const write = `require('fs').writeFileSync(process.argv[1], 'kept')`;
    await pods.exec(first, [process.execPath, '-e', write, '--', '/data/file']);
    await client.delete(Pod, `${namespace}/${first.metadata.name}`);
    await eventually(async () => {
      const next = await only();
      expect(next.metadata.name).not.toBe(first.metadata.name);
      expect(await readFile(pods.path(next, '/data/file'), 'utf8')).toBe('kept');
    });
  });
}
