import type { PodSpec, ResourceRequirements } from '@evenkeel/kinds';
import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  duplicate,
  type FieldError,
  GoStruct,
  invalid,
  invalidBy,
  notFound,
  required,
} from '../../apimachinery/index.ts';

/** Source: `validatePodResourceClaims`, `pkg/apis/core/validation/validation.go`. */
export function validateResourceClaims(claims: PodSpec['resourceClaims'], path: string): FieldError[] {
  const names = new Set<string>();
  return (claims ?? []).flatMap(({ name = '', resourceClaimName, resourceClaimTemplateName }, index) => {
    const at = `${path}[${index}]`;
    const errors: FieldError[] = [];
    if (name === '') errors.push(required(`${at}.name`));
    else if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
    else errors.push(...invalidBy(dns1123LabelErrors, `${at}.name`, name));
    names.add(name);
    const shown = new GoStruct({
      Name: name,
      ResourceClaimName: resourceClaimName ?? null,
      ResourceClaimTemplateName: resourceClaimTemplateName ?? null,
    });
    if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined) {
      const detail = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
      errors.push(invalid(at, shown, detail));
    }
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined) {
      errors.push(invalid(at, shown, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'));
    }
    for (const [field, value] of Object.entries({ resourceClaimName, resourceClaimTemplateName })) {
      if (value !== undefined) errors.push(...invalidBy(dns1123SubdomainErrors, `${at}.${field}`, value));
    }
    return errors;
  });
}

/** Validates the claims of a container, which must be among those of the Pod. Source: `validateResourceClaimNames`. */
export function validateClaimNames(
  claims: ResourceRequirements['claims'],
  known: ReadonlySet<string>,
  path: string,
): FieldError[] {
  const keys = new Set<string>();
  /** How many requests of a claim are used. */
  const requests = new Map<string, number>();
  return (claims ?? []).flatMap(({ name = '', request = '' }, index) => {
    const at = `${path}[${index}]`;
    if (name === '') return [required(at)];
    const errors: FieldError[] = [];
    const key = request === '' ? name : `${name}/${request}`;
    if (keys.has(name)) errors.push(duplicate(at, name));
    else {
      if (request !== '') errors.push(...invalidBy(dns1123LabelErrors, `${at}.request`, request));
      // A claim as a whole includes each of its requests.
      const others = keys.has(key) ? 1 : request === '' ? (requests.get(name) ?? 0) : 0;
      for (let count = 0; count < others; count++) errors.push(duplicate(at, key));
      if (request !== '' && !keys.has(key)) requests.set(name, (requests.get(name) ?? 0) + 1);
      keys.add(key);
    }
    if (known.has(name)) return errors;
    const list = known.size === 0 ? ' which is empty' : `: ${[...known].sort().join(', ')}`;
    return [...errors, { ...notFound(at, name), detail: `must be one of the names in pod.spec.resourceClaims${list}` }];
  });
}
