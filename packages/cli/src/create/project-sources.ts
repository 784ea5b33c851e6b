import { globSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { EvenkeelError } from '@evenkeel/core';
import type { CallExpression, Expression, Node, ObjectExpression, Statement } from 'oxc-parser';
import { type CodeStyle, styleOf } from '../edit/code-style.ts';
import { FileChanges } from '../edit/file-changes.ts';
import { nodesIn, SourceModule } from '../edit/source-module.ts';
import { findConfig } from '../load/load-config.ts';
import { sourceSpecifier } from '../load/resolve-source.ts';
import { classOf, importsOf, namesDeclaredBy } from './declared-names.ts';
import { propertyOf, referenceOf, stringOf, withoutTypes } from './static-value.ts';

/** A class with `@CustomResource`. */
export interface DeclaredVersion {
  readonly path: string;
  readonly line: number;
  /** The name of the class. */
  readonly name: string;
  /** Undefined if it is not a literal. */
  readonly group: string | undefined;
  readonly version: string | undefined;
  readonly kind: string;
  /** Undefined if `storage` is not set, or not a literal. */
  readonly storage: boolean | undefined;
  /** The local name of the hub; undefined without a conversion. */
  readonly hub: string | undefined;
  readonly hasConversion: boolean;
}

/** A controller or a webhook. */
export interface DeclaredHandler {
  readonly path: string;
  readonly line: number;
  /** The name of its class or constant. */
  readonly name: string;
  readonly is: 'controller' | 'webhook';
  readonly form: 'classes' | 'functions';
  /** The local name of its kind. */
  readonly kind: string | undefined;
}

/** A reference to another module of the project. */
export interface ModuleReference {
  readonly from: string;
  readonly line: number;
  /** The absolute path of the other module. */
  readonly to: string;
  readonly specifier: string;
}

/** Generated or installed files, which are not sources. */
const otherFolders: ReadonlySet<string> = new Set(['node_modules', 'dist', 'build', 'coverage']);

/** The functions and decorators that declare a handler of a kind. */
const handlers: Readonly<Record<string, Pick<DeclaredHandler, 'is' | 'form'>>> = {
  Controller: { is: 'controller', form: 'classes' },
  ValidatingWebhook: { is: 'webhook', form: 'classes' },
  MutatingWebhook: { is: 'webhook', form: 'classes' },
  controllerFor: { is: 'controller', form: 'functions' },
  validatingWebhookFor: { is: 'webhook', form: 'functions' },
  mutatingWebhookFor: { is: 'webhook', form: 'functions' },
};

/** The sources of a project as syntax trees, with the planned changes. No module is run. */
export class ProjectSources {
  /** The folder of the configuration. */
  readonly folder: string;
  readonly configPath: string;
  readonly changes = new FileChanges();
  readonly #from: string;
  readonly #paths: readonly string[];
  readonly #parsed = new Map<string, SourceModule>();

  /**
   * Throws `invalid-config` if there is no configuration.
   *
   * @param from messages show paths relative to this folder.
   */
  constructor(from: string, config?: string) {
    this.#from = from;
    this.configPath = findConfig(from, config);
    this.folder = dirname(this.configPath);
    this.#paths = globSync('**/*.{ts,mts,tsx,js,mjs,jsx}', {
      cwd: this.folder,
      exclude: (name) => otherFolders.has(basename(name)) || /^\.[^.]/.test(basename(name)),
    })
      .filter((path) => !/\.d\.m?ts$/.test(path))
      .sort()
      .map((path) => join(this.folder, path));
  }

  /** All modules of the project that are not planned to be deleted. */
  modules(): SourceModule[] {
    return this.#paths.flatMap((path) => (this.changes.read(path) === undefined ? [] : this.module(path)));
  }

  /** A module with its planned changes. Its syntax may have errors. */
  module(path: string): SourceModule {
    const text = (this.changes.read(path) ?? '').replace(/^\uFEFF/, '');
    const parsed = this.#parsed.get(path);
    if (parsed?.text === text) return parsed;
    const module = new SourceModule(path, text);
    this.#parsed.set(path, module);
    return module;
  }

  /** Plans the text of a module. It keeps its byte order mark. */
  replace(path: string, text: string): void {
    const mark = this.changes.read(path)?.startsWith('\uFEFF') === true ? '\uFEFF' : '';
    this.changes.set(path, `${mark}${text}`);
  }

  /** Plans a new file. Throws `invalid-option` if it exists. */
  create(path: string, text: string): void {
    if (this.changes.read(path) !== undefined) {
      throw new EvenkeelError(
        'invalid-option',
        `${this.shown(path)} already exists; choose another name, or move the file`,
      );
    }
    this.changes.set(path, text);
  }

  /** A path as messages show it. */
  shown(path: string): string {
    return relative(this.#from, path).replaceAll('\\', '/');
  }

  /** The style of a module. What the module does not show is taken from its neighbours. */
  styleOf(path: string): CodeStyle {
    const others = this.modules().filter((module) => module.path !== path && module.path !== this.configPath);
    return styleOf([...(this.changes.read(path) === undefined ? [] : [this.module(path)]), ...others]);
  }

  /** How a module imports another one in its style. */
  specifier(from: string, to: string, { importEnding }: CodeStyle = this.styleOf(from)): string {
    const path = relative(dirname(from), to).replaceAll('\\', '/').replace(/\.ts$/, importEnding);
    return path.startsWith('.') ? path : `./${path}`;
  }

  /** The path to which a module's import of another module of the project leads; undefined for other imports. */
  resolved(from: string, specifier: string): string | undefined {
    if (!/^\.\.?(\/|$)/.test(specifier)) return undefined;
    const { href } = pathToFileURL(from);
    return fileURLToPath(new URL(sourceSpecifier(specifier, href), href));
  }

  /** Every import, re-export and dynamic import between modules of the project. */
  references(): ModuleReference[] {
    return this.modules().flatMap((module) =>
      [...nodesIn(module.program)].flatMap((node) => {
        const specifier = specifierIn(node);
        const to = specifier === undefined ? undefined : this.resolved(module.path, specifier);
        if (specifier === undefined || to === undefined) return [];
        return [{ from: module.path, line: module.lineOf(node.start), to, specifier }];
      }),
    );
  }

  /** The class and module to which a local name leads through imports and re-exports; undefined outside of the project. */
  origin(path: string, name: string): { readonly path: string; readonly name: string } | undefined {
    const module = this.module(path);
    const imported = importsOf(module).get(name);
    if (imported !== undefined) {
      const to = this.resolved(path, imported.specifier);
      return to === undefined ? undefined : this.#exported(to, imported.name, new Set());
    }
    return module.program.body.some((statement) => namesDeclaredBy(statement).includes(name))
      ? { path, name }
      : undefined;
  }

  #exported(path: string, name: string, visited: Set<string>): { path: string; name: string } | undefined {
    if (visited.has(path) || this.changes.read(path) === undefined) return undefined;
    visited.add(path);
    for (const statement of this.module(path).program.body) {
      if (statement.type === 'ExportNamedDeclaration') {
        const { source, specifiers } = statement;
        for (const { exported, local } of specifiers) {
          if (nameOf(exported) !== name) continue;
          if (source === null) return this.origin(path, nameOf(local));
          const to = this.resolved(path, source.value);
          return to === undefined ? undefined : this.#exported(to, nameOf(local), visited);
        }
      }
      if (namesDeclaredBy(statement).includes(name)) return { path, name };
      if (statement.type !== 'ExportAllDeclaration' || statement.exported !== null) continue;
      const to = this.resolved(path, statement.source.value);
      const found = to === undefined ? undefined : this.#exported(to, name, visited);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** All classes with `@CustomResource`. */
  versions(): DeclaredVersion[] {
    return this.modules().flatMap((module) =>
      module.program.body.flatMap((statement) => versionIn(module, statement) ?? []),
    );
  }

  /** All controllers and webhooks. */
  handlers(): DeclaredHandler[] {
    return this.modules().flatMap((module) =>
      module.program.body.flatMap((statement) => handlersIn(module, statement)),
    );
  }
}

function nameOf(node: { readonly type: string; readonly name?: string; readonly value?: string }): string {
  return node.name ?? node.value ?? '';
}

function specifierIn(node: Node): string | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
      return node.source.value;
    case 'ExportNamedDeclaration':
      return node.source?.value;
    case 'ImportExpression':
      return node.source.type === 'Literal' && typeof node.source.value === 'string' ? node.source.value : undefined;
    case 'TSImportType':
      return node.source.value;
    default:
      return undefined;
  }
}

