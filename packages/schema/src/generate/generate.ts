import { copyJson } from '@evenkeel/apimachinery/json';
import { type AnyClass, EvenkeelError, ownDeclarationsOf } from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import type { ValidatorGroups } from '../constraints/constraint-metadata.ts';
import { checkNames } from '../definition/check-names.ts';
import { checkOffline } from '../definition/check-offline.ts';
import { checkPaths } from '../definition/check-paths.ts';
import { checkReplacement } from '../definition/check-replacement.ts';
import { checkSize } from '../definition/check-size.ts';
import { checkStatus } from '../definition/check-status.ts';
import { checkText } from '../definition/check-text.ts';
import { checkVersions } from '../definition/check-versions.ts';
import { customResourceDefinition } from '../definition/definition-of-kind.ts';
import { type DescriptionBudget, fitDescriptions } from '../definition/description-budget.ts';
import type { LossyWrites } from '../definition/lossy-writes.ts';
import { type ClassVersion, kindsOf, type MergedKind, mergeVersions } from '../definition/merge-versions.ts';
import type { PreviousDefinitions } from '../definition/previous-definitions.ts';
import { readClassVersion } from '../definition/read-class-version.ts';
import { checkStrayVersions, type StrayVersion, strayVersions } from '../definition/stray-versions.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { type Finding, findingText, orderedFindings, throwOnErrors } from '../finding/finding.ts';
import { ClassSources } from '../source/class-sources.ts';

/** CRDs and the findings about them. */
export interface Generation {
  /** One for each kind whose classes have no `error`, in the order of the classes. */
  readonly definitions: readonly CustomResourceDefinition[];
  /** The versions of these CRDs through which an operator must not write, because each write drops fields that `lossy` accepts. */
  readonly lossyWrites: readonly LossyWrites[];
  /** Without duplicates, ordered by file, line, class and property. The order does not depend on the order of the classes. */
  readonly findings: readonly Finding[];
}

/** Options of the generation. */
export interface GenerationOptions extends DescriptionBudget {
  /**
   * The result of {@link ClassSources.read}. Without it there are no descriptions, and types and optionality come only from
   * decorators and initialisers.
   */
  readonly sources?: ClassSources;
  /** Selects the class-validator decorators that apply, with class-validator's options. Default: all of them. */
  readonly validator?: ValidatorGroups;
  /**
   * The CRDs that the new ones replace. A change by which stored objects lose data or become invalid is reported, and so is a
   * removed version that clusters still use. Default: not compared.
   */
  readonly previous?: PreviousDefinitions;
}

/**
 * Generates the CRDs of classes with `@CustomResource`. Classes of one group and kind are versions of one CRD. The function
 * reads decorators, creates instances of each class for its defaults, and checks each CRD against the API server's rules.
 * It does no I/O. All errors in the classes are returned at once as findings; an invalid option throws `invalid-option`.
 *
 * @param options or only the sources.
 */
export function generateCustomResourceDefinitions(
  classes: readonly AnyClass[],
  options: ClassSources | GenerationOptions = {},
): Promise<Generation> {
  return generate(classes, options, false);
}

/** @param isPart whether each kind has versions whose classes are not given. */
async function generate(
  classes: readonly AnyClass[],
  options: ClassSources | GenerationOptions,
  isPart: boolean,
): Promise<Generation> {
  const { sources = new ClassSources(), validator = {}, previous, ...budget } = optionsOf(options);
  checkBudget(budget);
  const findings: Finding[] = [...sources.findings];
  const versions: ClassVersion[] = [];
  for (const type of new Set(classes)) {
    const version = await readClassVersion(type, { sources, validator }, findings);
    if (version !== undefined) versions.push(version);
  }
  const kinds = kindsOf(versions).map((ofKind) => mergeVersions(ofKind, isPart));
  checkNames(kinds);
  const strays = strayVersions(kinds);
  checkStrayVersions(strays);
  const made = kinds.map((kind) => definitionOf(kind, budget, previous, strays));
  const refused = new Set<string | undefined>();
  for (const [i, kind] of kinds.entries()) {
    const found = kind.versions.flatMap((version) => version.findings);
    findings.push(...found);
    if (found.some(({ level }) => level === 'error')) refused.add(made[i]?.definition.metadata.name);
  }
  // If two kinds use one name, neither is written, whichever has the finding.
  const definitions = made.map(({ definition }) => definition).filter(({ metadata }) => !refused.has(metadata.name));
  const lossyWrites = made.flatMap((each) => each.lossyWrites);
  return { definitions, lossyWrites, findings: orderedFindings(findings) };
}

