import { childPath, dns1035LabelErrors, type FieldError, invalid, keyPath, required } from '../apimachinery.ts';
import type { NamesSpec } from './custom-resource-definition.ts';

/** The errors of `spec.names`, where all but short names and categories must be given, or of `status.acceptedNames`. */
export function nameErrors(names: NamesSpec, path: string, areRequired: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const at = (name: string) => childPath(path, name);
  if (areRequired) {
    for (const name of ['plural', 'singular', 'kind', 'listKind'] as const) {
      if (!names[name]) errors.push(required(at(name)));
    }
  }
  for (const name of ['plural', 'singular'] as const) {
    const reasons = names[name] ? dns1035LabelErrors(names[name]) : [];
    if (reasons.length > 0) errors.push(invalid(at(name), names[name], reasons.join(',')));
  }
  for (const name of ['kind', 'listKind'] as const) {
    const reasons = names[name] ? dns1035LabelErrors(names[name].toLowerCase()) : [];
    const detail = `may have mixed case, but should otherwise match: ${reasons.join(',')}`;
    if (reasons.length > 0) errors.push(invalid(at(name), names[name], detail));
  }
  const listErrors = (name: 'shortNames' | 'categories') => {
    names[name]?.forEach((text, i) => {
      const reasons = dns1035LabelErrors(text);
      if (reasons.length > 0) errors.push(invalid(keyPath(at(name), i), text, reasons.join(',')));
    });
  };
  listErrors('shortNames');
  if (names.kind && names.kind === names.listKind) {
    errors.push(invalid(at('listKind'), names.listKind, 'kind and listKind may not be the same'));
  }
  listErrors('categories');
  return errors;
}