/** The call of a decorator with this imported name. */
export function decoratorOf(module: SourceModule, statement: Statement, name: string): CallExpression | undefined {
  return classOf(statement)
    ?.decorators.map(({ expression }) => expression)
    .find((call): call is CallExpression => call.type === 'CallExpression' && calleeOf(module, call) === name);
}

/** The name of a called function in its own module, so that an alias of an import has the original name. */
export function calleeOf(module: SourceModule, { callee }: CallExpression): string | undefined {
  if (callee.type === 'Identifier') return importsOf(module).get(callee.name)?.name ?? callee.name;
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property.name : undefined;
}

/** The options in `@CustomResource`, if they are written in its parentheses. */
export function resourceOptions(module: SourceModule, statement: Statement): ObjectExpression | undefined {
  const argument = decoratorOf(module, statement, 'CustomResource')?.arguments[0];
  const options = argument === undefined || argument.type === 'SpreadElement' ? undefined : withoutTypes(argument);
  return options?.type === 'ObjectExpression' ? options : undefined;
}

function versionIn(module: SourceModule, statement: Statement): DeclaredVersion | undefined {
  if (decoratorOf(module, statement, 'CustomResource') === undefined) return undefined;
  const name = classOf(statement)?.id?.name ?? 'default';
  const options = resourceOptions(module, statement);
  const optionOf = (option: string): Expression | undefined =>
    options === undefined ? undefined : propertyOf(options, option)?.value;
  const storage = optionOf('storage');
  const conversion = optionOf('conversion');
  const isObject = conversion?.type === 'ObjectExpression';
  return {
    path: module.path,
    line: module.lineOf(statement.start),
    name,
    group: stringOf(module, optionOf('group')),
    version: stringOf(module, optionOf('version')),
    kind: stringOf(module, optionOf('kind')) ?? name,
    storage: storage?.type === 'Literal' && typeof storage.value === 'boolean' ? storage.value : undefined,
    hub: isObject ? referenceOf(propertyOf(conversion, 'hub')?.value) : undefined,
    hasConversion: conversion !== undefined,
  };
}

function handlersIn(module: SourceModule, statement: Statement): DeclaredHandler[] {
  const found: DeclaredHandler[] = [];
  const add = (name: string | undefined, call: CallExpression): void => {
    const handler = handlers[calleeOf(module, call) ?? ''];
    if (handler === undefined || name === undefined) return;
    found.push({
      path: module.path,
      line: module.lineOf(statement.start),
      name,
      ...handler,
      kind: referenceOf(call.arguments[0]),
    });
  };
  const declared = classOf(statement);
  for (const { expression } of declared?.decorators ?? []) {
    if (expression.type === 'CallExpression') add(declared?.id?.name, expression);
  }
  const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  if (declaration?.type !== 'VariableDeclaration') return found;
  for (const { id, init } of declaration.declarations) {
    const [begin] = init === null ? [] : [firstCall(init)];
    if (id.type === 'Identifier' && begin !== undefined) add(id.name, begin);
  }
  return found;
}

/** `f(x)` of `f(x).a().b()`. */
function firstCall(node: Expression): CallExpression | undefined {
  if (node.type === 'CallExpression') {
    return node.callee.type === 'MemberExpression' ? firstCall(node.callee.object) : node;
  }
  return node.type === 'MemberExpression' ? firstCall(node.object) : undefined;
}
