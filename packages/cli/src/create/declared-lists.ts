import { existsSync } from 'node:fs';
import { dirname, matchesGlob, relative, resolve } from 'node:path';
import { EvenkeelError } from '@evenkeel/core';
import type { ArrayExpression, CallExpression, Expression, ObjectExpression } from 'oxc-parser';
import { importAdded, importRemoved } from '../edit/import-edit.ts';
import { type BracketedList, entryAdded, entryRemoved } from '../edit/list-edit.ts';
import { nodesIn, type SourceModule } from '../edit/source-module.ts';
import { edited } from '../edit/text-edit.ts';
import { topLevelNames } from './declared-names.ts';
import { calleeOf, type ProjectSources } from './project-sources.ts';
import { followed, propertyOf, stringOf, withoutTypes } from './static-value.ts';

/** The lists of `defineOperator()` to which commands add entries. */
export type OperatorList = 'controllers' | 'webhooks' | 'conversions';
/** The lists of the configuration to which commands add entries. */
export type ConfigList = 'apis' | 'samples';

/** The lists in a project's configuration and in the declaration of its operator, which are edited where they are written. */
export class DeclaredLists {
  readonly #project: ProjectSources;

  constructor(project: ProjectSources) {
    this.#project = project;
  }

  /** The path of the module with the operator; undefined for a project without operator. Throws `edit-refused` if it is not known. */
  get operator(): string | undefined {
    return this.#configured('operator');
  }

