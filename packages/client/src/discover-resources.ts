import { isNotFound } from '@evenkeel/core';
import type { Client } from './client.ts';
import type { RequestOptions } from './request-options.ts';
import { readBody } from './response-body.ts';

/** The part of a resource in the server's discovery that programs use. */
export interface DiscoveredResource {
  /** The plural; with a subresource, `shops/status`. */
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Changes with the version in which the server stores objects. Undefined if the server does not publish it. */
  readonly storageVersionHash?: string;
}

/**
 * Returns the resources of a group and version that the server serves; an empty list if it does not serve the version. Needs
 * no permission in a default cluster.
 */
export async function discoverResources(
  client: Client,
  { group, version }: { readonly group: string; readonly version: string },
  { signal }: RequestOptions = {},
): Promise<readonly DiscoveredResource[]> {
  const resource = { group, version, kind: 'APIResourceList', plural: '', namespaced: false };
  try {
    const response = await client.send({ verb: 'list', resource, signal });
    const { resources } = JSON.parse((await readBody(response)).toString('utf8')) as { resources?: unknown };
    return Array.isArray(resources) ? (resources as DiscoveredResource[]) : [];
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}
