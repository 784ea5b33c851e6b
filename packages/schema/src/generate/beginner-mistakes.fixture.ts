import { readdirSync } from 'node:fs';
import os from 'node:os';
import { CustomResource, IsDuration, KubernetesObject, ListType, Rule, Spec, Status } from '@evenkeel/core';
import { ArrayMaxSize, IsInt, IsString, MaxLength } from 'class-validator';

export class UncalledSpec {
  // @ts-expect-error The compiler rejects a decorator without parentheses too.
  @IsInt count!: number;
  // @ts-expect-error
  @IsDuration @MaxLength(9) wait = '1s';
  @IsString() sound = 'a';
}

@CustomResource({ group: 'beginner.example.com', version: 'v1' })
export class Uncalled extends KubernetesObject {
  @Spec() spec!: UncalledSpec;
  // @ts-expect-error
  @Status status?: UncalledSpec;
}

interface Branch {
  leaves?: Branch[];
}

interface Left {
  right?: Right;
}

interface Right {
  left?: Left;
}

export class Named {
  @MaxLength(9) in?: string;
  @MaxLength(9) 'a-b'?: string;
  @MaxLength(9) inner?: string;
  @MaxLength(9) while?: string;
}

/** Read from its own folder. */
export class Placed {
  files = readdirSync(process.cwd()).length > 0;
}

export class BeginnerSpec {
  home = process.env['HOME'] ?? '/';
  host = os.hostname();
  year = new Date().getFullYear();
  placed?: Placed;
  private secret = 'x';
  protected inner?: string;
  readonly #hidden = 1;
  // biome-ignore lint/complexity/noBannedTypes: users write it
  empty!: {};
  // biome-ignore lint/complexity/noBannedTypes: users write it
  emptyMap?: Record<string, {}>;
  branch?: Branch;
  left?: Left;
  @Rule('self > "a"') compared = 1;
  @IsInt() whole = 1.5;
  @ListType('set') text?: string;
  @Rule('self.size() > 0', { messageExpression: '"not " + self.map(x, self.map(y, x + y).join(",")).join(",")' })
  costly?: string[];

  constructor(private readonly injected = 'x') {
    void this.#hidden;
    void this.secret;
    void this.injected;
  }
}

@Rule('self.named.while == "x"')
export class EscapedSpec {
  @Rule('self.in == "x"') keyword?: Named;
  @Rule('self.a-b == "x"') dash?: Named;
  @ArrayMaxSize(9) @Rule('self.all(one, one.a-b == "x")') dashes?: Named[];
  @Rule('self.inner == "x" && self.__in__ == "y"') right?: Named;
  named?: Named;
}

@CustomResource({ group: 'beginner.example.com', version: 'v1' })
export class Escaped extends KubernetesObject {
  @Spec() spec!: EscapedSpec;
}

export class BeginnerStatus {
  ready!: number;
  details!: BeginnerDetails;
  empty!: BeginnerEmpty;
  counted = 0;
  open?: string;
}

export class BeginnerDetails {
  reason!: string;
}

export class BeginnerEmpty {
  reason?: string;
}

@CustomResource({ group: 'beginner.example.com', version: 'v1' })
export class Beginner extends KubernetesObject {
  @Spec() spec!: BeginnerSpec;
  @Status() status!: BeginnerStatus;
}
