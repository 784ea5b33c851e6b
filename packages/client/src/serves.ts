import { type ApiResource, apiVersionOf, StatusError, type Transport } from '@evenkeel/core';
import { readBody } from './response-body.ts';

/**
 * Whether a server serves a kind, by its discovery. Rejects with `cluster-unreachable` where no answer came, with the
 * server's refusal where it refuses to say.
 */
export async function serves(
  transport: Transport,
  resource: ApiResource,
  options: { signal?: AbortSignal } = {},
): Promise<boolean> {
  const path = `${resource.group === '' ? '/api' : '/apis'}/${apiVersionOf(resource)}`;
  const response = await transport.request({
    method: 'GET',
    path,
    headers: { accept: 'application/json' },
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  const text = (await readBody(response)).toString('utf8');
  if (response.status === 404) return false;
  if (response.status !== 200) {
    throw new StatusError({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      code: response.status,
      message: `discovery of ${apiVersionOf(resource)}: the server answered ${response.status}`,
    });
  }
  const { resources } = JSON.parse(text) as { resources?: { name?: string }[] };
  return resources?.some(({ name }) => name === resource.plural) === true;
}
