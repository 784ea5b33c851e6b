// Starts the operator of another folder on an embedded server, and prints how far it gets.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { ConfigMap, type CustomResourceDefinition } from '@evenkeel/kinds';
import { Environment, eventually } from '@evenkeel/testing';
import { parse } from 'yaml';
import { Site } from './site.ts';

const [program = '', definition = ''] = process.argv.slice(2);
const environment = await Environment.create({ kind: 'embedded' });
await environment.install(parse(await readFile(definition, 'utf8')) as CustomResourceDefinition);
const operator = spawn(process.execPath, [program], {
  env: { KUBECONFIG: await environment.kubeconfig() },
  // Prints its log if it does not converge.
  stdio: ['ignore', 2, 2],
});
const ended = once(operator, 'exit');
const failed = ended.then(([exitCode]) => Promise.reject(new Error(`the operator exited with ${exitCode}`)));
const { client } = environment;
await client.create(Site, {
  apiVersion: 'packed.example.com/v1',
  kind: 'Site',
  metadata: { name: 'web', namespace: 'default' },
  spec: { text: 'Hello!', copies: 2 },
});
const within = { timeout: '90s' } as const;
const map = await Promise.race([failed, eventually(() => client.get(ConfigMap, 'default/web-1'), within)]);
const status = async () => {
  const { published } = (await client.get(Site, 'default/web')).status ?? {};
  if (published === undefined) throw new Error('the status is not written');
  return published;
};
const published = await Promise.race([failed, eventually(status, within)]);
failed.catch(() => undefined);
operator.kill('SIGTERM');
const [exitCode] = await ended;
await environment.close();
console.log(JSON.stringify({ text: map.data?.['text'], published, exitCode }));
