/**
 * Returns why a reference to an image is invalid, or undefined. Tags, digests and names without a registry are valid.
 *
 * Source: `ParseNormalizedNamed` of github.com/distribution/reference, with which OLM's validator reads `spec.relatedImages`.
 */
export function imageReferenceError(reference: string): string | undefined {
  if (reference.length > longestReference) return `it has more than ${longestReference} characters`;
  if (/^[0-9a-f]{64}$/.test(reference)) return 'it is the digest of an image without its name';
  const { name, tag, digest } = partsOf(reference);
  const { domain, path } = splitDomain(name);
  if (domain !== undefined && !domainForm.test(domain)) return `"${domain}" is not a valid host`;
  if (path === '') return 'it has no name';
  if (path !== path.toLowerCase()) return 'the name must be lowercase';
  if (!path.split('/').every((part) => componentForm.test(part))) return `"${path}" is an invalid name`;
  if (path.length > longestPath) return `the name has more than ${longestPath} characters`;
  if (tag !== undefined && !/^\w[\w.-]{0,127}$/.test(tag)) return `"${tag}" is an invalid tag`;
  return digest === undefined ? undefined : digestError(digest);
}

/** Whether a reference names exactly one image, which tags do not. */
export function hasDigest(reference: string): boolean {
  return partsOf(reference).digest !== undefined;
}

const longestReference = 4096;
const longestPath = 255;
/** Each part starts and ends with a letter or a digit. Separators are `.`, `_`, `__` and any number of `-`. */
const componentForm = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
const domainForm =
  /^(?:(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])(?:\.(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]))*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?$/;
/** The algorithms of the digests that container tools compute, with the number of their digits. */
const digits: ReadonlyMap<string, number> = new Map([
  ['sha256', 64],
  ['sha384', 96],
  ['sha512', 128],
]);

function partsOf(reference: string): {
  readonly name: string;
  readonly tag: string | undefined;
  readonly digest: string | undefined;
} {
  const at = reference.indexOf('@');
  const named = at === -1 ? reference : reference.slice(0, at);
  const digest = at === -1 ? undefined : reference.slice(at + 1);
  const colon = named.indexOf(':', named.lastIndexOf('/') + 1);
  if (colon === -1) return { name: named, tag: undefined, digest };
  return { name: named.slice(0, colon), tag: named.slice(colon + 1), digest };
}

/** The first part is a host if it has a dot, a port or a capital letter, or if it is `localhost`. */
function splitDomain(name: string): { readonly domain: string | undefined; readonly path: string } {
  const slash = name.indexOf('/');
  const first = slash === -1 ? '' : name.slice(0, slash);
  const isDomain = slash !== -1 && (/[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase());
  return isDomain ? { domain: first, path: name.slice(slash + 1) } : { domain: undefined, path: name };
}

function digestError(digest: string): string | undefined {
  const colon = digest.indexOf(':');
  const length = digits.get(digest.slice(0, colon));
  if (length === undefined) return `"${digest}" is not a digest such as sha256:... with 64 digits`;
  const hexadecimal = digest.slice(colon + 1);
  const isValid = hexadecimal.length === length && /^[0-9a-f]+$/.test(hexadecimal);
  return isValid ? undefined : `the digest must have ${length} digits from 0 to 9 and a to f`;
}
