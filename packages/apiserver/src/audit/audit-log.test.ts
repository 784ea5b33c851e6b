import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '@evenkeel/core';
import { ApiServer } from '../api-server.ts';
import { request } from '../request.fixture.ts';
import type { AuditOptions } from './audit-log.ts';
import { checkAuditPolicy } from './audit-policy.ts';

const maps = '/api/v1/namespaces/default/configmaps';

interface LoggedEvent {
  readonly stage: string;
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly objectRef?: object;
  readonly responseStatus?: { readonly code: number };
  readonly requestReceivedTimestamp: string;
}

describe('the audit log', () => {
  let folder: string;
  let server: ApiServer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evenkeel-audit-'));
  });
  afterEach(() => server?.close());
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const start = async (audit: AuditOptions): Promise<void> => {
    server = await ApiServer.create({
      controllers: false,
      audit,
      clock: new ManualClock(new Date('2030-01-02T00:00:00Z')),
    });
  };

  it('has the metadata of each request without a policy', async () => {
    const events: LoggedEvent[] = [];
    await start({ log: (line) => events.push(JSON.parse(line) as LoggedEvent) });
    await request(server.transport(), 'POST', maps, { metadata: { name: 'a' }, data: { secret: 'x' } });
    await request(server.transport({ name: 'eve', groups: [] }), 'GET', `${maps}/a`);
    expect(
      events.map(({ stage, verb, user, responseStatus }) => [stage, verb, user.username, responseStatus?.code]),
    ).toEqual([
      ['ResponseComplete', 'create', 'admin', 201],
      ['ResponseComplete', 'get', 'eve', 403],
    ]);
    expect(events[0]?.objectRef).toEqual({ resource: 'configmaps', namespace: 'default', name: 'a', apiVersion: 'v1' });
    expect(events[0]?.requestReceivedTimestamp).toBe('2030-01-02T00:00:00.000000Z');
    expect(JSON.stringify(events)).not.toContain('secret');
  });

  it('is appended to a file that only its owner can read, by the rules of a policy file', async () => {
    const [policy, log] = [join(folder, 'policy.yaml'), join(folder, 'audit.log')];
    await writeFile(policy, 'kind: Policy\napiVersion: audit.k8s.io/v1\nrules: [{level: Request, verbs: [create]}]\n');
    await writeFile(log, 'before\n', { mode: 0o600 });
    await start({ policy, log });
    await request(server.transport(), 'GET', maps);
    await request(server.transport(), 'POST', maps, { metadata: { name: 'a' }, data: { b: 'c' } });
    const [before, ...lines] = (await readFile(log, 'utf8')).trimEnd().split('\n');
    expect([before, lines.length]).toEqual(['before', 2]);
    expect(lines[1]).toContain(
      '"requestObject":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{"b":"c"}}',
    );
    expect((await stat(log)).mode & 0o777).toBe(0o600);
  });

  it('has the events of a watch when it starts and when it ends', async () => {
    const stages: string[] = [];
    await start({ log: (line) => stages.push((JSON.parse(line) as LoggedEvent).stage) });
    const aborted = new AbortController();
    const { body } = await server
      .transport()
      .request({ method: 'GET', path: `${maps}?watch=1`, signal: aborted.signal });
    expect(stages).toEqual(['ResponseStarted']);
    aborted.abort();
    await expect(
      (async () => {
        for await (const _ of body);
      })(),
    ).rejects.toThrow('aborted');
    expect(stages).toEqual(['ResponseStarted', 'ResponseComplete']);
  });

  it.each([
    ['no object', 'x', 'it must be an object'],
    ['no rules', {}, 'a policy needs at least one rule'],
    [
      'an unknown level',
      { rules: [{ level: 'All' }] },
      'rules[0].level: must be one of None, Metadata, Request, RequestResponse',
    ],
    ['no level', { rules: [{}] }, 'rules[0].level: a rule needs a level'],
    ['an unknown field', { rules: [{ level: 'None', user: 'x' }] }, 'rules[0].user: unknown field'],
    [
      'an unknown stage',
      { rules: [{ level: 'None' }], omitStages: ['End'] },
      'omitStages: must be a list of RequestReceived',
    ],
    [
      'another version',
      { apiVersion: 'audit.k8s.io/v1beta1', rules: [{ level: 'None' }] },
      'unknown apiVersion "audit.k8s.io/v1beta1"',
    ],
    [
      'both kinds of requests in a rule',
      { rules: [{ level: 'None', namespaces: ['a'], nonResourceURLs: ['/x'] }] },
      'rules cannot apply to both regular resources and non-resource URLs',
    ],
    ['a relative URL', { rules: [{ level: 'None', nonResourceURLs: ['x'] }] }, `"x" must start with '/'`],
    [
      'a star inside of a URL',
      { rules: [{ level: 'None', nonResourceURLs: ['/*/x'] }] },
      `may contain '*' only at the end`,
    ],
    [
      'names without resources',
      { rules: [{ level: 'None', resources: [{ resourceNames: ['a'] }] }] },
      'names need resources',
    ],
  ])('rejects a policy with %s', (_, policy, message) => {
    expect(() => checkAuditPolicy(policy, 'policy.yaml')).toThrow(`policy.yaml: invalid audit policy: `);
    expect(() => checkAuditPolicy(policy, 'policy.yaml')).toThrow(message);
  });
});
