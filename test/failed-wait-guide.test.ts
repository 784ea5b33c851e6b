import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { Environment } from '@evenkeel/testing';
import { ConfigMap, createManager } from 'evenkeel';
import { Greeting, GreetingController } from './greeting.fixture.ts';
import { root } from './imports.fixture.ts';

const guide = readFileSync(join(root, 'docs/testing.md'), 'utf8');
const definition = await customResourceDefinitionOf(Greeting, await readSources('test/greeting.fixture.ts'));

/** Returns a message without what differs between runs, with the file names of the guide. */
function normal(message: string): string {
  return message
    .replaceAll('test/greeting.fixture.ts', 'src/greeting.ts')
    .replace(/test\/failed-wait-guide\.test\.ts:\d+/g, 'src/greeting.test.ts:LINE')
    .replace(/src\/greeting\.test\.ts:\d+/g, 'src/greeting.test.ts:LINE')
    .replace(/\d+\.\d\d s ago/g, 'AGE ago')
    .replace(/\d+ attempts/g, 'N attempts')
    .replace(/\b\d+(?:\.\d)? (?:ms|s)\b/g, 'TIME')
    .replace(/\d+ (times|runs|failed)/g, 'N $1');
}

it('a failed wait prints what the guide shows', async () => {
  await using environment = await Environment.create({ variables: {}, definitions: [definition] });
  await environment.run(async (connection) => {
    const manager = await createManager({ ...connection, controllers: [GreetingController] });
    await manager.start();
    return manager;
  });
  const { client } = environment;
  const metadata = { name: 'hello', namespace: 'default' };
  await client.create(Greeting, { metadata, spec: { words: ['World'] } });
  const failed = environment.eventually(() => client.get(ConfigMap, 'default/hello-World'), { timeout: '4s' });
  const { message } = await failed.then(
    () => new Error('it did not fail'),
    (error: Error) => error,
  );
  const [, shown = ''] = /^```text\n(assertion still .*?)\n```$/ms.exec(guide) ?? [];
  expect(normal(message)).toBe(normal(shown));
  // The place of the guide's operator is the line in its file.
  expect(message.replaceAll('test/greeting.fixture.ts', 'src/greeting.ts')).toContain(
    /src\/greeting\.ts:\d+/.exec(shown)?.[0] ?? 'no place',
  );
});
