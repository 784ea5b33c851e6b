import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { Environment } from '@evenkeel/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createManager, ManualClock } from 'evenkeel';
import { Renewal, RenewalController } from './renewal.fixture.ts';

const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
let environment: Environment;

beforeAll(async () => {
  const definition = await customResourceDefinitionOf(Renewal, await readSources('test/renewal.fixture.ts'));
  environment = await Environment.create({ definitions: [definition], clock });
  await environment.run(async (connection) => {
    const manager = await createManager({ ...connection, controllers: [RenewalController] });
    await manager.start();
    return manager;
  });
});

afterAll(() => environment?.close());

it('renews a token when it expires, and not before', async () => {
  const namespace = await environment.createNamespace();
  const renewedAt = async () => (await environment.client.get(Renewal, `${namespace}/token`)).status?.renewedAt;
  await environment.client.create(Renewal, { metadata: { name: 'token', namespace }, spec: { days: 30 } });
  await environment.eventually(async () => expect(await renewedAt()).toBe('2026-01-01T00:00:00.000Z'));
  await clock.advance(29 * 86_400_000);
  expect(await renewedAt()).toBe('2026-01-01T00:00:00.000Z');
  await clock.advance(86_400_000);
  await environment.eventually(async () => expect(await renewedAt()).toBe('2026-01-31T00:00:00.000Z'));
});
