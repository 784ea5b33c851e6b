import type { Node, Statement } from 'oxc-parser';
import type { SourceModule } from '../edit/source-module.ts';

/** A name that a module imports. */
export interface ImportedName {
  readonly specifier: string;
  /** The name in the other module: `default`, or `*` for all. */
  readonly name: string;
}

/** Returns the imports of a module by their local names. */
export function importsOf({ program }: SourceModule): Map<string, ImportedName> {
  const found = new Map<string, ImportedName>();
  for (const statement of program.body) {
    if (statement.type !== 'ImportDeclaration') continue;
    for (const specifier of statement.specifiers) {
      const imported =
        specifier.type === 'ImportSpecifier'
          ? 'name' in specifier.imported
            ? specifier.imported.name
            : specifier.imported.value
          : specifier.type === 'ImportDefaultSpecifier'
            ? 'default'
            : '*';
      found.set(specifier.local.name, { specifier: statement.source.value, name: imported });
    }
  }
  return found;
}

/** The names that a statement of a module declares, without imports. */
export function namesDeclaredBy(statement: Statement): string[] {
  const declaration: Node | null =
    (statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration') &&
    statement.declaration !== null
      ? statement.declaration
      : statement;
  switch (declaration.type) {
    case 'VariableDeclaration':
      return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? id.name : []));
    case 'ClassDeclaration':
    case 'FunctionDeclaration':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSEnumDeclaration':
      return declaration.id === null ? [] : [declaration.id.name];
    default:
      return [];
  }
}

/** The names that a module imports or declares. */
export function topLevelNames(module: SourceModule): Set<string> {
  return new Set([...importsOf(module).keys(), ...module.program.body.flatMap(namesDeclaredBy)]);
}

/** Where a statement starts, with the decorators of its class. */
export function startOf(statement: Statement): number {
  const decorators = classOf(statement)?.decorators ?? [];
  return Math.min(statement.start, ...decorators.map(({ start }) => start));
}

/** The class that a statement declares. */
export function classOf(statement: Statement) {
  const declaration =
    statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration'
      ? statement.declaration
      : statement;
  return declaration?.type === 'ClassDeclaration' ? declaration : undefined;
}
