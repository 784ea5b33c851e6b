import type { SchemaDifference } from '../diff/schema-difference.ts';
import { shown } from '../resource-options/option-reader.ts';

/** A difference in words, about an object that is written through version `from` and read through version `to`. */
export function differenceText(difference: SchemaDifference, from: string, to: string): string {
  const { path, keyword, effect } = difference;
  const value = path === '' ? 'the object' : path;
  const direction = `${from} to ${to}`;
  const change = `${keyword} is ${valueText(difference.to)} in ${to} and ${valueText(difference.from)} in ${from}`;
  switch (effect) {
    case 'lost':
      return `${direction}: ${lossText(difference, value, from, to)}`;
    case 'defaulted':
      return `${direction}: a missing ${value} becomes ${shown(difference.to)}, because only ${to} has a default`;
    case 'invalid':
      return `${direction}: ${value} ${violationText(difference, change, to)}`;
    case 'undecided':
      return `${direction}: ${value} ${doubtText(difference, change, from, to)}`;
    case 'merged':
      return `${from} and ${to}: server-side apply merges ${value} differently, because ${change}`;
    case 'overwritten':
      return `${direction}: a write of the whole object through ${to} replaces or removes the status, because only ${from} has the status subresource`;
    case 'new-objects':
      return difference.to === undefined
        ? `${direction}: an object that was stored without ${value} does not get the default ${shown(difference.from)} any more`
        : `${direction}: an object that was stored without ${value} gets ${shown(difference.to)} instead of ${shown(difference.from)}`;
  }
}

function lossText(
  { keyword, from: given, to: accepted }: SchemaDifference,
  value: string,
  from: string,
  to: string,
): string {
  switch (keyword) {
    case 'type':
      return `fields of ${value} are lost, because its type is ${typeText(accepted)} instead of ${typeText(given)}`;
    case 'nullable':
      return `null in ${value} is lost, because only ${from} has nullable`;
    case 'x-kubernetes-preserve-unknown-fields':
      return `unknown fields of ${value} are lost, because only ${from} preserves them`;
    case 'x-kubernetes-embedded-resource':
      return `metadata of ${value} is lost, because only ${from} has an embedded resource`;
    default:
      return `${value} is lost, because ${to} does not have it`;
  }
}

function violationText({ keyword, from, to: accepted }: SchemaDifference, change: string, to: string): string {
  switch (keyword) {
    case 'required':
      return `can be missing, but ${to} requires it`;
    case 'nullable':
      return `can contain null, but ${to} rejects null`;
    case 'type':
      return `can be invalid, because its type is ${typeText(accepted)} instead of ${typeText(from)}`;
    case 'x-kubernetes-list-type':
      return `can contain duplicates, but in ${to} it is a ${String(accepted)}`;
    default:
      return `can be invalid, because ${change}`;
  }
}

function doubtText(difference: SchemaDifference, change: string, from: string, to: string): string {
  switch (difference.keyword) {
    case 'x-kubernetes-validations':
      return `may violate ${ruleText(difference, from, to)}`;
    case 'subresources.scale':
      return `can be invalid, because @Scale of ${to} names it and requires ${scaledText(difference)}, which ${from} does not ensure`;
    default:
      return `may be invalid, because ${change}, which cannot be compared`;
  }
}

function scaledText({ path, to }: SchemaDifference): string {
  const { labelSelectorPath } = (to ?? {}) as { readonly labelSelectorPath?: string };
  return labelSelectorPath === `.${path}` ? 'a string' : 'an integer from 0 to 2147483647';
}

function ruleText({ from: given, to: rule }: SchemaDifference, from: string, to: string): string {
  return given === undefined
    ? `the rule ${shown(rule)}, which only ${to} has`
    : `the rule ${shown(rule)}, because it reads values of other types than in ${from}`;
}

function typeText(types: unknown): string {
  if (!Array.isArray(types)) return 'any';
  return types.includes('number') ? 'number' : types.join(' or ');
}

function valueText(value: unknown): string {
  return value === undefined ? 'not set' : typeof value === 'string' && /^[a-z]/i.test(value) ? value : shown(value);
}
