import { type Logger, type TransportResponse, takeCallers, userFramesOf } from '@evenkeel/core';
import { type ApiRequest, describeRequest } from './api-request.ts';

/** The number of different warnings that are remembered. Beyond it, the oldest may be logged again. */
const rememberedWarnings = 1000;

/**
 * Logs the `Warning` headers of responses (RFC 7234, code 299) with the request, its object and the line of the user's
 * code that made the call. A text is logged once for each kind and verb: a deprecated field is in each object of a kind.
 */
export class ServerWarnings {
  readonly #logger: Logger;
  readonly #logged = new Set<string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Must be called by the async functions that the caller awaits. */
  log(request: ApiRequest, response: TransportResponse): void {
    const header = response.headers['warning'];
    if (header === undefined) return;
    for (const text of parseWarnings(header)) {
      const { verb, resource, subresource = '' } = request;
      const identity = [verb, resource.group, resource.plural, subresource, text].join(' ');
      if (this.#logged.has(identity)) continue;
      for (const oldest of this.#logged) {
        if (this.#logged.size < rememberedWarnings) break;
        this.#logged.delete(oldest);
      }
      this.#logged.add(identity);
      const caller = callerOfThis();
      this.#logger.warn('warning from the API server', {
        warning: text,
        request: describeRequest(request),
        ...(caller === undefined ? {} : { caller }),
      });
    }
  }
}

function callerOfThis(): string | undefined {
  const here = new Error();
  takeCallers(here);
  return userFramesOf(here)?.[0]?.text;
}

/** Parses `299 - "text"`, several of which are separated by commas. A backslash escapes quotes and backslashes. */
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
