import {
  type AnyClass,
  declarationsOf,
  EvenkeelError,
  groupResourceOf,
  ownDeclarationsOf,
  pluralOf,
} from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { checkDeclarations, checkUnmarked } from './crd/check-declarations.ts';
import { checkOffline } from './crd/check-offline.ts';
import { customResourceDefinition } from './crd/custom-resource-definition.ts';
import { type Finding, findingText, throwOnErrors } from './finding.ts';
import type { ValidatorGroups } from './model/constraint-metadata.ts';
import { type ReadClassOptions, readApiClass } from './model/read-api-class.ts';
import { ClassSources } from './source/class-sources.ts';

/** CRDs and what there is to say about them. */
export interface Generation {
  /** One for each class without an `error`, in the order of the classes. */
  readonly definitions: readonly CustomResourceDefinition[];
  readonly findings: readonly Finding[];
}

/** How CRDs are made of classes. */
export interface GenerationOptions {
  /**
   * What {@link ClassSources.read} found. Without it there are no descriptions, and types and optionality come from
   * decorators and initialisers alone.
   */
  readonly sources?: ClassSources;
  /** Which decorators of class-validator apply, by its own options. Default: all of them. */
  readonly validator?: ValidatorGroups;
}

/**
 * Makes the CRDs of classes with `@CustomResource`. Reads decorators, makes two instances of each class for their
 * defaults, checks each CRD by the API server's rules, and does no I/O. Throws nothing for mistakes in the classes: they are findings, all at once.
 *
 * @param options sources alone may be given in their place.
 */
export async function generateCustomResourceDefinitions(
  classes: readonly AnyClass[],
  options: ClassSources | GenerationOptions = {},
): Promise<Generation> {
  const { sources = new ClassSources(), validator = {} } = optionsOf(options);
  const definitions: CustomResourceDefinition[] = [];
  const findings: Finding[] = [...sources.findings];
  const seen = new Map<string, AnyClass>();
  for (const type of classes) {
    const own: Finding[] = [];
    const definition = await definitionOf(type, { sources, validator }, seen, own);
    findings.push(...own);
    if (definition !== undefined && !own.some((finding) => finding.level === 'error')) definitions.push(definition);
  }
  return { definitions, findings };
}

/** The CRD of one class. Throws an EvenkeelError that names every mistake; notices are left out. */
export async function customResourceDefinitionOf(
  type: AnyClass,
  options?: ClassSources | GenerationOptions,
): Promise<CustomResourceDefinition> {
  const { definitions, findings } = await generateCustomResourceDefinitions([type], options);
  throwOnErrors(findings);
  const [definition] = definitions;
  if (definition === undefined) {
    throw new EvenkeelError('missing-custom-resource', findings.map(findingText).join('\n'));
  }
  return definition;
}

/** The classes with `@CustomResource` that a module exports, in the order of their names. */
export function customResourcesIn(exports: Readonly<Record<string, unknown>>): readonly AnyClass[] {
  const found = Object.values(exports).filter(
    (value): value is AnyClass =>
      typeof value === 'function' && ownDeclarationsOf(value as unknown as AnyClass)?.customResource !== undefined,
  );
  return [...new Set(found)].sort((left, right) => (left.name < right.name ? -1 : 1));
}

function optionsOf(options: ClassSources | GenerationOptions): GenerationOptions {
  return options instanceof ClassSources ? { sources: options } : options;
}

async function definitionOf(
  type: AnyClass,
  options: ReadClassOptions,
  seen: Map<string, AnyClass>,
  findings: Finding[],
): Promise<CustomResourceDefinition | undefined> {
  const source = options.sources.sourceOf(type);
  const report = (code: Finding['code'], message: string, property?: string) => {
    const line = property === undefined ? undefined : source?.properties.get(property)?.line;
    findings.push({
      level: 'error',
      code,
      className: type.name,
      ...(property === undefined ? {} : { property }),
      ...(source === undefined ? {} : { location: { file: source.file, line: line ?? source.line } }),
      message,
    });
  };
  const { customResource } = declarationsOf(type);
  if (customResource === undefined) {
    report(
      'missing-custom-resource',
      'it has no @CustomResource; add @CustomResource({ group, version }) above the class',
    );
    return undefined;
  }
  checkDeclarations(type, customResource, report);
  const resource = groupResourceOf({
    group: customResource.group,
    plural: customResource.plural ?? pluralOf(customResource.kind),
  });
  const other = seen.get(resource);
  if (other !== undefined && other !== type) {
    report(
      'duplicate-declaration',
      `${other.name} declares ${resource} too; give one of them another kind, plural or group, or list only one`,
    );
  }
  seen.set(resource, type);
  const root = await readApiClass(type, options, findings);
  checkUnmarked(root.properties, report);
  const definition = customResourceDefinition(root, customResource, findings);
  // What is not known yet would be refused for that once more.
  if (!findings.some((finding) => finding.level === 'error')) findings.push(...checkOffline(definition, root));
  return definition;
}
