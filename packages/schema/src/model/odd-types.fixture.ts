import {
  type Condition,
  CustomResource,
  KubernetesObject,
  type ObjectMeta,
  type OwnerReference,
  Spec,
} from '@evenkeel/core';
import { type IntOrString, PodSpec, type Quantity, type PodTemplateSpec as Template } from '@evenkeel/kinds';
import type * as core from '@evenkeel/kinds/core/v1';
import { Type } from 'class-transformer';
import { IsDefined, IsIn, IsInt, Max, MaxLength, Min } from 'class-validator';
import * as shared from './odd-types-base.fixture.ts';
import { Base, type Named as Called, type Page, Phase } from './odd-types-base.fixture.ts';

const sizes = { Small: 's', Large: 'l' } as const;
type Size = (typeof sizes)[keyof typeof sizes];
const zones = ['a', 'b'] as const;
enum Level {
  Low,
  High = 5,
}
type Branded = string & { readonly brand: 'Name' };
type Deep<T> = { value: T; next?: { value: T } };
interface Endpoint extends Called {
  /** Where it listens. */
  port: number;
}

export class Tls {
  @MaxLength(10)
  secretName!: string;
  @Min(1)
  @Max(9)
  @IsInt()
  days = 5;
  cipher?: string;
}

export class Port {
  @Min(1)
  @Max(9)
  port = 5;
}

export class Given {
  constructor(
    /** How large. */
    readonly size = 3,
    public name?: string,
  ) {}
}

export class Http {
  type: 'http' = 'http';
  path!: string;
}
export class Tcp {
  type = 'tcp' as const;
  port!: number;
}

/** A class of the user's that adds to one of Kubernetes' own. */
export class Runner extends PodSpec {
  /** How many of them. */
  @IsInt()
  @Min(0)
  @Max(9)
  parallelism = 1;
  declare restartPolicy: 'Never';
}

export class OddSpec extends Base<Tls, 'x' | 'y'> {
  union?: 'a' | ('b' | 'c') | undefined;
  alias?: Size;
  keys?: keyof typeof sizes;
  listed?: (typeof zones)[number];
  level?: Level;
  oneLevel?: Level.High | Level.Low;
  imported?: Phase;
  namespaced?: shared.Phase.Up;
  without?: Exclude<'a' | 'b' | 'c', 'b'>;
  with?: Extract<'a' | 'b', 'b' | 'c'>;
  never?: NonNullable<string | undefined>;
  branded?: Branded;
  open?: 'a' | (string & {});
  template?: `${number}Gi`;
  matrix?: readonly number[][];
  frozen?: ReadonlyArray<Readonly<string>>;
  pair?: [number, number];
  range?: [low: number, high?: number];
  atLeastOne?: [string, ...string[]];
  mapped?: Record<string, string[]>;
  fixed?: Record<'a' | 'b', number>;
  fixedPartly?: Partial<Record<'a', number>>;
  indexed?: { [name: string]: boolean };
  byLevel?: Record<`${string}.example.com`, number>;
  whatever?: Record<string, unknown>;
  inline?: {
    /** Its name. */
    name: string;
    ports?: { port: number; 'x-y'?: string }[];
  };
  endpoint?: Endpoint;
  named?: Called;
  generic?: Deep<Tls>;
  page?: Page<'on' | 'off'>;
  partial?: Partial<Tls>;
  required?: Required<Pick<Tls, 'cipher' | 'days'>>;
  omitted?: Omit<Tls, 'days' | 'cipher'>;
  port?: IntOrString;
  cpu?: core.ResourceRequirements;
  image?: Pick<core.Container, 'image' | 'name'>;
  imageOnly?: Omit<Pick<core.Container, 'image' | 'name'>, 'name'>;
  mounts?: Record<string, core.VolumeMount[]>;
  @Type(() => PodSpec)
  typed?: Partial<PodSpec>;
  templates?: Template[];
  runner?: Runner;
  backend?: Http | Tcp;
  amount?: Quantity;
  childMetadata?: ObjectMeta;
  given?: Given;
  nullables?: Record<string, { readonly [name: string]: number | undefined }>;
  made: { port: number } = new Port();
  steps?: ({ kind: 'wait'; seconds: number } | { kind: 'run'; command: string })[];
  conditions?: Condition[];
  owners?: OwnerReference[];
  'quoted-name'?: string;
  1?: string;
  @IsDefined()
  @IsIn(['x', 'y'])
  either?: string;
  method(): number {
    return 1;
  }
  get computed(): string {
    return '';
  }
}

@CustomResource({ group: 'odd.example.com', version: 'v1' })
export class Odd extends KubernetesObject {
  @Spec()
  spec!: OddSpec;
}
