import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Comment, type Program, parseSync, type Statement } from 'oxc-parser';
import { root } from './imports.fixture.ts';
import { manifestOf } from './packed/package.fixture.ts';

/** A name that users can import, and whether one of its declarations has a docstring. */
export interface PublicName {
  readonly name: string;
  readonly file: string;
  readonly hasDocstring: boolean;
}

interface Module {
  readonly file: string;
  readonly source: string;
  readonly program: Program;
  readonly comments: readonly Comment[];
}

const modules = new Map<string, Module>();

/** Returns the exports of a module, each from the file that declares it. Those of other projects are omitted. */
export function publicNames(file: string): PublicName[] {
  return exportsOf(file).flatMap((name) => {
    const declared = declarationsOf(file, name);
    if (declared === undefined) return [];
    const hasDocstring = declared.nodes.some((node) => isDocumented(declared.module, node));
    return [{ name, file: relative(root, declared.module.file), hasDocstring }];
  });
}

function exportsOf(file: string): string[] {
  const { program } = moduleOf(file);
  const names = program.body.flatMap((node) => {
    if (node.type === 'ExportAllDeclaration') throw new Error(`${file}: list the exports of export * by hand`);
    if (node.type !== 'ExportNamedDeclaration') return [];
    return [...node.specifiers.map(({ exported }) => nameOf(exported)), ...declaredNames(node)];
  });
  return [...new Set(names)];
}

/** The statements that declare a name that a module exports or imports, and their module. */
function declarationsOf(file: string, name: string): { module: Module; nodes: Statement[] } | undefined {
  const module = moduleOf(file);
  const nodes = module.program.body.filter((node) => declaredNames(node).includes(name));
  if (nodes.length > 0) return { module, nodes };
  for (const node of module.program.body) {
    if (node.type === 'ExportNamedDeclaration') {
      const specifier = node.specifiers.find(({ exported }) => nameOf(exported) === name);
      if (specifier === undefined) continue;
      const local = nameOf(specifier.local);
      return node.source === null ? declarationsOf(file, local) : declarationsIn(file, node.source.value, local);
    }
    if (node.type === 'ImportDeclaration') {
      const specifier = node.specifiers.find(({ local }) => local.name === name);
      if (specifier?.type === 'ImportSpecifier')
        return declarationsIn(file, node.source.value, nameOf(specifier.imported));
    }
  }
  throw new Error(`${file}: cannot find the declaration of ${name}`);
}

function declarationsIn(from: string, specifier: string, name: string): ReturnType<typeof declarationsOf> {
  const file = fileOf(from, specifier);
  return file === undefined ? undefined : declarationsOf(file, name);
}

/** The source of a module of this repository; undefined for another one. */
function fileOf(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(from), specifier);
  const [, folder = '', path = ''] = /^@evenkeel\/([^/]+)(\/.*)?$/.exec(specifier) ?? [];
  if (folder === '') return undefined;
  const { exports } = manifestOf(folder);
  const exact = exports[`.${path}`]?.['evenkeel-source'];
  const pattern = exports['./*']?.['evenkeel-source']?.replaceAll('*', path.slice(1));
  const source = exact ?? pattern;
  if (source === undefined) throw new Error(`${from}: cannot resolve ${specifier}`);
  return join(root, 'packages', folder, source);
}

function moduleOf(file: string): Module {
  const known = modules.get(file);
  if (known !== undefined) return known;
  const source = readFileSync(file, 'utf8');
  const { program, comments } = parseSync(file, source);
  const module = { file, source, program, comments };
  modules.set(file, module);
  return module;
}

function declaredNames(node: Statement): string[] {
  const declared = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
  switch (declared?.type) {
    case 'VariableDeclaration':
      return declared.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
    case 'ClassDeclaration':
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
      return declared.id === null ? [] : [declared.id.name];
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      return [declared.id.name];
    default:
      return [];
  }
}

/** Whether the statement follows a comment of the form that tools read. Only directives for linters may be between. */
function isDocumented({ source, comments }: Module, node: Statement): boolean {
  return comments.some(
    ({ type, value, end }) =>
      type === 'Block' &&
      value.startsWith('*') &&
      end <= node.start &&
      /^(\s*\/\/.*\n|\s)*$/.test(source.slice(end, node.start)),
  );
}

function nameOf(id: { readonly type: string; readonly name?: string; readonly value?: string }): string {
  return id.name ?? id.value ?? '';
}
