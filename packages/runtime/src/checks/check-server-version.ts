import { EvenkeelError } from '@evenkeel/core';
import type { OptionsCaller } from './check-options.ts';

/** Throws `invalid-option` if `minServerVersion` is not a version of Kubernetes. */
export function checkServerVersion(given: unknown, caller: OptionsCaller): void {
  if (given === undefined || (typeof given === 'string' && /^1\.\d{1,3}$/.test(given))) return;
  throw new EvenkeelError(
    'invalid-option',
    `${caller}(): minServerVersion is ${JSON.stringify(given)}; use a version of Kubernetes, such as "1.31"`,
  );
}
