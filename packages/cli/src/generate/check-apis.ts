import { fileURLToPath } from 'node:url';
import { type AnyClass, declarationsOf, KubernetesObject, ownDeclarationsOf } from '@evenkeel/core';
import { schemaDefinitionOf } from '@evenkeel/kinds';
import { type ClassSources, customResourcesIn, type Finding, type WrittenClass } from '@evenkeel/schema';
import type { LoadedConfig } from '../load/load-config.ts';
import type { ModuleExports } from '../load/module-loader.ts';

/**
 * Finds classes of `apis` that look like kinds but are not, because a decorator or an `export` is missing. If they were
 * skipped silently, their CRDs would be removed. Also finds modules without kinds that the user named, other than by a
 * pattern.
 *
 * @param kinds the classes whose CRDs are generated.
 */
export function checkApis(
  config: LoadedConfig,
  modules: ReadonlyMap<string, ModuleExports>,
  kinds: readonly AnyClass[],
  sources: ClassSources,
): Finding[] {
  const findings: Finding[] = [];
  const reported = new Set<unknown>();
  for (const url of config.apis) {
    const exports = modules.get(url);
    if (exports === undefined) continue;
    const mistakes = [...forgottenKinds(exports, kinds, sources, url), ...unusableClasses(sources, url)];
    if (mistakes.length === 0 && customResourcesIn(exports).length === 0 && !config.matched.has(url)) {
      mistakes.push({ about: url, finding: nothingToGenerate(url) });
    }
    // Several modules may export the same class.
    for (const { about, finding } of mistakes) if (!reported.has(about)) findings.push(finding);
    for (const { about } of mistakes) reported.add(about);
  }
  return findings;
}

interface Mistake {
  readonly about: unknown;
  readonly finding: Finding;
}

/** Exported classes that look like kinds but lack the decorator. */
function forgottenKinds(
  exports: ModuleExports,
  kinds: readonly AnyClass[],
  sources: ClassSources,
  url: string,
): Mistake[] {
  return classesIn(exports).flatMap((type): Mistake[] => {
    if (ownDeclarationsOf(type)?.customResource !== undefined) return [];
    const why = reasonToBeKind(type);
    const source = sources.sourceOf(type);
    const isBase = source?.isAbstract === true || kinds.some((kind) => kind.prototype instanceof type);
    if (why === undefined || isBase) return [];
    return [
      {
        about: type,
        finding: {
          level: 'error',
          code: 'missing-custom-resource',
          className: type.name,
          location: source === undefined ? startOf(url) : { file: source.file, line: source.line },
          message: `it ${why} but has no @CustomResource; add @CustomResource({ group, version }) above the class. If it is not a kind, make it abstract or move it to a module that is not in "apis"`,
        },
      },
    ];
  });
}

function reasonToBeKind(type: AnyClass): string | undefined {
  for (const said of ownDeclarationsOf(type)?.properties?.values() ?? []) {
    for (const { says } of said) {
      if (says === 'spec') return 'has @Spec';
      if (says === 'status') return 'has @Status';
    }
  }
  for (let base: unknown = type; typeof base === 'function'; base = Object.getPrototypeOf(base)) {
    const isKind = schemaDefinitionOf(base as AnyClass) !== undefined;
    if (isKind || declarationsOf(base as AnyClass).customResource !== undefined) return undefined;
    if (base === KubernetesObject) return type === base ? undefined : 'extends KubernetesObject';
  }
  return undefined;
}

/** Classes with the decorator that are not kinds. They are not visible when the program runs. */
function unusableClasses(sources: ClassSources, url: string): Mistake[] {
  return sources.classesOf(url).flatMap((written): Mistake[] => {
    const message = whyUnusable(written);
    if (message === undefined) return [];
    const { name, file, line } = written.source;
    const finding: Finding = {
      level: 'error',
      code: 'missing-custom-resource',
      className: name,
      location: { file, line },
      message,
    };
    return [{ about: written.source, finding }];
  });
}

function whyUnusable({ decorators, isExported }: WrittenClass): string | undefined {
  const decorator = decorators.find(({ name }) => name === 'CustomResource');
  if (decorator === undefined) return undefined;
  if (!decorator.isCalled)
    return '@CustomResource has no effect without parentheses; write @CustomResource({ group, version })';
  if (isExported) return undefined;
  return 'it has @CustomResource, but its module does not export it; write "export" before the class';
}

function nothingToGenerate(url: string): Finding {
  return {
    level: 'error',
    code: 'missing-custom-resource',
    className: '',
    location: startOf(url),
    message: `it exports no class with @CustomResource; add @CustomResource({ group, version }) above the class, export it, or remove the module from "apis"`,
  };
}

function startOf(url: string): { file: string; line: number } {
  return { file: fileURLToPath(url), line: 1 };
}

/** Returns every class that a module exports, each once. */
function classesIn(exports: ModuleExports): AnyClass[] {
  const found = Object.values(exports).filter(
    (exported) => typeof exported === 'function' && exported.prototype !== undefined,
  );
  return [...new Set(found)] as unknown as AnyClass[];
}
