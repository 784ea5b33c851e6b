import { CustomResource, EmbeddedResource, KubernetesObject, Spec } from '@evenkeel/core';
import { LabelSelector, type ObjectReference, Pod, PodTemplateSpec as Template } from '@evenkeel/kinds';
import type { JSONSchemaProps } from '@evenkeel/kinds/apiextensions/v1';
import type * as core from '@evenkeel/kinds/core/v1';

export class WorkloadSpec {
  /** What runs. */
  template?: Template;
  selector?: LabelSelector;
  reference?: ObjectReference;
  claims?: core.PersistentVolumeClaim[];
  @EmbeddedResource(() => Pod)
  pod?: Pod;
  validation?: JSONSchemaProps;
}

/** A kind with fields of Kubernetes' own types. */
@CustomResource({ group: 'builtin.example.com', version: 'v1', kind: 'Workload' })
export class Workload extends KubernetesObject {
  @Spec()
  spec!: WorkloadSpec;
}
