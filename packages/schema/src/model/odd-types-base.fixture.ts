export enum Phase {
  Up = 'up',
  Down = 'down',
}

export interface Named {
  name: string;
}

export interface Page<T> {
  items: T[];
}

class Root<T> {
  root?: T;
}

export abstract class Base<T, U extends string> extends Root<U> {
  /** From the base class. */
  base?: T;
  all: U[] = [];
}
