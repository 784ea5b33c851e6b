import type { CustomResourceDefinition } from '@evenkeel/kinds';
import type { ClassReport } from '../finding.ts';
import { definitionBytes } from './description-budget.ts';

/** TotalAnnotationSizeLimitB of k8s.io/apimachinery: `kubectl apply` keeps the whole CRD in an annotation. */
const clientSideApplyBytes = 256 * 1024;
/** What etcd takes as one request (its --max-request-bytes), into which the object goes with its metadata. */
const storedBytes = 1536 * 1024;
/** For what the API server adds: managed fields, status, and the key. */
const addedBytes = 16 * 1024;

/** Tells of a CRD that is too large to be applied or stored. */
export function checkSize(definition: CustomResourceDefinition, report: ClassReport): void {
  const bytes = definitionBytes(definition);
  const size = `the CRD has ${bytes} bytes as JSON`;
  const mend = 'shorten its descriptions (maxDescriptionLength, maxDefinitionBytes)';
  if (bytes > storedBytes - addedBytes) {
    report.error(
      'oversized-definition',
      `${size}, more than the ${storedBytes} that etcd stores with what the API server adds; ${mend}, or keep parts of it as Record<string, unknown>`,
    );
  } else if (bytes > clientSideApplyBytes) {
    report.notice(
      'oversized-definition',
      `${size}, more than the ${clientSideApplyBytes} that "kubectl apply" can handle; ${mend}, or use "kubectl apply --server-side"`,
    );
  }
}
