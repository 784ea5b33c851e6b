import { annotationBytesMax, objectBytesMax } from '@evenkeel/apimachinery/limits';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import type { ClassReport } from '../finding/finding.ts';
import { definitionBytes } from './description-budget.ts';

/** Where `kubectl apply` keeps the whole of what it applied. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
/** For what the API server adds: managed fields, status, and the key. */
const addedBytes = 16 * 1024;

/** Tells of a CRD that is too large to be applied or stored. */
export function checkSize(definition: CustomResourceDefinition, report: ClassReport): void {
  const bytes = definitionBytes(definition);
  // It is built-in types more than descriptions that make CRDs large.
  const mend =
    "shorten its descriptions (maxDescriptionLength, maxDefinitionBytes), take of built-in types only what is needed (Pick<PodSpec, 'containers' | 'volumes'>)";
  if (bytes + addedBytes > objectBytesMax) {
    report.error(
      'oversized-definition',
      `the CRD has ${bytes} bytes as JSON; with what the API server adds that may be more than the ${objectBytesMax} that etcd takes; ${mend}, or keep parts of the object as Record<string, unknown>`,
    );
  } else if (annotationBytes(definition) + lastApplied.length + bytes >= annotationBytesMax) {
    report.notice(
      'oversized-definition',
      `the CRD has ${bytes} bytes as JSON; "kubectl apply" keeps it in an annotation, and all annotations have at most ${annotationBytesMax}; ${mend}, or use "kubectl apply --server-side"`,
    );
  }
}

function annotationBytes({ metadata }: CustomResourceDefinition): number {
  return Object.entries(metadata.annotations ?? {}).reduce((sum, entry) => sum + Buffer.byteLength(entry.join('')), 0);
}
