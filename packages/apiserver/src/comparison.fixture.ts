import { type RealServer, type SendOptions, startRealServer } from '../../../test/real-server.fixture.ts';
import { ApiServer, type ApiServerOptions } from './api-server.ts';

/** A server whose responses are compared with those of another. */
export interface ComparedServer {
  send(method: string, path: string, options?: SendOptions): Promise<ComparedAnswer>;
  stop(): Promise<void>;
}

export interface ComparedAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly warnings: readonly string[];
  /** Parsed if it is JSON; the events of a watch as a list. */
  readonly body: unknown;
}

const userAgent = 'comparison/1.0';

/**
 * Starts the real API server; without controllers unless a level is given. Extra flags are appended to the default ones. The
 * controllers know the kinds of the definitions.
 */
export async function realServer(
  flags: readonly string[] = [],
  level?: 'controllers' | 'nodes',
  definitions: readonly object[] = [],
): Promise<ComparedServer> {
  const server: RealServer = await startRealServer(level, definitions, flags);
  return {
    async send(method, path, options = {}) {
      const body =
        options.body === undefined || typeof options.body === 'string' ? options.body : JSON.stringify(options.body);
      // Node frames the body of a DELETE only if its length is given.
      const length = body !== undefined && { 'content-length': String(Buffer.byteLength(body)) };
      const headers: Record<string, string> = { 'user-agent': userAgent, ...length, ...options.headers };
      const { status, headers: answered, text } = await server.send(method, path, { ...options, headers });
      // Node decodes headers as Latin-1.
      const warning = Buffer.from(String(answered['warning'] ?? ''), 'latin1').toString('utf8');
      return answerOf(status, String(answered['content-type'] ?? ''), warning, text);
    },
    stop: () => server.stop(),
  };
}

/** Starts an embedded server; by default without controllers, like the real one. */
export async function embeddedServer(options: ApiServerOptions = { controllers: false }): Promise<ComparedServer> {
  const server = await ApiServer.create({ serviceCidr: '10.0.0.0/24', ...options });
  const transport = server.transport();
  return {
    async send(method, path, options = {}) {
      const body =
        options.body === undefined || typeof options.body === 'string' ? options.body : JSON.stringify(options.body);
      const response = await transport.request({
        method: method as 'GET',
        path,
        headers: {
          accept: options.accept ?? 'application/json',
          ...(body !== undefined && { 'content-type': options.contentType ?? 'application/json' }),
          'user-agent': userAgent,
          ...options.headers,
        },
        ...(body !== undefined && { body }),
      });
      const chunks: Uint8Array[] = [];
      for await (const chunk of response.body) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString('utf8');
      return answerOf(response.status, response.headers['content-type'] ?? '', response.headers['warning'] ?? '', text);
    },
    stop: () => server.close(),
  };
}

function answerOf(status: number, contentType: string, warning: string, text: string): ComparedAnswer {
  const warnings = [...warning.matchAll(/299 - ("(?:[^"\\]|\\.)*")/g)].map(
    ([, quoted = '""']) => JSON.parse(quoted) as string,
  );
  return { status, contentType, warnings, body: parsed(text) };
}

function parsed(text: string): unknown {
  if (text === '') return '';
  try {
    return JSON.parse(text);
  } catch {
    // A watch has one event per line.
    const lines = text.trimEnd().split('\n');
    try {
      return lines.map((line) => JSON.parse(line) as unknown);
    } catch {
      return text;
    }
  }
}

const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/**
 * A response without the parts that differ between two servers: uids, times, revisions and values derived from them,
 * generated suffixes, addresses, and the descriptions of the columns of a Table.
 */
export function normalise(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return normaliseText(value, key);
  if (Array.isArray(value)) {
    const items = value.map((item) => normalise(item));
    if (key === 'clusterIPs') return items.map(() => '<address>');
    // Rules are in the order of a Go map.
    if (['managedFields', 'resourceRules', 'nonResourceRules'].includes(key)) return items.sort(byText);
    // Upstream repeats a cause as often as its code validates metadata for that kind: between one and four times.
    if (key === 'causes') return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()].sort(byText);
    return items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(
    ([name, member]) => !(name === 'description' && typeof member === 'string' && 'priority' in value),
  );
  return Object.fromEntries(members.map(([name, member]) => [name, normalise(member, name)]));
}

function normaliseText(text: string, key: string): string {
  if (key === 'resourceVersion' && /^\d+$/.test(text)) return '<revision>';
  if (key === 'continue' && text !== '') return '<token>';
  if (key === 'clusterIP' && text !== 'None') return '<address>';
  if (key === 'token' || key === 'serverAddress' || key === 'storageVersionHash') return `<${key}>`;
  return (
    text
      .replaceAll(uid, '<uid>')
      .replaceAll(/\bresourceVersion: "\d+"/g, 'resourceVersion: <revision>')
      .replaceAll(time, '<time>')
      .replaceAll(/\b(generated[-_])[a-z0-9]{5}\b/gi, '$1<random>')
      .replaceAll(/in record \(\d+\)/g, 'in record (<revision>)')
      // The quoted patched object has the key order of each server.
      .replaceAll(/patch: Invalid value: "(?:[^"\\]|\\.)*"/g, 'patch: Invalid value: <patched>')
      .replaceAll(/^Invalid value: "\{(?:[^"\\]|\\.)*"/g, 'Invalid value: <patched>')
      // A pod template, or its spec, is quoted as Go's struct in memory.
      .replaceAll(
        /Invalid value: \{"(?:labels|annotations|metadata|Volumes|containers|activeDeadlineSeconds)":.*?\}: field is immutable/g,
        'Invalid value: <template>',
      )
      .replaceAll(/current: \d+/g, 'current: <revision>')
      .replaceAll(/too old resource version: (\d+) \(\d+\)/g, 'too old resource version: $1 (<revision>)')
      .replaceAll(/^(?:\d+[smhd])+$/g, '<age>')
      // If several bindings allow the request, the real server names a random one.
      .replace(/^(RBAC: allowed by \w+) "[^"]+" of (\w+) "[^"]+"/, '$1 <binding> of $2 <role>')
      .replace(/(?<=: \[)(?=metadata\.(?:labels|annotations): ).*(?=\]$)/, inOrder)
  );
}

/** Sorts findings about labels and annotations, which are in the order of a Go map. The order of all others is compared too. */
function inOrder(findings: string): string {
  const each = findings.split(/, (?=[\w.[\]]+: (?:Invalid|Required|Duplicate|Forbidden|Unsupported|Too))/);
  return each.every((finding) => /^metadata\.(?:labels|annotations): /.test(finding))
    ? each.sort().join(', ')
    : findings;
}

function byText(a: unknown, b: unknown): number {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}