  /** The modules that `generate` writes. */
  get generated(): ReadonlySet<string> {
    const paths = (['fields', 'conversionTest'] as const).flatMap((option) => this.#configured(option) ?? []);
    return new Set(paths);
  }

  /** Whether `generate` writes tests of conversions. */
  get hasConversionTest(): boolean {
    return this.#configured('conversionTest') !== undefined;
  }

  #configured(option: 'operator' | 'fields' | 'conversionTest'): string | undefined {
    const { configPath } = this.#project;
    const module = this.#project.module(configPath);
    const value = propertyOf(this.#config(module, []), option)?.value;
    if (value === undefined) return undefined;
    const path = stringOf(module, value);
    if (path === undefined) {
      throw this.#refused(module, value.start, `"${option}" is not a string`, [`${option}: './src/${option}.ts'`]);
    }
    return resolve(dirname(configPath), path);
  }

  /** The value of an option of the configuration, with constants followed; undefined if it is not set. Throws `edit-refused`. */
  option(name: string): Expression | undefined {
    const module = this.#project.module(this.#project.configPath);
    const value = propertyOf(this.#config(module, []), name)?.value;
    return value === undefined ? undefined : followed(module, value);
  }

  /** Renames an option of the configuration. Throws `edit-refused`. */
  renameOption(from: string, to: string): void {
    const { configPath } = this.#project;
    const module = this.#project.module(configPath).checked(this.#project.shown(configPath));
    const property = propertyOf(this.#config(module, [`${to}: ...`]), from);
    if (property === undefined) return;
    const { start, end } = property.key;
    const isQuoted = property.key.type === 'Literal';
    const name = isQuoted ? `${module.text[start]}${to}${module.text[start]}` : to;
    const text = property.shorthand ? `${to}: ${from}` : name;
    this.#project.replace(configPath, edited(module.text, [{ start, end, text }]));
  }

  /** The paths of an option of the configuration. They are empty if the list is not written as one. */
  entries(option: ConfigList): string[] {
    const module = this.#project.module(this.#project.configPath);
    const value = propertyOf(this.#config(module, []), option)?.value;
    const list = value === undefined ? undefined : followed(module, value);
    if (list?.type !== 'ArrayExpression') return [];
    return list.elements.flatMap((element) =>
      element === null || element.type === 'SpreadElement' ? [] : (stringOf(module, element) ?? []),
    );
  }

  /** Adds a file to a list of the configuration, unless a pattern of the list selects it. */
  addFile(option: ConfigList, path: string): void {
    const { configPath, folder } = this.#project;
    const below = relative(folder, path).replaceAll('\\', '/');
    const isListed = this.entries(option).some((entry) => {
      const plain = entry.replace(/^\.\//, '');
      return plain === below || (option === 'apis' && isPattern(entry, folder) && matchesGlob(below, plain));
    });
    if (isListed) return;
    const { quote } = this.#project.styleOf(configPath);
    const entry = `${quote}./${below}${quote}`;
    this.#add(configPath, (module) => this.#config(module, [`${option}: [${entry}]`]), option, entry, []);
  }

  /** Removes a file from a list of the configuration, and patterns that select only removed files. */
  removeFiles(option: ConfigList, removed: ReadonlySet<string>): void {
    const { configPath, folder } = this.#project;
    const paths = this.#project.modules().map((module) => relative(folder, module.path).replaceAll('\\', '/'));
    this.#remove(
      configPath,
      (module) => this.#config(module, []),
      option,
      (module, element) => {
        const entry = stringOf(module, element);
        if (entry === undefined) return false;
        if (removed.has(resolve(folder, entry))) return true;
        const plain = entry.replace(/^\.\//, '');
        const isOfRemoved = [...removed].some((path) =>
          matchesGlob(relative(folder, path).replaceAll('\\', '/'), plain),
        );
        return isPattern(entry, folder) && isOfRemoved && !paths.some((path) => matchesGlob(path, plain));
      },
    );
  }

  /** Adds an exported name of a module to a list of the operator, with its import. */
  addName(option: OperatorList, name: string, from: string): void {
    const path = this.operator;
    if (path === undefined) {
      throw new EvenkeelError(
        'edit-refused',
        `${this.#shownConfig()}: cannot add ${name} to ${option}, because no "operator" is configured; write src/operator.ts, and add operator: './src/operator.ts'`,
      );
    }
    const specifier = this.#project.specifier(path, from);
    const style = this.#project.styleOf(path);
    const module = this.#project.module(path).checked(this.#project.shown(path));
    const origin = this.#project.origin(path, name);
    const isImported = origin?.path === from && origin.name === name;
    const manual = [`import { ${name} } from '${specifier}';`, `${option}: [..., ${name}]`];
    const needsImport = !isImported && from !== path;
    if (needsImport && topLevelNames(module).has(name)) {
      throw this.#refused(module, 0, `it already has the name ${name}`, manual);
    }
    this.#add(path, (changed) => this.#operator(changed, manual), option, name, manual);
    if (!needsImport) return;
    const listed = this.#project.module(path);
    this.#project.replace(path, edited(listed.text, importAdded(listed, name, specifier, style)));
  }

  /** Removes names from the lists of the operator, with their imports. Names that the module uses elsewhere keep their import. */
  removeNames(names: ReadonlySet<string>): void {
    const path = this.operator;
    if (path === undefined) return;
    for (const option of ['controllers', 'webhooks', 'conversions'] as const) {
      this.#remove(
        path,
        (module) => this.#operator(module, []),
        option,
        (_module, element) => {
          const entry = withoutTypes(element);
          return entry.type === 'Identifier' && names.has(entry.name);
        },
      );
    }
    for (const name of names) {
      const module = this.#project.module(path);
      const uses = [...nodesIn(module.program)].filter((node) => node.type === 'Identifier' && node.name === name);
      const edits = importRemoved(module, name);
      const [removed] = edits.map(
        ({ start, end }) => uses.filter((use) => use.start >= start && use.end <= end).length,
      );
      if (removed === uses.length) this.#project.replace(path, edited(module.text, edits));
    }
  }

  #add(
    path: string,
    locate: (module: SourceModule) => ObjectExpression,
    option: string,
    entry: string,
    manual: readonly string[],
  ): void {
    const style = this.#project.styleOf(path);
    const module = this.#project.module(path).checked(this.#project.shown(path));
    const object = locate(module);
    const code = manual.length > 0 ? manual : [`${option}: [..., ${entry}]`];
    const property = propertyOf(object, option);
    const spread = object.properties.find(({ type }) => type === 'SpreadElement');
    if (spread !== undefined) {
      throw this.#refused(module, spread.start, `${option} may be set or replaced by ${module.textOf(spread)}`, code);
    }
    if (property === undefined) {
      const list: BracketedList = { start: object.start, end: object.end, entries: object.properties };
      const edits = entryAdded(module, list, `${option}: [${entry}]`, style, { padding: ' ' });
      this.#project.replace(path, edited(module.text, edits));
      return;
    }
    const array = this.#array(module, property.value, option, code);
    const isListed = array.elements.some((element) => element !== null && module.textOf(element) === entry);
    if (isListed) return;
    this.#project.replace(path, edited(module.text, entryAdded(module, listOf(array), entry, style)));
  }

  #remove(
    path: string,
    locate: (module: SourceModule) => ObjectExpression,
    option: string,
    isRemoved: (module: SourceModule, element: Expression) => boolean,
  ): void {
    // One entry after another, because the edits of neighbours overlap.
    for (;;) {
      const module = this.#project.module(path).checked(this.#project.shown(path));
      const value = propertyOf(locate(module), option)?.value;
      const array = value === undefined ? undefined : followed(module, value);
      if (array?.type !== 'ArrayExpression') return;
      const index = array.elements.findIndex(
        (element) => element !== null && element.type !== 'SpreadElement' && isRemoved(module, element),
      );
      if (index < 0) return;
      this.#project.replace(path, edited(module.text, entryRemoved(module, listOf(array), index)));
    }
  }

  #array(module: SourceModule, value: Expression, option: string, code: readonly string[]): ArrayExpression {
    const array = followed(module, value);
    if (array.type !== 'ArrayExpression') {
      throw this.#refused(module, array.start, `${option} is not a list in brackets`, code);
    }
    const spread = array.elements.find((element) => element === null || element.type === 'SpreadElement');
    if (spread === undefined) return array;
    const what = spread === null ? 'a hole' : module.textOf(spread);
    throw this.#refused(module, spread?.start ?? array.start, `${option} contains ${what}`, code);
  }

  #config(module: SourceModule, manual: readonly string[]): ObjectExpression {
    const exported = module.program.body.find((statement) => statement.type === 'ExportDefaultDeclaration');
    const value = exported === undefined ? undefined : followed(module, exported.declaration as Expression);
    const argument = value?.type === 'CallExpression' && value.arguments.length === 1 ? value.arguments[0] : value;
    const object = argument === undefined || argument.type === 'SpreadElement' ? undefined : followed(module, argument);
    if (object?.type === 'ObjectExpression') return object;
    const why = 'the default export is not defineConfig({ ... })';
    throw this.#refused(module, exported?.start ?? 0, why, manual);
  }

