import { type AdmissionOperation, admissionOperations } from '../contract/admission-review.ts';
import { show } from './given-value.ts';

/** The operations of requests to subresources; others are updates. */
export const subresourceOperations: Readonly<Record<string, AdmissionOperation>> = {
  attach: 'connect',
  exec: 'connect',
  portforward: 'connect',
  proxy: 'connect',
  binding: 'create',
  eviction: 'create',
  token: 'create',
};

function defaultOperations(subresource: string | undefined): readonly AdmissionOperation[] {
  if (subresource === undefined) return ['create', 'update'];
  return [(Object.hasOwn(subresourceOperations, subresource) && subresourceOperations[subresource]) || 'update'];
}

/**
 * Returns the operations that a method or rule declares, or the usual ones for an empty list.
 *
 * @param operations unchecked: an operation, or a list.
 * @param report is called with each mistake and its fix.
 */
export function planOperations(
  operations: unknown,
  subresource: string | undefined,
  report: (problem: string) => void,
): readonly AdmissionOperation[] {
  const usual = defaultOperations(subresource);
  const listed: readonly unknown[] = Array.isArray(operations) ? operations : [operations];
  const at = subresource === undefined ? '' : ` of the subresource "${subresource}"`;
  for (const operation of listed) {
    if (!admissionOperations.includes(operation as AdmissionOperation)) {
      report(`unknown operation ${show(operation)}; use ${admissionOperations.map(show).join(', ')}`);
    } else if ((operation === 'connect') !== usual.includes('connect')) {
      const fix = usual.includes('connect')
        ? `requests${at} are "connect"; use only 'connect'`
        : 'only subresources such as exec have "connect"; set the option subresource, or use another operation';
      report(`"${String(operation)}" never happens: ${fix}`);
    }
  }
  return listed.length === 0 ? usual : admissionOperations.filter((operation) => listed.includes(operation));
}
