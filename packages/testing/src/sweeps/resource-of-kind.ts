import type { RequestedKind } from '@evenkeel/client';
import { type ApiResource, isMetadataClass, resourceOf } from '@evenkeel/core';

/** Returns the resource of a kind, however the kind is given. */
export function resourceOfKind(kind: RequestedKind): ApiResource {
  if (isMetadataClass(kind)) return resourceOf(kind.metadataOf);
  return typeof kind === 'function' ? resourceOf(kind) : kind;
}
