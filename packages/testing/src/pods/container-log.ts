/** The maximum number of characters that are kept of one run of a container. */
const mostCharacters = 250_000;

/** The output of the current and of the previous run of a container. Keeps the end of each. */
export class ContainerLog {
  #current = '';
  #previous = '';

  get current(): string {
    return this.#current;
  }

  get previous(): string {
    return this.#previous;
  }

  add(text: string): void {
    this.#current += text;
    if (this.#current.length <= mostCharacters) return;
    const kept = this.#current.slice(-mostCharacters);
    // Without the first line, which is cut off.
    this.#current = kept.slice(kept.indexOf('\n') + 1);
  }

  /** Starts another run. */
  begin(): void {
    this.#previous = this.#current;
    this.#current = '';
  }

  /** The last lines of the current run, or of the previous one if the current one has written nothing. */
  lastLines(count: number): string[] {
    const text = (this.#current === '' ? this.#previous : this.#current).trimEnd();
    return text === '' ? [] : text.split('\n').slice(-count);
  }
}
