// Only the forms of names, without the messages, because operators check names when they start.

/** The expressions that upstream's messages quote. */
export const dns1123Label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
export const dns1123Subdomain = `${dns1123Label}(\\.${dns1123Label})*`;
export const dns1035Label = '[a-z]([-a-z0-9]*[a-z0-9])?';
export const qualifiedName = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

// The functions accept the same strings as the expressions and read each character once.

/** Whether a string has the form of an RFC 1123 label, regardless of its length. */
export const hasLabelForm = (text: string): boolean => /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(text);

/** Whether a string has the form of an RFC 1123 subdomain, regardless of its length. */
export const hasSubdomainForm = (text: string): boolean => text.split('.').every(hasLabelForm);

/** Whether a string has the form of a label's value or of the name in its key, regardless of its length. */
export const hasQualifiedForm = (text: string): boolean =>
  /^[-A-Za-z0-9_.]+$/.test(text) && /^[A-Za-z0-9]/.test(text) && /[A-Za-z0-9]$/.test(text);

/** Whether a string is an RFC 1123 label, the rule for names of namespaces. */
export const isDns1123Label = (text: string): boolean => text.length <= 63 && hasLabelForm(text);

/** Whether a string is an RFC 1123 subdomain, the rule for names of most objects. */
export const isDns1123Subdomain = (text: string): boolean => text.length <= 253 && hasSubdomainForm(text);

/** Whether a string is `NAME` or `DOMAIN/NAME`: a label's key, a finalizer or a condition type (`IsQualifiedName`). */
export function isQualifiedName(text: string): boolean {
  const [name = '', domain, ...rest] = text.split('/').reverse();
  return (
    rest.length === 0 &&
    (domain === undefined || isDns1123Subdomain(domain)) &&
    name.length <= 63 &&
    hasQualifiedForm(name)
  );
}
