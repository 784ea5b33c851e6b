/**
 * Keeps a controller's workers from keys while any of its sources says that what is known is not what there is. Runs in
 * hand go on.
 */
export class Gate {
  readonly #closedBy = new Set<object>();
  #opened: PromiseWithResolvers<void> | undefined;

  get isOpen(): boolean {
    return this.#closedBy.size === 0;
  }

  /** Closed while any source has said `false` last. */
  set(source: object, isOpen: boolean): void {
    if (!isOpen) {
      this.#closedBy.add(source);
      return;
    }
    if (!this.#closedBy.delete(source) || !this.isOpen) return;
    this.#opened?.resolve();
    this.#opened = undefined;
  }

  /** Resolves when it is open. */
  whenOpen(): Promise<void> {
    if (this.isOpen) return Promise.resolve();
    this.#opened ??= Promise.withResolvers();
    return this.#opened.promise;
  }
}
