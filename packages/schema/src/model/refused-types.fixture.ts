import type { ServerOptions } from 'node:http';
import {
  type Condition,
  type ConditionStatus,
  CustomResource,
  EmbeddedResource,
  KubernetesObject,
  Spec,
} from '@evenkeel/core';
import { type Container, type PodSpec, PodTemplateSpec } from '@evenkeel/kinds';

const loose = { a: 'x' };
class Http {
  type = 'http' as const;
}
class Tcp {
  type = 'tcp' as const;
}
export class Box<T> {
  content?: T;
}
class Hidden {
  a?: string;
}
interface Left {
  left: string;
}
interface Right {
  right: string;
}
interface Both extends Left, Right {}
interface Foreign extends PodSpec {
  more: string;
}
interface Tree {
  children: Tree[];
}
type Loop = Loop[] | string;
declare namespace Space {
  type Inner = string;
}

export class Mixed {
  a?: string;
  [key: string]: string | undefined;
}

export class RefusedSpec {
  variants?: Box<string> | Hidden;
  either?: Http | Tcp;
  numberOrText?: number | string;
  textOrFlag?: string | boolean;
  list?: string | string[];
  mixedTuple?: [string, { a: string }];
  member?: PodSpec['containers'][number];
  big?: bigint;
  date?: Date;
  map?: Map<string, string>;
  sets?: Set<string>[];
  bytes?: Uint8Array;
  call?: () => void;
  promised?: Promise<string>;
  box?: Box<string>;
  hidden?: Hidden;
  both?: Both;
  foreign?: Foreign;
  tree?: Tree;
  loop?: Loop;
  inner?: Space.Inner;
  mapped?: { [K in 'a' | 'b']: string };
  joined?: Left & Right;
  keys?: keyof Container;
  looseKeys?: keyof typeof loose;
  changed?: Partial<string>;
  braced?: { a: string; [key: string]: string };
  mixed?: Mixed;
  anything?: unknown;
  some?: unknown[];
  object?: object;
  conditional?: Http extends Tcp ? string : number;
  symbol?: symbol;
  options?: ServerOptions;
  state?: ConditionStatus;
  @EmbeddedResource(() => PodTemplateSpec)
  embedded?: PodTemplateSpec;
  oneCondition?: Condition | string;
  nothing?: never;
}

@CustomResource({ group: 'refused.example.com', version: 'v1' })
export class Refused extends KubernetesObject {
  @Spec()
  spec!: RefusedSpec;
}
