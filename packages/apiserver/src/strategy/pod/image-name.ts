/**
 * Returns the default pull policy of an image: `Always` for the tag `latest`, explicit or implied, else `IfNotPresent`
 * (`SetDefaults_Container`). An invalid reference has no tag.
 */
export function defaultPullPolicy(image: string | undefined): 'Always' | 'IfNotPresent' {
  return image !== undefined && tagOf(image) === 'latest' ? 'Always' : 'IfNotPresent';
}

const part = /^[a-z0-9]+(?:[._-]+[a-z0-9]+)*$/;
const tagShape = /^\w[\w.-]{0,127}$/;
const longestReference = 4096;
const longestName = 255;
const defaultHost = 'docker.io/library/';

function tagOf(reference: string): string | undefined {
  if (reference === '' || reference.length > longestReference) return undefined;
  const [named = '', digest, ...more] = reference.split('@');
  if (more.length > 0 || digest === '') return undefined;
  const slash = named.lastIndexOf('/');
  const colon = named.indexOf(':', slash + 1);
  const tag = colon === -1 ? undefined : named.slice(colon + 1);
  const path = (colon === -1 ? named : named.slice(0, colon)).split('/');
  const first = path[0] ?? '';
  const hasHost = path.length > 1 && (/[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase());
  if (!(hasHost ? path.slice(1) : path).every((segment) => part.test(segment))) return undefined;
  const isBare = path.length === 1;
  if (path.join('/').length + (isBare ? defaultHost.length : 0) > longestName) return undefined;
  if (tag !== undefined) return tagShape.test(tag) ? tag : undefined;
  return digest === undefined ? 'latest' : undefined;
}
