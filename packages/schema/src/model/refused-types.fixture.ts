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
import type { Erased } from './refused-types-erased.fixture.ts';

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
type Grown<T> = { value: T; next?: Grown<T[]> };
type Grid<T> = Grid<T[]>[];
// Each contains the next one twice.
type D0 = [D1, D1];
type D1 = [D2, D2];
type D2 = [D3, D3];
type D3 = [D4, D4];
type D4 = [D5, D5];
type D5 = [D6, D6];
type D6 = [D7, D7];
type D7 = [D8, D8];
type D8 = [D9, D9];
type D9 = [D10, D10];
type D10 = [D11, D11];
type D11 = [D12, D12];
type D12 = [D13, D13];
type D13 = [D14, D14];
type D14 = [D15, D15];
type D15 = [D16, D16];
type D16 = [D17, D17];
type D17 = [D18, D18];
type D18 = [D19, D19];
type D19 = [D20, D20];
type D20 = [D21, D21];
type D21 = [D22, D22];
type D22 = [D23, D23];
type D23 = [D24, D24];
type D24 = string;

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
  grown?: Grown<string>;
  grid?: Grid<string>;
  doubled?: D0;
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
  erased?: Erased;
  erasedList?: Erased[];
  returned?: ReturnType<typeof Number>;
  global?: URL;
}

@CustomResource({ group: 'refused.example.com', version: 'v1' })
export class Refused extends KubernetesObject {
  @Spec()
  spec!: RefusedSpec;
}
