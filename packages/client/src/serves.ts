import { type ApiResource, apiVersionOf, StatusError, type Transport } from '@evenkeel/core';
import { readBody } from './response-body.ts';

/**
 * Whether a server serves a kind, according to its discovery. Rejects with `cluster-unreachable` without a response,
 * and with a `StatusError` for an error response.
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
      message: `discovery of ${apiVersionOf(resource)}: the server responded with ${response.status}`,
    });
  }
  const { resources } = JSON.parse(text) as { resources?: { name?: string }[] };
  return resources?.some(({ name }) => name === resource.plural) === true;
}
