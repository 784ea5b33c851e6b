/** A server that is away is away for every kind that is watched: who notices first says so, for all of them. */
export class Outage {
  readonly #unreached = new Set<object>();
  #isToldElsewhere: boolean;

  /** `isToldElsewhere`: until the server is {@link reached} for the first time, something else says that it is not. */
  constructor(isToldElsewhere = false) {
    this.#isToldElsewhere = isToldElsewhere;
  }

  get isToldElsewhere(): boolean {
    return this.#isToldElsewhere;
  }

  /** Takes note that the server has answered somebody. */
  reached(): void {
    this.#isToldElsewhere = false;
  }

  /** Takes note that a source gets no answer. Gives whether that is to be said. */
  begins(source: object): boolean {
    const isFirst = this.#unreached.size === 0;
    this.#unreached.add(source);
    return isFirst && !this.#isToldElsewhere;
  }

  /** Takes note that a source gets answers. */
  ends(source: object): void {
    this.#unreached.delete(source);
    this.reached();
  }
}