  #operator(module: SourceModule, manual: readonly string[]): ObjectExpression {
    const calls = [...nodesIn(module.program)].filter(
      (node): node is CallExpression => node.type === 'CallExpression' && calleeOf(module, node) === 'defineOperator',
    );
    const [call] = calls;
    const [argument] = call?.arguments ?? [];
    if (calls.length !== 1) {
      const why = `it has ${calls.length === 0 ? 'no' : 'several'} defineOperator({ ... })`;
      throw this.#refused(module, calls[1]?.start ?? 0, why, manual);
    }
    const object = argument === undefined || argument.type === 'SpreadElement' ? undefined : followed(module, argument);
    if (object?.type === 'ObjectExpression') return object;
    throw this.#refused(
      module,
      argument?.start ?? 0,
      'the operator is not declared in defineOperator({ ... })',
      manual,
    );
  }

  #shownConfig(): string {
    return this.#project.shown(this.#project.configPath);
  }

  #refused(module: SourceModule, at: number, why: string, manual: readonly string[]): EvenkeelError {
    const place = `${this.#project.shown(module.path)}:${module.lineOf(at)}`;
    const fix =
      manual.length === 0
        ? 'write it in this form'
        : 'write it as a plain list first, or add this yourself with its files';
    return new EvenkeelError(
      'edit-refused',
      [`${place}: cannot edit it, because ${why}; ${fix}`, ...manual.map((line) => `    ${line}`)].join('\n'),
    );
  }
}

function listOf({ start, end, elements }: ArrayExpression): BracketedList {
  return { start, end, entries: elements.filter((element) => element !== null) };
}

function isPattern(entry: string, folder: string): boolean {
  return /[*?{[]/.test(entry) && !existsSync(resolve(folder, entry));
}
