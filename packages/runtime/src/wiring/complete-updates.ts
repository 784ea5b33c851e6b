import type { Interceptor } from '@evenkeel/client';
import { EvenkeelError } from '@evenkeel/core';
import type { Cache } from '../cache/cache.ts';

/**
 * Rejects an update (PUT) of a kind whose cached objects are incomplete. An update replaces the whole object, so an object from
 * the cache would remove from the server what the cache dropped. An update of a status can change annotations too.
 */
export function completeUpdates(cache: Cache): Interceptor {
  return async (request, next) => {
    const { verb, resource, subresource, namespace, name } = request;
    if (verb !== 'update' || (subresource !== undefined && subresource !== 'status')) return next(request);
    const option = cache.incompleteBy(resource);
    if (option === undefined) return next(request);
    const place = namespace === undefined ? name : `${namespace}/${name}`;
    throw new EvenkeelError(
      'incomplete-update',
      `update() of ${resource.kind} ${place}: the cache option ${option} of ${resource.kind} leaves its cached objects incomplete, and an update would remove the rest from the server; use patch() or apply()`,
    );
  };
}
