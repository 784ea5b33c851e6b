import { dns1123SubdomainErrors, type FieldError, invalid, invalidBy, required } from '../apimachinery/index.ts';

const pathRule = String.raw`[A-Za-z0-9/\-._~%!$&'()*+,;=:]+`;
const validPath = new RegExp(`^${pathRule}$`);

/** Source: `IsDomainPrefixedPath`, apimachinery `pkg/util/validation`. */
export function validateDomainPrefixedPath(text: string, path: string): FieldError[] {
  if (text === '') return [required(path)];
  const slash = text.indexOf('/');
  if (slash < 1 || slash === text.length - 1) {
    return [invalid(path, text, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const rest = text.slice(slash + 1);
  const errors = invalidBy(dns1123SubdomainErrors, path, text.slice(0, slash));
  if (validPath.test(rest)) return errors;
  return [...errors, invalid(path, rest, `Invalid path (regex used for validation is '${pathRule}')`)];
}
