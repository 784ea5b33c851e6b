/**
 * Stops a controller's workers from taking keys while one of its sources reports that its cache is not current. Active runs
 * continue.
 */
export class Gate {
  readonly #closedBy = new Set<object>();
  #opened: PromiseWithResolvers<void> | undefined;

  get isOpen(): boolean {
    return this.#closedBy.size === 0;
  }

  /** The gate is closed while the last value of any source is false. */
  set(source: object, isOpen: boolean): void {
    if (!isOpen) {
      this.#closedBy.add(source);
      return;
    }
    if (!this.#closedBy.delete(source) || !this.isOpen) return;
    this.#opened?.resolve();
    this.#opened = undefined;
  }

  /** Resolves when the gate is open. */
  whenOpen(): Promise<void> {
    if (this.isOpen) return Promise.resolve();
    this.#opened ??= Promise.withResolvers();
    return this.#opened.promise;
  }
}
