import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiServer } from '@evenkeel/apiserver';
import { customResourceDefinitionOf } from '@evenkeel/schema';
import { eventually } from '@evenkeel/testing';
import { CustomResourceDefinition, createManager, type Manager, provider } from 'evenkeel';
import { root } from './imports.fixture.ts';
import { Dns, dnsUrl, HttpDns, Site, SiteController } from './inject-guide.fixture.ts';
import { dnsModule } from './inject-guide-module.fixture.ts';
import { pool, pools } from './inject-guide-pool.fixture.ts';
import { LookUpController, sessions } from './inject-guide-session.fixture.ts';
import { showsFiles } from './shown-files.fixture.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const guide = read('docs/inject.md');

/** The files of the page, and those of this folder that run. */
const shown = {
  'src/site.ts': 'test/inject-guide.fixture.ts',
  'src/site.test.ts': 'test/inject-guide.test.ts',
  'src/pool.ts': 'test/inject-guide-pool.fixture.ts',
  'src/session.ts': 'test/inject-guide-session.fixture.ts',
  'src/dns-module.ts': 'test/inject-guide-module.fixture.ts',
};

let server: ApiServer;
let manager: Manager | undefined;

beforeAll(async () => {
  server = await ApiServer.create({ controllers: false });
});

afterEach(() => manager?.stop());

afterAll(() => server.close());

describe('the guide to injection', () => {
  showsFiles(guide, shown);

  it('has no other TypeScript that could be wrong, but lists of services', () => {
    const blocks = [...guide.matchAll(/^```ts(.*)$/gm)].map(([, path]) => path?.trim());
    expect(blocks).toEqual(Object.keys(shown));
  });

  it('has a summary in the guide to testing, with lines of the test', () => {
    const section = read('docs/testing.md').split('## Replace a service in a test\n')[1] ?? '';
    const [, block = ''] = /^```\n(.*?)^```$/ms.exec(section) ?? [];
    const lines = block.split('\n').filter((line) => line !== '');
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(read('test/inject-guide.test.ts')).toContain(line);
  });

  it('shows a value of a run that works', async () => {
    manager = await createManager({
      transport: server.transport(),
      controllers: [LookUpController],
      services: [sessions, pools, provider({ provide: dnsUrl, useValue: 'https://real' })],
      overrides: [
        provider({ provide: pool, useValue: { query: async (host) => `found ${host}`, end: async () => {} } }),
      ],
    });
    await manager.client.create(CustomResourceDefinition, await customResourceDefinitionOf(Site));
    await eventually(async () => {
      await manager?.client.create(Site, {
        metadata: { name: 'blog', namespace: 'default' },
        spec: { host: 'blog.example.com' },
      });
    });
    await manager.start();
    await eventually(async () => {
      const site = await manager?.client.get(Site, 'default/blog');
      expect(site?.status?.record).toBe('found blog.example.com');
    });
  });

  it('shows a module of inversify that provides the port', async () => {
    let made: Dns | undefined;
    class Seen extends SiteController {
      constructor(dns: Dns) {
        super(dns);
        made = dns;
      }
    }
    Reflect.defineMetadata('design:paramtypes', [Dns], Seen);
    const url = provider({ provide: dnsUrl, useValue: 'https://dns' });
    manager = await createManager({ transport: server.transport(), controllers: [Seen], services: [dnsModule, url] });
    expect(made).toBeInstanceOf(HttpDns);
    expect((made as HttpDns).url).toBe('https://dns');
  });
});
