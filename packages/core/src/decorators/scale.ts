import { declare, recordField, single } from '../declarations/class-record.ts';
import type { AnyClass } from '../declarations/class-reference.ts';

export interface ScaleDeclaration {
  /** Dots only, below `.spec`: `.spec.replicas`. */
  readonly specReplicasPath: string;
  /** Below `.status`. */
  readonly statusReplicasPath: string;
  /** Where the status holds a selector in text form, which an autoscaler needs. */
  readonly labelSelectorPath?: string;
}

export const scale = recordField('scale', single<ScaleDeclaration>());

/** Turns on the scale subresource, by which `kubectl scale` and autoscalers set the number of replicas. */
export function Scale(paths: ScaleDeclaration): (target: AnyClass) => void {
  return (target) => declare(scale, target, paths);
}
