// The forms of names, apart from what messages say of them: operators check names at their start.

/** The expressions that upstream's messages quote. */
export const dns1123Label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
export const dns1123Subdomain = `${dns1123Label}(\\.${dns1123Label})*`;
export const dns1035Label = '[a-z]([-a-z0-9]*[a-z0-9])?';
export const qualifiedName = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

// The functions accept the same as the expressions and look at each character once.

/** Whether a text has the form of an RFC 1123 label, whatever its length. */
export const hasLabelForm = (text: string): boolean => /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(text);

/** Whether a text has the form of an RFC 1123 subdomain, whatever its length. */
export const hasSubdomainForm = (text: string): boolean => text.split('.').every(hasLabelForm);

/** Whether a text has the form of a label's value, or of the name in its key, whatever its length. */
export const hasQualifiedForm = (text: string): boolean =>
  /^[-A-Za-z0-9_.]+$/.test(text) && /^[A-Za-z0-9]/.test(text) && /[A-Za-z0-9]$/.test(text);

/** An RFC 1123 label: what a namespace must be named. */
export const isDns1123Label = (text: string): boolean => text.length <= 63 && hasLabelForm(text);

/** An RFC 1123 subdomain: what most objects must be named. */
export const isDns1123Subdomain = (text: string): boolean => text.length <= 253 && hasSubdomainForm(text);

/** A name, or `DOMAIN/NAME`: keys of labels, finalizers and types of conditions (`IsQualifiedName`). */
export function isQualifiedName(text: string): boolean {
  const [name = '', domain, ...rest] = text.split('/').reverse();
  return (
    rest.length === 0 &&
    (domain === undefined || isDns1123Subdomain(domain)) &&
    name.length <= 63 &&
    hasQualifiedForm(name)
  );
}
