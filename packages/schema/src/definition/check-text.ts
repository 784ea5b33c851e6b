import { isJsonObject } from '@evenkeel/apimachinery/json';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import type { Finding } from '../finding/finding.ts';
import type { ApiClass, ApiProperty } from '../model/api-class.ts';
import { shown } from '../resource-options/option-reader.ts';
import type { ClassVersion } from './merge-versions.ts';
import { ruleAuthor } from './rule-author.ts';
import { schemaPlace } from './schema-place.ts';

/**
 * Reports every text with a lone surrogate. YAML cannot express one: kubectl and the API server reject its escape sequence.
 * In JSON the API server accepts it and stores U+FFFD instead, without a warning.
 */
export function checkText(definition: CustomResourceDefinition, versions: readonly ClassVersion[]): void {
  const found = [...loneSurrogates(definition, '')];
  for (const { path, text } of found) {
    const [prefix = '', number = 0, inSchema] = versionPath.exec(path) ?? [];
    const version = versions[Number(number)];
    if (version === undefined) continue;
    const { root, findings } = version;
    const schema = definition.spec.versions[Number(number)]?.schema?.openAPIV3Schema as StructuralSchema | undefined;
    if (inSchema === undefined || schema === undefined) {
      findings.push(findingOf(authorOf(root, undefined), path.slice(1), text));
      continue;
    }
    const { innermost, rest } = schemaPlace(path.slice(prefix.length), root, schema);
    const author = authorOf(innermost.class ?? root, innermost.property);
    const [, keyword, index] = /^\.([^.[]+)(?:\[(\d+)\])?/.exec(rest) ?? [];
    const rule = innermost.schema['x-kubernetes-validations']?.[Number(index)];
    if (keyword === undefined) findings.push(findingOf(author, 'its name', text));
    else if (keyword === 'x-kubernetes-validations' && rule !== undefined) {
      const { text: written, ...author } = ruleAuthor(rule, innermost, root);
      findings.push(findingOf(author, written, text));
    } else {
      // The default of an object contains those of its properties.
      const at = path.slice(0, path.length - rest.length);
      const isRepeated = found.some((other) => other.text === text && other.path.startsWith(`${at}.properties[`));
      if (keyword !== 'default' || !isRepeated) findings.push(findingOf(author, `its ${keyword}`, text));
    }
  }
}

const versionPath = /^\.spec\.versions\[(\d+)\](\.schema\.openAPIV3Schema)?/;

type Author = Pick<Finding, 'className' | 'property'> & { readonly location?: Finding['location'] };

function authorOf(owner: ApiClass, property: ApiProperty | undefined): Author {
  return property === undefined
    ? { className: owner.name, location: owner.location }
    : { className: property.className, property: property.name, location: property.location };
}

function findingOf({ className, property, location }: Author, where: string, text: string): Finding {
  return {
    level: 'error',
    code: 'lone-surrogate',
    className,
    ...(property === undefined ? {} : { property }),
    ...(location === undefined ? {} : { location }),
    message: `${where} contains half of a surrogate pair (${shown(text)}), which YAML cannot express and the API server replaces with U+FFFD; write the whole character, or remove the half`,
  };
}

/** The keys and strings below a value that are not well-formed, with their paths in the API server's notation. */
function* loneSurrogates(value: unknown, path: string): Generator<{ readonly path: string; readonly text: string }> {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) yield { path, text: value };
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* loneSurrogates(item, `${path}[${index}]`);
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      const below = path.endsWith('.properties') ? `${path}[${key}]` : `${path}.${key}`;
      if (!key.isWellFormed()) yield { path: below, text: key };
      yield* loneSurrogates(item, below);
    }
  }
}
