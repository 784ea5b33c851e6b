import { annotationBytesMax, objectBytesMax } from '@evenkeel/apimachinery/limits';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import type { ClassReport } from '../finding/finding.ts';
import { definitionBytes } from './description-budget.ts';

/** The annotation in which `kubectl apply` stores the applied object. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
/** Room for what the API server adds: managed fields, status, and the key. */
const addedBytes = 16 * 1024;

/** Reports a CRD that is too large to be applied or stored. */
export function checkSize(definition: CustomResourceDefinition, report: ClassReport): void {
  const bytes = definitionBytes(definition);
  // Built-in types make CRDs larger than descriptions do.
  const fix =
    "shorten its descriptions (maxDescriptionLength, maxDefinitionBytes), use only the needed parts of built-in types (Pick<PodSpec, 'containers' | 'volumes'>)";
  if (bytes + addedBytes > objectBytesMax) {
    report.error(
      'oversized-definition',
      `the CRD has ${bytes} bytes as JSON; with the fields that the API server adds, it may exceed the ${objectBytesMax} bytes that etcd accepts; ${fix}, or declare parts of the object as Record<string, unknown>`,
    );
  } else if (annotationBytes(definition) + lastApplied.length + bytes >= annotationBytesMax) {
    report.notice(
      'oversized-definition',
      `the CRD has ${bytes} bytes as JSON; "kubectl apply" stores it in an annotation, and all annotations together have at most ${annotationBytesMax} bytes; ${fix}, or use "kubectl apply --server-side"`,
    );
  }
}

function annotationBytes({ metadata }: CustomResourceDefinition): number {
  return Object.entries(metadata.annotations ?? {}).reduce((sum, entry) => sum + Buffer.byteLength(entry.join('')), 0);
}
