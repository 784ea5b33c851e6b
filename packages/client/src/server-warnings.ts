import type { Logger, TransportResponse } from '@evenkeel/core';

/** How many different warnings are remembered; beyond, the oldest may be told again. */
const rememberedWarnings = 1000;

/** Logs what a server warns of in `Warning` headers (RFC 7234, code 299), each text once. */
export class ServerWarnings {
  readonly #logger: Logger;
  readonly #told = new Set<string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  tell(response: TransportResponse): void {
    const header = response.headers['warning'];
    if (header === undefined) return;
    for (const text of parseWarnings(header)) {
      if (this.#told.has(text)) continue;
      for (const oldest of this.#told) {
        if (this.#told.size < rememberedWarnings) break;
        this.#told.delete(oldest);
      }
      this.#told.add(text);
      this.#logger.warn('the API server warns', { warning: text });
    }
  }
}

/** The texts of `299 - "text"`, several joined by commas, quotes and backslashes in them escaped by a backslash. */
export function parseWarnings(header: string): string[] {
  const texts: string[] = [];
  let at = 0;
  while (at < header.length) {
    const open = header.indexOf('"', at);
    if (open < 0) break;
    const is299 = /(?:^|,)\s*299 \S+ $/.test(header.slice(Math.max(at, open - 300), open));
    let text = '';
    let end = open + 1;
    for (; end < header.length && header[end] !== '"'; end++) {
      if (header[end] === '\\') end++;
      text += header[end] ?? '';
    }
    if (is299) texts.push(text);
    at = end + 1;
    // A quoted date may follow the text.
    const date = /^ "[^"]*"/.exec(header.slice(at, at + 60));
    if (date !== null) at += date[0].length;
  }
  return texts;
}
