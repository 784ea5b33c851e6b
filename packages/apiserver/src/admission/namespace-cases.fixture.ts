import { setTimeout as delay } from 'node:timers/promises';
import type { SendOptions } from '../../../../test/real-server.fixture.ts';
import { type ComparedAnswer, type ComparedServer, normalise } from '../comparison.fixture.ts';

/** Method, path below the namespace, body and options. A path that starts with `/` is absolute. */
export type NamespaceRequest = readonly [
  method: string,
  path: string,
  body?: object,
  options?: Omit<SendOptions, 'body'>,
];

/** Requests in a namespace of their own, whose responses are the same on both servers. */
export interface NamespaceCase {
  readonly title: string;
  /** Sent first; all succeed. */
  readonly before: readonly NamespaceRequest[];
  /** Each is repeated until the server rejects it with 403: the real one watches quotas. */
  readonly probes?: readonly NamespaceRequest[];
  readonly requests: readonly NamespaceRequest[];
}

/** Plays a case and returns its responses without what differs between servers. */
export async function playInNamespace(server: ComparedServer, one: NamespaceCase, namespace: string): Promise<unknown> {
  const send = ([method, path, body, options]: NamespaceRequest): Promise<ComparedAnswer> => {
    const [, group, rest = path] = /^@([^ ]+) (.*)$/.exec(path) ?? [];
    const base = group === undefined ? '/api/v1' : `/apis/${group}`;
    const full = path.startsWith('/') ? path : `${base}/namespaces/${namespace}/${rest}`;
    return server.send(method, full, { ...(body !== undefined && { body }), ...options });
  };
  const created = await send(['POST', '/api/v1/namespaces', { metadata: { name: namespace } }]);
  expect(created.status).toBe(201);
  for (const request of one.before) {
    const { status, body } = await send(request);
    const { message } = body as { message?: string };
    expect({ request, message, ok: status < 300 }).toEqual({ request, message: undefined, ok: true });
  }
  for (const probe of one.probes ?? []) {
    for (let tries = 0; (await send(probe)).status !== 403; tries++) {
      if (tries === 500) throw new Error(`${one.title}: the server has not seen the quota`);
      await delay(20);
    }
  }
  const played: unknown[] = [];
  for (const request of one.requests) {
    const { status, body } = await send(request);
    played.push({ request: request.slice(0, 2), status, body: withSortedReasons(withoutNodePorts(normalise(body))) });
  }
  return played;
}

/** Upstream finds violations in the order of a Go map. */
function withSortedReasons(body: unknown): unknown {
  const { message } = body as { message?: unknown };
  if (typeof message !== 'string') return body;
  const sorted = message.replace(/(?<=is forbidden: \[).*(?=\]$)/s, (reasons) =>
    reasons
      .split(/, (?=minimum |maximum |\S+ max limit)/)
      .sort()
      .join(', '),
  );
  return { ...(body as object), message: sorted };
}

/** Node ports are allocated at random. */
function withoutNodePorts(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (key, value: unknown) => (key === 'nodePort' ? '<port>' : value));
}
