import { ConfigMap, Secret } from '@evenkeel/kinds';
import { Environment } from '@evenkeel/testing';
import { parseAllDocuments } from 'yaml';
import { dumpOf } from './cluster-dump.ts';

interface Dumped {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

describe('dumpOf', () => {
  it('writes the objects of a server as YAML, without the values of Secrets', async () => {
    await using environment = await Environment.create({ variables: {} });
    const { client, transport } = environment;
    const annotations = {
      'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"password":"czNjcmV0"}}',
      note: 'kept',
    };
    await client.create(Secret, {
      metadata: { name: 'login', namespace: 'default', annotations },
      data: { password: Buffer.from('s3cret').toString('base64') },
    });
    await client.create(ConfigMap, { metadata: { name: 'page', namespace: 'default' }, data: { text: '---\nhi' } });
    const { text, objects } = await dumpOf({ transport });
    const documents = parseAllDocuments(text).map((document) => document.toJS() as Dumped);
    expect(documents).toHaveLength(objects);
    const named = (kind: string, name: string) =>
      documents.find((object) => object.kind === kind && object.metadata.name === name);
    expect(named('ConfigMap', 'page')).toMatchObject({ apiVersion: 'v1', data: { text: '---\nhi' } });
    expect(named('ConfigMap', 'page')?.metadata).not.toHaveProperty('managedFields');
    expect(named('Secret', 'login')).toMatchObject({
      metadata: { annotations: { note: 'kept' } },
      data: { password: '(6 bytes)' },
    });
    expect(named('Namespace', 'default')).toBeDefined();
    expect(text).not.toMatch(/s3cret|czNjcmV0/);
  });

  it('reads only the given groups', async () => {
    await using environment = await Environment.create({ variables: {} });
    const { transport } = environment;
    expect(await dumpOf({ transport, groups: new Set(['example.com']) })).toEqual({ text: '', objects: 0 });
  });
});
