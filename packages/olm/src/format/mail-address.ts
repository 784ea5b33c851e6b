/** Addresses that are longer than this are invalid (RFC 5321 4.5.3.1.3, with room for a display name). */
const longest = 1000;
// Letters beyond ASCII are allowed (RFC 6532).
const atom = String.raw`[^\s()<>[\]:;@\\,."\u0000-\u001f\u007f]+`;
const word = String.raw`(?:${atom}|"(?:[^"\\\r\n]|\\[^\r\n])*")`;
const localPart = String.raw`(?:${atom}(?:\.${atom})*|"(?:[^"\\\r\n]|\\[^\r\n])*")`;
const domain = String.raw`(?:${atom}(?:\.${atom})*|\[[^[\]\\\s]*\])`;
const plainForm = new RegExp(String.raw`^\s*${localPart}@${domain}\s*(?:\([^()]*\)\s*)?$`, 'u');
const namedForm = new RegExp(
  String.raw`^\s*(?:${word}(?:[ .\t]+${word})*\s*)?<\s*${localPart}@${domain}\s*>\s*(?:\([^()]*\)\s*)?$`,
  'u',
);

/**
 * Whether a text is one mail address: `name@example.com` or `Full Name <name@example.com>`.
 *
 * Source: RFC 5322 3.4, as far as `ParseAddress` of Go's net/mail reads it.
 */
export function isMailAddress(text: string): boolean {
  return text.length <= longest && (plainForm.test(text) || namedForm.test(text));
}
