import { declare, recordField, single } from '../declarations/class-record.ts';
import type { AnyClass } from '../declarations/class-reference.ts';

/** The fields that the subresource `scale` of a kind reads and writes, declared by `@Scale`. */
export interface ScaleDeclaration {
  /** A path below `.spec`, with dots only: `.spec.replicas`. */
  readonly specReplicasPath: string;
  /** A path below `.status`, with dots only. */
  readonly statusReplicasPath: string;
  /** The path of a selector in string form, which an autoscaler needs. */
  readonly labelSelectorPath?: string;
}

export const scale = recordField('scale', single<ScaleDeclaration>());

/** Enables the scale subresource, with which `kubectl scale` and autoscalers set the number of replicas. */
export function Scale(paths: ScaleDeclaration): (target: AnyClass) => void {
  return (target) => declare(scale, target, paths);
}
