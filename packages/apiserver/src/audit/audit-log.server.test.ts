import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describeWithRealServer, type RealServer, startRealServer } from '../../../../test/real-server.fixture.ts';
import { ApiServer } from '../api-server.ts';
import { normalise } from '../comparison.fixture.ts';
import { sendRaw } from '../raw-request.fixture.ts';
import { type AuditedRequest, auditedRequests, policy } from './audit-requests.fixture.ts';

const token = 'admin-token';
const podSecurity = 'pod-security.kubernetes.io/enforce-policy';

describeWithRealServer('the audit log of the real server and of the embedded one', () => {
  let folder: string;
  let real: RealServer;
  let embedded: ApiServer;
  let ports: readonly [real: number, embedded: number];
  const file = (name: string): string => join(folder, name);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evenkeel-audit-'));
    await writeFile(file('policy.yaml'), JSON.stringify(policy));
    const flags = [`--audit-policy-file=${file('policy.yaml')}`, `--audit-log-path=${file('real.log')}`];
    real = await startRealServer(undefined, [], flags);
    embedded = await ApiServer.create({
      controllers: false,
      tokens: { [token]: { name: 'admin', uid: 'admin', groups: ['system:masters'] } },
      audit: { policy: file('policy.yaml'), log: file('embedded.log') },
    });
    ports = [Number(new URL(real.url).port), (await embedded.listen()).port];
    for (const [index, request] of [...auditedRequests, last].entries()) {
      await Promise.all(ports.map((port) => sendRaw(port, bytesOf(request, `request-${index}`))));
    }
  });
  afterAll(async () => {
    await Promise.all([real?.stop(), embedded?.close()]);
    await rm(folder, { recursive: true, force: true });
  });

  it('have the same events for the same requests', async () => {
    const expected = await eventsIn(file('real.log'));
    const actual = await eventsIn(file('embedded.log'));
    const named = (events: ReadonlyMap<string, readonly string[]>): unknown =>
      auditedRequests.map(({ method, path }, index) => [`${method} ${path}`, events.get(`request-${index}`) ?? []]);
    expect(named(actual)).toEqual(named(expected));
  });
});

/** A request after which all others have been written. */
const last: AuditedRequest = { method: 'GET', path: '/version' };

function bytesOf({ method, path, body, headers = {} }: AuditedRequest, id: string): string {
  const text = body === undefined || typeof body === 'string' ? (body ?? '') : JSON.stringify(body);
  const sent = { Host: 'x', 'User-Agent': 'test', Authorization: `Bearer ${token}`, 'Audit-ID': id, ...headers };
  const length = Buffer.byteLength(text);
  const lines = Object.entries({ ...sent, ...(length > 0 && { 'Content-Length': String(length) }) })
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}\r\n`);
  // A User-Agent that is empty is sent, because Go's client and others would add their own.
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`).toString('latin1');
}

/** The normalised lines of a log by the id of the request. */
async function eventsIn(path: string): Promise<ReadonlyMap<string, readonly string[]>> {
  let text = await readFile(path, 'utf8');
  while (!text.includes(`"auditID":"request-${auditedRequests.length}"`)) {
    await delay(10);
    text = await readFile(path, 'utf8');
  }
  const events = new Map<string, string[]>();
  for (const line of text.trimEnd().split('\n')) {
    const event = JSON.parse(line) as { readonly auditID: string; readonly annotations?: Record<string, string> };
    const lines = events.get(event.auditID) ?? [];
    events.set(event.auditID, lines);

    // The embedded server has no PodSecurity admission.
    if (event.annotations !== undefined) delete event.annotations[podSecurity];
    lines.push(JSON.stringify(normalise(event)));
  }
  return events;
}
