import { Environment, PodRunner } from '@evenkeel/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Deployment, Pod, Service } from 'evenkeel';

let environment: Environment;
let pods: PodRunner;

beforeAll(async () => {
  environment = await Environment.create();
  const web = `require('node:http').createServer((request, response) => response.end(process.env.GREETING))
    .listen(8080, process.env.EVENKEEL_POD_IP)`;
  pods = await PodRunner.start({
    environment,
    select: { app: 'web' },
    run: { 'example.com/web': { command: ['node', '-e', web] } },
  });
});

afterAll(() => environment?.close());

it('serves the greeting, also after a crash', async () => {
  const { client } = environment;
  const namespace = await environment.createNamespace();
  const labels = { app: 'web' };
  const container = {
    name: 'web',
    image: 'example.com/web:1.0',
    env: [{ name: 'GREETING', value: 'hello' }],
    readinessProbe: { httpGet: { port: 8080 } },
  };
  await client.create(Service, {
    metadata: { name: 'web', namespace },
    spec: { selector: labels, ports: [{ port: 8080 }] },
  });
  await client.create(Deployment, {
    metadata: { name: 'web', namespace },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  });
  const greeting = async (): Promise<string> => {
    const address = await pods.addressOf(`${namespace}/web`);
    return await (await fetch(`http://${address}`)).text();
  };
  expect(await environment.eventually(greeting, { timeout: '20s' })).toBe('hello');
  const [pod] = (await client.list(Pod, { namespace })).items;
  if (pod === undefined) throw new Error('no pod');
  pods.kill(pod);
  expect(await environment.eventually(greeting, { timeout: '20s' })).toBe('hello');
}, 60_000);
