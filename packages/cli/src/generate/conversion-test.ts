import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AnyClass, declarationsOf, type KindClass, resourceOf } from '@evenkeel/core';
import { readConversion } from '@evenkeel/core/conversion';
import type { ValidatorGroups } from '@evenkeel/schema';
import type { ModuleExports } from '../load/module-loader.ts';

/** The functions of a test come from this package. */
export type TestRunner = '@jest/globals' | 'vitest';

export interface ConversionTestOptions {
  /** The path of the module to write. */
  readonly path: string;
  readonly runner: TestRunner;
  /** The modules of the API by their URLs, with what they export. */
  readonly modules: ReadonlyMap<string, ModuleExports>;
  readonly validator: ValidatorGroups | undefined;
}

/**
 * The module with a property test for each version that declares a conversion; undefined if there is none. A version with `lossy`
 * has none, because its losses are accepted.
 */
export function conversionTestModule(
  classes: readonly AnyClass[],
  { path, runner, modules, validator = {} }: ConversionTestOptions,
): string | undefined {
  const exported = new Map<AnyClass, { readonly name: string; readonly url: string }>();
  for (const [url, exports] of modules) {
    for (const [name, value] of Object.entries(exports)) {
      if (typeof value === 'function' && !exported.has(value as never)) exported.set(value as never, { name, url });
    }
  }
  const kinds = [
    ...Map.groupBy(
      classes.filter((type) => exported.has(type)),
      kindKey,
    ),
  ]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, versions]) => ({
      versions: versions.toSorted(byVersion),
      tested: versions.filter(isTested).toSorted(byVersion),
    }))
    .filter(({ tested }) => tested.length > 0);
  if (kinds.length === 0) return undefined;
  const used = [...new Set(kinds.flatMap(({ versions }) => versions))];
  // Two modules may export the same name.
  const names = new Map(used.map((type, at) => [type, nameFor(type, at)]));
  function nameFor(type: AnyClass, at: number): string {
    const { name } = exported.get(type) ?? { name: '' };
    const isTaken = used.slice(0, at).some((other) => exported.get(other)?.name === name);
    return isTaken || name === 'default' ? `${name}${at}` : name;
  }
  const fromTest = (url: string): string => {
    const to = relative(dirname(path), fileURLToPath(url)).replaceAll('\\', '/');
    return to.startsWith('.') ? to : `./${to}`;
  };
  const imports = [...Map.groupBy(used, (type) => fromTest(exported.get(type)?.url ?? ''))]
    .sort(([one], [other]) => (withoutSuffix(one) < withoutSuffix(other) ? -1 : 1))
    .map(([from, types]) => {
      const list = types.map((type) => {
        const { name } = exported.get(type) ?? { name: '' };
        const own = names.get(type) ?? name;
        return own === name ? name : `${name} as ${own}`;
      });
      return { from, text: `import { ${list.sort().join(', ')} } from '${from}';` };
    });
  const groups = Object.keys(validator).length === 0 ? '' : `, validator: ${JSON.stringify(validator)}`;
  const suites = kinds.map(({ versions, tested }) => {
    const kind = resourceOf(versions[0] as KindClass).kind;
    const tests = tested.map((type) => {
      const conversion = readConversion(type, () => undefined);
      const [version, hub] = [conversion?.spoke.version, conversion?.hub.version];
      return `  it('loses nothing between ${version} and ${hub}', async () => {
    verifyConversion(await definition(), ${names.get(type)});
  }, 60_000);`;
    });
    return `describe('the conversion of ${kind}', () => {
  const definition = async () =>
    customResourceDefinitionOf([${versions.map((type) => names.get(type)).join(', ')}], { sources: await readSources(modules)${groups} });

${tests.join('\n\n')}
});
`;
  });
  return `// Made by "evenkeel generate" from the classes of the API: change those, not this.

import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { verifyConversion } from '@evenkeel/testing';
import { describe, it } from '${runner}';
${imports.map(({ text }) => text).join('\n')}

${listed(
  'const modules = [',
  imports.map(({ from }) => `new URL('${from}', import.meta.url).href`),
  '];',
)}

${suites.join('\n')}`;
}

/** A list on one line if it fits, as formatters write it. */
function listed(start: string, items: readonly string[], end: string): string {
  const line = `${start}${items.join(', ')}${end}`;
  return line.length <= lineWidth ? line : `${start}\n${items.map((item) => `  ${item},\n`).join('')}${end}`;
}

/** As it is configured most often where lines are longer than 80. */
const lineWidth = 120;

function withoutSuffix(path: string): string {
  return path.replace(/\.[^./]*$/, '');
}

function isTested(type: AnyClass): boolean {
  const { conversion, lossy, served } = declarationsOf(type).customResource ?? {};
  return conversion !== undefined && lossy === undefined && served !== false;
}

function kindKey(type: AnyClass): string {
  const { group, kind } = resourceOf(type as KindClass);
  return `${kind}.${group}`;
}

function byVersion(one: AnyClass, other: AnyClass): number {
  const [left, right] = [one, other].map((type) => resourceOf(type as KindClass).version);
  return (left ?? '') < (right ?? '') ? -1 : 1;
}