/**
 * The CRD of one kind, as `evenkeel generate` writes it.
 *
 * @param types the class, or the classes of all versions of the kind: `[Shop, ShopV1beta1]`. With one class of several, the
 * CRD has only that version, which is the storage version, and no conversion.
 * @throws EvenkeelError that lists all errors; notices are ignored. `conflicting-versions` if the classes belong to several
 * kinds.
 */
export async function customResourceDefinitionOf(
  types: AnyClass | readonly AnyClass[],
  options: ClassSources | GenerationOptions = {},
): Promise<CustomResourceDefinition> {
  const classes: readonly AnyClass[] = typeof types === 'function' ? [types] : types;
  if (classes.length === 0) {
    throw new EvenkeelError(
      'missing-custom-resource',
      'customResourceDefinitionOf([]): no class is given; pass the class of the kind',
    );
  }
  const { definitions, findings } = await generate(classes, options, classes.length === 1);
  throwOnErrors(findings);
  const [definition, ...others] = definitions;
  if (definition === undefined) {
    throw new EvenkeelError('missing-custom-resource', findings.map(findingText).join('\n'));
  }
  if (others.length > 0) {
    const names = classes.map(({ name }) => name).join(', ');
    const kinds = definitions.map(({ metadata }) => metadata.name).join(', ');
    throw new EvenkeelError(
      'conflicting-versions',
      `customResourceDefinitionOf([${names}]): the classes belong to ${definitions.length} kinds (${kinds}); pass the classes of one kind, or use generateCustomResourceDefinitions()`,
    );
  }
  return definition;
}

/** The classes with `@CustomResource` that a module exports, sorted by name. */
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

/** The CRD of a kind, and its versions with lossy writes. Findings are added to the classes of its versions. */
function definitionOf(
  kind: MergedKind,
  budget: DescriptionBudget,
  previous: PreviousDefinitions | undefined,
  strays: readonly StrayVersion[],
): { readonly definition: CustomResourceDefinition; readonly lossyWrites: readonly LossyWrites[] } {
  // A copy, because descriptions are shortened and the schemas of built-in types are shared.
  const definition = copyJson(customResourceDefinition(kind));
  fitDescriptions(definition, budget);
  for (const [i, { declaration, root, report, findings }] of kind.versions.entries()) {
    const schema = definition.spec.versions[i]?.schema?.openAPIV3Schema as StructuralSchema | undefined;
    if (schema === undefined) continue;
    checkPaths(declaration, schema, report);
    checkStatus(root, schema, findings);
  }
  checkText(definition, kind.versions);
  checkOffline(definition, kind.versions);
  checkSize(definition, kind.storage.report);
  // The differences of invalid schemas would mislead.
  const isValid = kind.versions.every(({ findings }) => !findings.some(({ level }) => level === 'error'));
  if (!isValid) return { definition, lossyWrites: [] };
  const lossyWrites = checkVersions(definition, kind, previous?.replacedBy(definition)?.definition);
  if (previous !== undefined) checkReplacement(definition, kind, previous, strays);
  return { definition, lossyWrites };
}

function checkBudget(budget: DescriptionBudget): void {
  for (const option of ['maxDescriptionLength', 'maxDefinitionBytes'] as const) {
    const value = budget[option];
    if (value === undefined || (Number.isInteger(value) && value >= 0)) continue;
    throw new EvenkeelError('invalid-option', `${option} must be an integer of at least 0, not ${String(value)}`);
  }
}
