/** The total length, in characters, beyond which warnings are cut: upstream's `truncateAtTotalRunes`. */
const totalMax = 4 * 1024;
/** The length to which each warning is cut then: upstream's `truncateItemRunes`. */
const itemMax = 256;

/**
 * The `Warning` headers of one response, each warning once and in order, within upstream's limits: if all of them together
 * are longer than 4,096 characters, each is cut to 256. The recorder ignores further ones when the cut ones are longer than
 * 4,096 characters too. Source: `k8s.io/apiserver/pkg/endpoints/filters/warning.go`.
 */
export class WarningRecorder {
  readonly #recorded = new Set<string>();
  #shown: string[] = [];
  #written = 0;
  #truncating = false;

  add(text: string): void {
    if (text === '' || (this.#truncating && this.#written >= totalMax) || this.#recorded.has(text)) return;
    // Upstream drops such a warning, because it is not a valid header.
    if (/\p{Cc}/u.test(text)) return;
    this.#recorded.add(text);
    if (!this.#truncating && this.#written + lengthOf(text) > totalMax) {
      this.#truncating = true;
      this.#written = 0;
      this.#shown = [];
      for (const recorded of this.#recorded) this.#show(recorded);
    } else this.#show(text);
  }

  /** The values of the headers. */
  headers(): string[] {
    return this.#shown.map((text) => `299 - ${JSON.stringify(text)}`);
  }

  #show(text: string): void {
    const shown = this.#truncating && text.length > itemMax ? [...text].slice(0, itemMax).join('') : text;
    this.#written += lengthOf(shown);
    this.#shown.push(shown);
  }
}

/** In Unicode code points, as Go counts runes. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}
