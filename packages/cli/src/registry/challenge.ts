/** A form of authentication that a registry asks for. */
export interface Challenge {
  readonly scheme: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const headerMax = 8192;

/** Returns the challenges of a header `WWW-Authenticate`, with scheme and names of parameters in lower case (RFC 9110). */
export function parseChallenges(header: string): Challenge[] {
  const challenges: { scheme: string; parameters: Record<string, string> }[] = [];
  // A parameter with "=" before the word ends, or the scheme of the next challenge.
  const words = /([\w-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+)))?/g;
  for (const [, name = '', text, token] of header.slice(0, headerMax).matchAll(words)) {
    const value = text?.replace(/\\(.)/g, '$1') ?? token;
    if (value === undefined) challenges.push({ scheme: name.toLowerCase(), parameters: {} });
    else {
      const { parameters } = challenges.at(-1) ?? {};
      if (parameters !== undefined) parameters[name.toLowerCase()] ??= value;
    }
  }
  return challenges;
}
