import { type AnyClass, recordOf } from '../declarations/class-declarations.ts';

export interface ScaleDeclaration {
  /** Dots only, below `.spec`: `.spec.replicas`. */
  readonly specReplicasPath: string;
  /** Below `.status`. */
  readonly statusReplicasPath: string;
  /** Where the status holds a selector in text form, which an autoscaler needs. */
  readonly labelSelectorPath?: string;
}

/** Turns on the scale subresource, by which `kubectl scale` and autoscalers set the number of replicas. */
export function Scale(paths: ScaleDeclaration): (target: AnyClass) => void {
  return (target) => {
    recordOf(target).scale = paths;
  };
}
