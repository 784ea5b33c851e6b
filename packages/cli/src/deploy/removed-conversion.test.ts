import { CustomResourceDefinition } from '@evenkeel/kinds';
import { definitionDrift } from './definition-drift.ts';
import { changedLines, DeployedSites } from './deployed-sites.fixture.ts';

const name = 'sites.example.com';
const service = { namespace: 'sites-system', name: 'sites-webhook', path: '/convert', port: 443 };
const conversion = {
  strategy: 'Webhook',
  webhook: { clientConfig: { service }, conversionReviewVersions: ['v1'] },
};

describe('a CRD with a conversion that the classes do not have', () => {
  it('has none after "evenkeel install" or "deploy", whichever manager set it', async () => {
    const sites = await DeployedSites.create();
    try {
      const { client } = sites;
      const live = async () => (await client.get(CustomResourceDefinition, name)).spec.conversion;
      for (const command of ['install', 'deploy']) {
        expect((await sites.run(command)).exitCode).toBe(0);
        await client.patch(CustomResourceDefinition, name, { merge: { spec: { conversion } } });
        expect(await sites.run(command)).toMatchObject({
          exitCode: 1,
          err: expect.stringContaining('the conversion webhook is removed'),
        });
        const dry = await sites.run(command, '--allow-breaking', '--dry-run', 'server');
        expect([dry.exitCode, changedLines(dry.out).slice(0, 3)]).toEqual([
          0,
          [
            'customresourcedefinition.apiextensions.k8s.io/sites.example.com configured (dry run)',
            '  spec.conversion.strategy: "Webhook" -> "None"',
            expect.stringMatching(/^ {2}spec\.conversion\.webhook: .* -> /),
          ],
        ]);
        expect(await live()).toEqual(conversion);
        const { exitCode, out, err } = await sites.run(command, '--allow-breaking');
        expect([exitCode, err]).toEqual([0, expect.not.stringContaining('still differ')]);
        expect(out).toContain('  spec.conversion.strategy: "Webhook" -> "None"\n');
        expect(await live()).toEqual({ strategy: 'None' });
        expect((await sites.run(command)).out).not.toContain('configured');
      }
    } finally {
      await sites.close();
    }
  });

  it('differs from the classes', () => {
    const wanted = { spec: { group: 'example.com' } } as CustomResourceDefinition;
    expect(definitionDrift(wanted, { spec: { group: 'example.com', conversion } } as never)).toEqual([
      'spec.conversion.strategy: "Webhook" -> "None"',
    ]);
    const none = { spec: { group: 'example.com', conversion: { strategy: 'None' } } };
    expect(definitionDrift(wanted, none as never)).toEqual([]);
    expect(definitionDrift({ spec: { conversion } } as never, { spec: { conversion } } as never)).toEqual([]);
  });
});
