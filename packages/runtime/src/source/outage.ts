/** Whether the server is unreachable, which affects all watched kinds. The first source that notices it logs it for all of them. */
export class Outage {
  readonly #unreached = new Set<object>();
  #isToldElsewhere: boolean;

  /** @param isToldElsewhere whether other code reports an unreachable server until it is {@link reached} for the first time. */
  constructor(isToldElsewhere = false) {
    this.#isToldElsewhere = isToldElsewhere;
  }

  get isToldElsewhere(): boolean {
    return this.#isToldElsewhere;
  }

  /** Records that the server has responded to any request. */
  reached(): void {
    this.#isToldElsewhere = false;
  }

  /** Records that a source gets no response. Returns whether the source must log it. */
  begins(source: object): boolean {
    const isFirst = this.#unreached.size === 0;
    this.#unreached.add(source);
    return isFirst && !this.#isToldElsewhere;
  }

  /** Records that a source gets responses. */
  ends(source: object): void {
    this.#unreached.delete(source);
    this.reached();
  }
}
