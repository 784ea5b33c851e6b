import type { GroupVersionKind } from '@evenkeel/core';
import type { RequestContext } from '../request/request-context.ts';
import type { ApiObject } from './api-object.ts';
import type { Strategy } from './strategy.ts';

/** A part of the object with its own rules (`status`, `resize`, `finalize`). Its kind is the kind of the object. */
export interface PartSubresource {
  readonly type: 'part';
  readonly verbs: readonly string[];
  readonly strategy: Strategy;
}

/** The fields that an `autoscaling/v1` Scale reads and writes, as JSON paths such as `.spec.replicas`. */
export interface ScaleSubresource {
  readonly type: 'scale';
  readonly verbs: readonly string[];
  readonly kind: GroupVersionKind;
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  /** The path of a string that contains a selector, or (built-in kinds) of a LabelSelector or plain map of labels. */
  readonly labelSelectorPath?: string;
}

/** An action on an object (`eviction`, `binding`, `token`), or data read from it (`log`). */
export interface ActionSubresource {
  readonly type: 'action';
  readonly verbs: readonly string[];
  readonly kind: GroupVersionKind;
  /** Sets missing fields of the body. */
  readonly default?: (body: ApiObject) => void;
  /**
   * Returns the body of the response: an object, which is encoded with the status code of its verb, or text. `parent`
   * throws NotFound if the object does not exist; upstream checks this after the body.
   */
  handle(context: RequestContext, parent: () => ApiObject, body: ApiObject | undefined): Promise<ApiObject | string>;
}

/** A connection to a process behind the object (`exec`, `portforward`, `proxy`). */
export interface ConnectSubresource {
  readonly type: 'connect';
  readonly verbs: readonly string[];
  /** The kind of the options, such as PodExecOptions. Clients send them as query parameters. */
  readonly kind: GroupVersionKind;
  /** The types of the options. A proxy has `path`: the rest of the path of the request. */
  readonly parameters: Readonly<Record<string, 'boolean' | 'integer' | 'string'>>;
}

export type Subresource = PartSubresource | ScaleSubresource | ActionSubresource | ConnectSubresource;
