import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { certManagerManifests } from '@evenkeel/core/certificates';
import { CustomResourceDefinition, Namespace } from '@evenkeel/kinds';
import { Environment } from '@evenkeel/testing';
import { parse } from 'yaml';
import { root } from './imports.fixture.ts';

const files = ['issuers', 'certificates'].map((plural) =>
  join(root, '..', 'shared/crds', `cert-manager.io_${plural}.yaml`),
);
const isHere = files.every((file) => existsSync(file));
if (!isHere) process.stdout.write("skipped: cert-manager's CRDs: not found next to this checkout\n");

(isHere ? describe : describe.skip)('the objects that cert-manager issues certificates by', () => {
  it("are valid by cert-manager's CRDs, and have no unknown fields", async () => {
    await using environment = await Environment.create({ variables: {} });
    const { client } = environment;
    const namespace = 'shop';
    await client.create(Namespace, { metadata: { name: namespace } });
    const definitions = files.map((file) => parse(readFileSync(file, 'utf8')) as CustomResourceDefinition);
    for (const definition of definitions) await environment.install(definition);
    const kinds = new Map(definitions.map(({ spec: { names } }) => [names.kind, names.plural]));
    const manifests = certManagerManifests({
      name: 'shop',
      namespace,
      service: 'shop-webhook',
      authorityMs: 24 * 3_600_000,
    });
    expect(manifests.length).toBeGreaterThan(0);
    for (const manifest of manifests) {
      const plural = kinds.get(manifest.kind) ?? '';
      const resource = { group: 'cert-manager.io', version: 'v1', kind: manifest.kind, plural, namespaced: true };
      const created = await client.create(resource, { ...manifest }, { fieldValidation: 'Strict' });
      expect(created).toMatchObject(manifest);
      const unknown = { ...manifest, spec: { ...manifest.spec, oops: 1 } };
      await expect(client.create(resource, unknown, { fieldValidation: 'Strict' })).rejects.toThrow('spec.oops');
    }
  });
});
