/** The number of different lines of an object that are remembered. Further ones count as new. */
const linesRemembered = 100;
/** The number of objects. Beyond it, the first of them loses its counts. */
const objectsRemembered = 1000;

/** Counts equal lines about an object. */
export class RepeatedLines {
  /** By object, then by line. */
  readonly #counts = new Map<string, Map<string, number>>();

  /** Counts a line, and returns how often the object has had it. */
  add(about: string, line: string): number {
    const counts = this.#counts.get(about) ?? new Map<string, number>();
    this.#counts.set(about, counts);
    const [oldest = about] = this.#counts.keys();
    if (this.#counts.size > objectsRemembered) this.#counts.delete(oldest);
    const times = (counts.get(line) ?? 0) + 1;
    if (times > 1 || counts.size < linesRemembered) counts.set(line, times);
    return times;
  }

  forget(about: string): void {
    this.#counts.delete(about);
  }
}
