import type { Random } from '@evenkeel/core';

/** Random expressions of a policy for ConfigMaps with one entry: the order of several is that of a Go map. Some fail when they are evaluated, and some do not compile. */
export class RandomExpressions {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** An expression whose result is a string. */
  text(depth = 4): string {
    if (depth === 0) return this.#one(texts);
    return this.#one([
      () => this.#one(texts),
      () => `(${this.text(depth - 1)} + ${this.text(depth - 1)})`,
      () => `string(${this.#number(depth - 1)})`,
      () => `string(${this.#condition(depth - 1)})`,
      () => `(${this.#condition(depth - 1)} ? ${this.text(depth - 1)} : ${this.text(depth - 1)})`,
      () => `${this.#list(depth - 1)}.join(',')`,
      () => `${this.text(depth - 1)}.replace(${this.text(0)}, ${this.text(0)})`,
      () => `${this.text(depth - 1)}.upperAscii()`,
      () => `${this.#list(depth - 1)}[${this.#number(0)}]`,
    ])();
  }

  #condition(depth: number): string {
    if (depth === 0) return this.#one(conditions);
    return this.#one([
      () => this.#one(conditions),
      () => `(${this.#condition(depth - 1)} && ${this.#condition(depth - 1)})`,
      () => `(${this.#condition(depth - 1)} || ${this.#condition(depth - 1)})`,
      () => `!${this.#condition(depth - 1)}`,
      () => `(${this.text(depth - 1)} == ${this.text(depth - 1)})`,
      () => `(${this.#number(depth - 1)} < ${this.#number(depth - 1)})`,
      () => `(${this.text(depth - 1)} in ${this.#list(depth - 1)})`,
      () => `${this.#list(depth - 1)}.exists(x, x == ${this.text(0)})`,
      () => `${this.#list(depth - 1)}.all(x, x.startsWith(${this.text(0)}))`,
    ])();
  }

  #number(depth: number): string {
    if (depth === 0) return this.#one(numbers);
    return this.#one([
      () => this.#one(numbers),
      () => `(${this.#number(depth - 1)} ${this.#one(['+', '-', '*', '/', '%'])} ${this.#number(depth - 1)})`,
      () => `size(${this.text(depth - 1)})`,
      () => `${this.#list(depth - 1)}.size()`,
      () => `${this.text(depth - 1)}.indexOf(${this.text(0)})`,
    ])();
  }

  #list(depth: number): string {
    if (depth === 0) return this.#one(lists);
    return this.#one([
      () => this.#one(lists),
      () => `[${this.text(depth - 1)}, ${this.text(depth - 1)}]`,
      () => `${this.#list(depth - 1)}.map(x, x + ${this.text(0)})`,
      () => `${this.#list(depth - 1)}.filter(x, ${this.#condition(0)})`,
      () => `(${this.#list(depth - 1)} + ${this.#list(depth - 1)})`,
      () => `${this.text(depth - 1)}.split(${this.text(0)})`,
    ])();
  }

  #one<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.#random.next() * choices.length)] as T;
  }
}

const texts = [
  "'a'",
  "'xyz'",
  "''",
  'string(object.metadata.name)',
  'string(object.data.a)',
  'string(object.data.none)',
  "object.data.?b.orValue('none')",
  'string(object.metadata.labels.team)',
  'request.operation',
  'request.namespace',
  'request.subResource',
  'request.kind.kind',
  'variables.text',
  'variables.failing',
  'namespaceObject.metadata.name',
  'string(params)',
] as const;

const conditions = [
  'true',
  'has(object.data.a)',
  'has(object.data.none)',
  'has(object.none.none)',
  "'a' in object.data",
  'oldObject == null',
  'request.dryRun',
  'variables.flag',
  'variables.failing == 1',
] as const;

const numbers = [
  '0',
  '1',
  '7',
  'size(object.data)',
  'int(object.metadata.labels.n)',
  'variables.count',
  'int(object.data.a)',
] as const;

const lists = [
  "['a', 'b']",
  'namespaceObject.spec.finalizers',
  'request.userInfo.groups',
  'variables.list',
  'object.data.map(k, k)',
  "['x'].filter(y, y == 'z')",
] as const;

/** The variables that the expressions use. */
export const randomVariables = [
  { name: 'text', expression: "object.data.a + '!'" },
  { name: 'count', expression: 'object.data.map(k, 1).size() + 3' },
  { name: 'flag', expression: 'object.data.a == "b"' },
  { name: 'list', expression: "['v', 'w'] + object.data.map(k, k)" },
  { name: 'failing', expression: 'object.data.none' },
] as const;
