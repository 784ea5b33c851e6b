import { createHash } from 'node:crypto';
import type { ApiResource } from '@evenkeel/core';

/**
 * The hash by which the discovery of every version of a kind names its storage version. As in apiserver
 * `pkg/endpoints/discovery/storageversionhash.go`.
 */
export function storageVersionHash({ group, version, kind }: ApiResource): string {
  return createHash('sha256').update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString('base64');
}
