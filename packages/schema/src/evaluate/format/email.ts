import { isIpv4, isIpv6 } from './address.ts';

/** Whether Go's net/mail ParseAddress accepts it: `a@b`, `Name <a@b>`, with comments; domain names are not checked. */
export function isEmail(text: string): boolean {
  const reader = new AddressReader(text);
  const addresses = reader.address(true);
  return addresses === 1 && reader.skipComments() && reader.isAtEnd;
}

const special = new Set('()<>[]:;@\\,"');

/** Reads from the left. Methods return the number of addresses that they read, or undefined if there is none. */
class AddressReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  address(mayBeGroup: boolean): number | undefined {
    this.#skipSpace();
    if (this.isAtEnd) return undefined;
    const start = this.#at;
    if (this.#mailbox()) {
      this.#skipSpace();
      return this.#take('(') && !this.#comment() ? undefined : 1;
    }
    this.#at = start;
    if (this.#peek() !== '<' && !this.#phrase()) return undefined;
    this.#skipSpace();
    if (mayBeGroup && this.#take(':')) return this.#group();
    return this.#take('<') && this.#mailbox() && this.#take('>') ? 1 : undefined;
  }

  skipComments(): boolean {
    this.#skipSpace();
    while (this.#take('(')) {
      if (!this.#comment()) return false;
      this.#skipSpace();
    }
    return true;
  }

  #group(): number | undefined {
    this.#skipSpace();
    if (this.#take(';')) return this.skipComments() ? 0 : undefined;
    for (let count = 0; ; ) {
      this.#skipSpace();
      const read = this.address(false);
      if (read === undefined || !this.skipComments()) return undefined;
      count += read;
      if (this.#take(';')) return this.skipComments() ? count : undefined;
      if (!this.#take(',')) return undefined;
    }
  }

  #mailbox(): boolean {
    this.#skipSpace();
    if (this.isAtEnd) return false;
    const local = this.#peek() === '"' ? this.#quoted() : this.#atom(true);
    if (local === undefined || local === '' || !this.#take('@')) return false;
    this.#skipSpace();
    if (this.isAtEnd) return false;
    return this.#peek() === '[' ? this.#domainLiteral() : this.#atom(true) !== undefined;
  }

  #phrase(): boolean {
    let words = 0;
    for (;;) {
      if (words > 0 && !this.skipComments()) return false;
      this.#skipSpace();
      if (this.isAtEnd) return true;
      const word = this.#peek() === '"' ? this.#quoted() : this.#atom(false);
      if (word === undefined) return words > 0;
      words++;
    }
  }

  #quoted(): string | undefined {
    let content = '';
    for (let i = this.#at + 1; i < this.#text.length; i++) {
      const char = this.#text.charAt(i);
      if (char === '"') {
        this.#at = i + 1;
        return content;
      }
      if (char === '\\') i++;
      const quoted = this.#text.charAt(i);
      if (!isVisible(quoted) && quoted !== ' ' && quoted !== '\t') return undefined;
      content += quoted;
    }
    return undefined;
  }

  #atom(isStrict: boolean): string | undefined {
    const start = this.#at;
    let end = start;
    while (end < this.#text.length && isAtomText(this.#text.charAt(end))) end++;
    if (end === start) return undefined;
    const atom = this.#text.slice(start, end);
    this.#at = end;
    return isStrict && (atom.startsWith('.') || atom.endsWith('.') || atom.includes('..')) ? undefined : atom;
  }

  #domainLiteral(): boolean {
    const end = this.#text.indexOf(']', this.#at);
    if (end < 0) return false;
    const address = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    return isIpv4(address) || isIpv6(address);
  }

  /** Reads the rest of a comment after its opening parenthesis. */
  #comment(): boolean {
    let depth = 1;
    while (!this.isAtEnd && depth > 0) {
      const char = this.#peek();
      if (char === '\\' && this.#at + 1 < this.#text.length) this.#at++;
      else if (char === '(') depth++;
      else if (char === ')') depth--;
      this.#at++;
    }
    return depth === 0;
  }

  #take(char: string): boolean {
    if (this.#peek() !== char) return false;
    this.#at++;
    return true;
  }

  #peek(): string {
    return this.#text.charAt(this.#at);
  }

  #skipSpace(): void {
    while (this.#peek() === ' ' || this.#peek() === '\t') this.#at++;
  }
}

function isAtomText(char: string): boolean {
  return !special.has(char) && isVisible(char);
}

function isVisible(char: string): boolean {
  return (char >= '!' && char <= '~') || char >= '\x80';
}
