import type { ObjectExpression, Statement } from 'oxc-parser';
import type { CodeStyle } from '../edit/code-style.ts';
import { importRemoved } from '../edit/import-edit.ts';
import { namesUsedBy, renamed } from '../edit/renamed.ts';
import { SourceModule } from '../edit/source-module.ts';
import { edited, removal } from '../edit/text-edit.ts';
import { classOf, namesDeclaredBy, topLevelNames } from './declared-names.ts';
import { resourceOptions } from './project-sources.ts';
import { keyOf } from './static-value.ts';

/** The options of `@CustomResource` that belong to one version only. */
const ofOneVersion: ReadonlySet<string> = new Set([
  'conversion',
  'deprecated',
  'kind',
  'lossy',
  'served',
  'storage',
  'version',
]);

/** A class to copy for another version. */
export interface CopiedClass {
  readonly module: SourceModule;
  /** The statement of the class. */
  readonly statement: Statement;
  /** Its options, without spreads. */
  readonly options: ObjectExpression;
  /** Options for the new class, which replace those of one version. */
  readonly newOptions: readonly string[];
  /** The version of the class. */
  readonly version: string;
  readonly newVersion: string;
}

/** A module with a copy of the class and of what it needs from its module, under new names. */
export interface VersionModule {
  readonly name: string;
  readonly text: string;
}

/** Copies a class, the declarations that it uses, and their imports. */
export function versionModule(copied: CopiedClass, style: CodeStyle): VersionModule {
  const { module, statement, options } = copied;
  const kept = options.properties.filter(
    (property) => property.type === 'Property' && !ofOneVersion.has(keyOf(property) ?? ''),
  );
  const name = classOf(statement)?.id?.name ?? '';
  const text = `{ ${kept.map((property) => module.textOf(property)).join(', ')} }`;
  const withKept = new SourceModule(module.path, edited(module.text, [{ ...spanOf(options), text }]));
  const alone = withoutUnusedImports(withOnly(withKept, name));
  const names = new Map(
    alone.program.body
      .filter((each) => !isValue(each))
      .flatMap(namesDeclaredBy)
      .map((each) => [each, nameInVersion(each, name, copied)]),
  );
  const newName = names.get(name) ?? name;
  const copy = new SourceModule(module.path, edited(alone.text, renamed(alone, names)));
  return { name: newName, text: withOptions(copy, newName, copied.newOptions, style) };
}

const spanOf = ({ start, end }: ObjectExpression): { start: number; end: number } => ({ start, end });

/** Adds options to a class, with a line for each. */
function withOptions(
  module: SourceModule,
  name: string,
  added: readonly string[],
  { indentation, newline, hasTrailingCommas }: CodeStyle,
): string {
  const statement = module.program.body.find((each) => classOf(each)?.id?.name === name);
  const object = statement === undefined ? undefined : resourceOptions(module, statement);
  if (object === undefined) throw new RangeError(`${name} has no options`);
  const lines = [...object.properties.map((property) => module.textOf(property)), ...added].flatMap(
    (option, index, all) => `${option}${index < all.length - 1 || hasTrailingCommas ? ',' : ''}`.split(/\r?\n/),
  );
  const text = ['{', ...lines.map((line) => `${indentation}${line}`), '}'].join(newline);
  return edited(module.text, [{ ...spanOf(object), text }]);
}

/** Constants and functions keep their names. */
function isValue(statement: Statement): boolean {
  const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  return declaration?.type === 'VariableDeclaration' || declaration?.type === 'FunctionDeclaration';
}

/** `ShopV2Spec` for `ShopSpec` and for `ShopV1Spec`; `DoorV2` for `Door`. */
function nameInVersion(name: string, className: string, { version, newVersion }: CopiedClass): string {
  const [old, suffix] = [version, newVersion].map((each) => `V${each.slice(1)}`) as [string, string];
  const withOld = new RegExp(`${old}(?![a-z0-9])`);
  if (withOld.test(name)) return name.replace(withOld, suffix);
  return name.startsWith(className) ? `${className}${suffix}${name.slice(className.length)}` : `${name}${suffix}`;
}

/** Removes the statements that the declaration of a name does not need, with the comments above them. */
function withOnly(module: SourceModule, name: string): SourceModule {
  const { body } = module.program;
  const needed = new Set<string>([name]);
  // The loop also visits elements that are added to the set during the loop.
  for (const each of needed) {
    for (const statement of body) {
      if (namesDeclaredBy(statement).includes(each)) for (const used of namesUsedBy(statement)) needed.add(used);
    }
  }
  const edits = body.flatMap((statement, index) => {
    const isNeeded =
      statement.type === 'ImportDeclaration' || namesDeclaredBy(statement).some((each) => needed.has(each));
    if (isNeeded) return [];
    return [removal(lineAfter(module, body[index - 1]?.end ?? 0), lineAfter(module, statement.end))];
  });
  return new SourceModule(module.path, edited(module.text, edits));
}

function lineAfter(module: SourceModule, position: number): number {
  return position === 0 ? 0 : module.afterNewline(module.afterBlanks(module.endOfTail(position)));
}

function withoutUnusedImports(module: SourceModule): SourceModule {
  const used = new Set(
    module.program.body.flatMap((each) => (each.type === 'ImportDeclaration' ? [] : [...namesUsedBy(each)])),
  );
  const imported = module.program.body.flatMap((each) =>
    each.type === 'ImportDeclaration' ? each.specifiers.map(({ local }) => local.name) : [],
  );
  return imported
    .filter((name) => !used.has(name) && topLevelNames(module).has(name))
    .reduce((rest, name) => new SourceModule(rest.path, edited(rest.text, importRemoved(rest, name))), module);
}
