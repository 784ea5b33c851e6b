import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type ControllerPlan, didYouMean } from '@evenkeel/core';
import type { Finding } from '@evenkeel/schema';
import type { CallExpression } from 'oxc-parser';
import type { SourceModule } from '../edit/source-module.ts';

/**
 * Reports each `lister.byIndex('name', ...)` whose index no controller declares. Such a call throws when it runs for the first time, which
 * can be long after the start. Only names that are literals are known. A module counts only if it imports a lister from Evenkeel, because
 * other objects may have a method of this name.
 *
 * @param urls of the modules of the user.
 * @param controllers all of the operator. One with a mistake has no plan, and the declared indexes are then not known.
 */
export async function indexFindings(
  urls: readonly string[],
  controllers: readonly ControllerPlan[],
): Promise<readonly Finding[]> {
  const declared = new Set(controllers.flatMap(({ indexes }) => indexes.map(({ name }) => name)));
  const uses: { readonly index: string; readonly location: { readonly file: string; readonly line: number } }[] = [];
  for (const file of urls.map((url) => fileURLToPath(url)).filter(isTypeScript)) {
    const text = await readFile(file, 'utf8');
    if (!/\b(?:byIndex|addIndex)\b/.test(text)) continue;
    // The parser is loaded only for such a module.
    const { nodesIn, SourceModule } = await import('../edit/source-module.ts');
    const module = new SourceModule(file, text);
    const readsListers = importsLister(module);
    for (const node of nodesIn(module.program)) {
      if (node.type !== 'CallExpression') continue;
      const called = methodOf(node);
      const index = literalOf(node);
      if (called === 'addIndex') {
        // Any index may exist.
        if (index === undefined) return [];
        declared.add(index);
      } else if (called === 'byIndex' && readsListers && index !== undefined) {
        uses.push({ index, location: { file, line: module.lineOf(node.start) } });
      }
    }
  }
  return uses
    .filter(({ index }) => !declared.has(index))
    .map(({ index, location }) => ({
      level: 'error',
      code: 'unknown-index',
      className: '',
      location,
      message: `byIndex('${index}'): no controller of the operator declares this index${didYouMean(index, [...declared])}; write @Index('${index}') on a method of the controller that returns the values of an object`,
    }));
}

/** The modules of packages are compiled, also those of packages that are linked into the project. */
function isTypeScript(file: string): boolean {
  return /\.[cm]?tsx?$/.test(file);
}

function importsLister({ program }: SourceModule): boolean {
  return program.body.some(
    (statement) =>
      statement.type === 'ImportDeclaration' &&
      /^(?:evenkeel$|@evenkeel\/)/.test(statement.source.value) &&
      statement.specifiers.some(({ local }) => /^lister/i.test(local.name)),
  );
}

function methodOf({ callee }: CallExpression): string | undefined {
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return undefined;
  return callee.property.name;
}

function literalOf({ arguments: [first] }: CallExpression): string | undefined {
  return first?.type === 'Literal' && typeof first.value === 'string' ? first.value : undefined;
}
