import type { Client } from '@evenkeel/client';
import { SystemClock } from '@evenkeel/core';
import { CustomResourceDefinition } from '@evenkeel/kinds';
import { Environment } from '@evenkeel/testing';
import { Narrator } from '../narrator.ts';
import { InstalledDefinitions } from './installed-definitions.ts';

function definition(...fields: readonly string[]): CustomResourceDefinition {
  const properties = Object.fromEntries(fields.map((field) => [field, { type: 'string' }]));
  const names = { kind: 'Site', plural: 'sites', singular: 'site', listKind: 'SiteList' };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } };
  const versions = [{ name: 'v1', served: true, storage: true, schema }];
  return Object.assign(new CustomResourceDefinition(), {
    metadata: { name: 'sites.example.com' },
    spec: { group: 'example.com', scope: 'Namespaced', names, versions },
  });
}

/** A cluster whose objects cannot be listed, because nothing serves their conversion. */
function withoutLists(client: Client): Client {
  return new Proxy(client, {
    get: (target, name) => {
      if (name === 'list') return () => Promise.reject(new Error('conversion webhook failed'));
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

describe('InstalledDefinitions.compare()', () => {
  it('refuses changes that can break objects which it cannot list, and needs no list for other changes', async () => {
    await using cluster = await Environment.create({ variables: {}, controllers: false });
    await cluster.install(definition('host'));
    const narrator = new Narrator({ write: () => true } as never, new SystemClock(), 0, false);
    const blind = new InstalledDefinitions(withoutLists(cluster.client), narrator);
    await blind.compare([definition('host', 'port')], false);
    await expect(blind.compare([definition('port')], false)).rejects.toMatchObject({ code: 'breaking-definition' });
    // There is no object that the change could break.
    await new InstalledDefinitions(cluster.client, narrator).compare([definition('port')], false);
  });
});
