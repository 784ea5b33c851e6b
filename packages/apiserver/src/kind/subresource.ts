import type { GroupVersionKind } from '@evenkeel/core';
import type { RequestContext } from '../request/request-context.ts';
import type { ApiObject } from './api-object.ts';
import type { Strategy } from './strategy.ts';

/** A part of the object with rules of its own (`status`, `resize`, `finalize`): the kind is that of the object. */
export interface PartSubresource {
  readonly type: 'part';
  readonly verbs: readonly string[];
  readonly strategy: Strategy;
}

/** Where a `autoscaling/v1` Scale finds its values, as JSON paths such as `.spec.replicas`. */
export interface ScaleSubresource {
  readonly type: 'scale';
  readonly verbs: readonly string[];
  readonly kind: GroupVersionKind;
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  /** A string field that holds a selector, or (built-in kinds) a LabelSelector or plain map of labels. */
  readonly labelSelectorPath?: string;
}

/** Something done to an object (`eviction`, `binding`, `token`), or read of it (`log`). */
export interface ActionSubresource {
  readonly type: 'action';
  readonly verbs: readonly string[];
  readonly kind: GroupVersionKind;
  /**
   * The answer's body: an object, encoded as such with the status that its verb has, or text. `parent` throws NotFound
   * where the object is not there, which upstream looks at after the body.
   */
  handle(context: RequestContext, parent: () => ApiObject, body: ApiObject | undefined): Promise<ApiObject | string>;
}

export type Subresource = PartSubresource | ScaleSubresource | ActionSubresource;
