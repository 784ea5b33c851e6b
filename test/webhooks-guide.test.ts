import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { admit } from '@evenkeel/testing';
import { expect, it } from '@jest/globals';
import { createManager } from 'evenkeel';
import { Site } from './webhooks-guide-site.fixture.ts';
import { SiteDefaults, SiteValidator } from './webhooks-guide-webhooks.fixture.ts';

it('sets the host', async () => {
  const { object } = await admit(createManager, SiteDefaults, { object: { metadata: { name: 'blog' }, spec: {} } });
  expect(object).toMatchObject({ spec: { host: 'blog.example.com' } });
});

it('rejects the deletion of a protected site', async () => {
  const definition = await customResourceDefinitionOf(Site, await readSources('test/webhooks-guide-site.fixture.ts'));
  const annotations = { 'web.example.com/protected': 'true' };
  const { allowed, status } = await admit(createManager, SiteValidator, {
    operation: 'delete',
    oldObject: { metadata: { name: 'blog', annotations }, spec: {} },
    definitions: [definition],
  });
  expect([allowed, status?.code]).toEqual([false, 403]);
});
