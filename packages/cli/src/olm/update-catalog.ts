import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { EvenkeelError, messageOf } from '@evenkeel/core';
import {
  type Bundle,
  CatalogUpdate,
  CatalogUpdateError,
  EditError,
  graphSvg,
  graphText,
  packageNameOf,
} from '@evenkeel/olm';
import type { CommandDocument } from '../report/command-document.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { bundleIn } from './bundle-in.ts';
import { catalogDockerfile } from './catalog-dockerfile.ts';

/** The options of `evenkeel catalog` as strings from the command line. */
export interface UpdateCatalogOptions {
  readonly image?: string;
  readonly channels?: string;
  readonly defaultChannel?: string;
  readonly replaces?: string;
  readonly skips?: string;
  readonly skipRange?: string | true;
  readonly overwrite?: boolean;
  readonly deprecate?: string;
  readonly message?: string;
  readonly template?: string;
  readonly dockerfile?: boolean;
  readonly graph?: string;
  readonly dryRun?: boolean;
}

/** What `--output json` prints. */
export interface CatalogUpdateDocument extends CommandDocument {
  /** The new and the changed files, relative to the working folder. */
  readonly created: readonly string[];
  readonly changed: readonly string[];
  /** Whether the files were written. */
  readonly written: boolean;
  /** The upgrade graph, with `--graph`. */
  readonly graph?: string;
}

/** Changes a catalog folder, prints what has changed and the upgrade graph. */
export async function updateCatalog(
  folder: string,
  bundles: readonly string[],
  options: UpdateCatalogOptions,
  terminal: CommandTerminal,
): Promise<void> {
  checkOptions(bundles, options);
  const path = resolve(terminal.folder, folder);
  const exists = existsSync(path);
  if (!exists && bundles.length === 0 && options.template === undefined) {
    throw new EvenkeelError('invalid-catalog', `${folder}: the folder does not exist; pass the folder of a catalog`);
  }
  try {
    const update = await CatalogUpdate.open(path, exists);
    if (options.template !== undefined) await renderTemplate(update, options.template, bundles, options, terminal);
    else for (const bundle of bundles) await addBundle(update, bundle, options, terminal);
    if (options.deprecate !== undefined) {
      const [packageName = '', ...name] = options.deprecate.split('/');
      update.deprecate(packageName, name.length === 0 ? undefined : name.join('/'), options.message ?? '');
    }
    const files = new Map(
      [...(update.steps.length === 0 ? [] : update.changedFiles())].map(([file, text]) => [join(path, file), text]),
    );
    if (options.dockerfile === true) {
      files.set(dockerfileOf(path), catalogDockerfile(basename(path)));
    }
    for (const step of update.steps) terminal.out(join(folder, step));
    if (options.dockerfile === true && options.dryRun !== true) terminal.out(`${dockerfileOf(folder)} written`);
    await writeFiles(files, options.dryRun === true, terminal);
    if (options.graph !== undefined || (bundles.length === 0 && files.size === 0)) {
      const graph = options.graph === 'svg' ? graphSvg(update.catalog()) : graphText(update.catalog());
      terminal.add({ graph });
      terminal.out(graph.trimEnd());
    }
  } catch (error) {
    if (!(error instanceof CatalogUpdateError) && !(error instanceof EditError)) throw error;
    throw new EvenkeelError('invalid-catalog', `${folder}: ${error.message}`, { cause: error });
  }
}

/** Returns `catalog.Dockerfile`, which is beside the catalog. */
function dockerfileOf(catalog: string): string {
  return join(dirname(catalog), `${basename(catalog)}.Dockerfile`);
}

async function addBundle(
  update: CatalogUpdate,
  folder: string,
  options: UpdateCatalogOptions,
  terminal: CommandTerminal,
): Promise<void> {
  const { bundle, image } = await givenBundle(folder, options, terminal);
  const { replaces, defaultChannel, skipRange, overwrite } = options;
  update.addBundle(bundle, {
    image,
    channels: listIn(options.channels),
    defaultChannel,
    replaces,
    skips: listIn(options.skips),
    skipRange,
    overwrite,
  });
}

/** Reads a bundle. Replaces the placeholders of its image. */
async function givenBundle(
  folder: string,
  options: UpdateCatalogOptions,
  terminal: CommandTerminal,
): Promise<{ bundle: Bundle; image: string }> {
  const bundle = await bundleIn(terminal.folder, folder);
  const values: Readonly<Record<string, string>> = {
    package: packageNameOf(bundle),
    name: bundle.name,
    version: bundle.csv.spec?.version ?? '',
  };
  return { bundle, image: (options.image ?? '').replace(/\{(\w+)\}/g, (given, name: string) => values[name] ?? given) };
}

async function renderTemplate(
  update: CatalogUpdate,
  file: string,
  folders: readonly string[],
  options: UpdateCatalogOptions,
  terminal: CommandTerminal,
): Promise<void> {
  const given = new Map<string, Bundle>();
  for (const folder of folders) {
    const { bundle, image } = await givenBundle(folder, options, terminal);
    given.set(image, bundle);
  }
  let text: string;
  try {
    text = await readFile(resolve(terminal.folder, file), 'utf8');
  } catch (cause) {
    throw new EvenkeelError('invalid-option', `--template: ${file}: ${messageOf(cause)}; pass a file`, { cause });
  }
  update.renderTemplate(file, text, given);
}

function listIn(text: string | undefined): string[] | undefined {
  return text
    ?.split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function checkOptions(bundles: readonly string[], options: UpdateCatalogOptions): void {
  const { image, graph, deprecate, message } = options;
  const fail = (problem: string): never => {
    throw new EvenkeelError('invalid-option', problem);
  };
  if (bundles.length > 0 && image === undefined) {
    fail('--image is missing; pass the reference of the bundle image, such as quay.io/acme/widgets-bundle:v{version}');
  }
  if (bundles.length > 1 && !/\{(?:name|version)\}/.test(image ?? '')) {
    fail('--image is the same for several bundles; write {name} or {version} in it');
  }
  if (bundles.length > 1 && options.replaces !== undefined)
    fail('--replaces needs exactly one bundle; add one at a time');
  if (options.template !== undefined) {
    const unused = (['channels', 'defaultChannel', 'replaces', 'skips', 'skipRange', 'overwrite'] as const).find(
      (name) => options[name] !== undefined,
    );
    if (unused !== undefined) fail(`--${flagOf(unused)} has no effect with --template; write it in the template`);
  } else if (bundles.length === 0) {
    const unused = (['image', 'channels', 'replaces', 'skips', 'skipRange', 'overwrite'] as const).find(
      (name) => options[name] !== undefined,
    );
    if (unused !== undefined)
      fail(`--${flagOf(unused)} needs a bundle; pass its folder after the folder of the catalog`);
  }
  if (graph !== undefined && graph !== 'text' && graph !== 'svg') {
    fail(`--graph: ${JSON.stringify(graph)} is unknown; use text or svg`);
  }
  if ((deprecate === undefined) !== (message === undefined)) {
    fail('--deprecate and --message belong together; pass both');
  }
}

function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

async function writeFiles(
  files: ReadonlyMap<string, string>,
  isDryRun: boolean,
  terminal: CommandTerminal,
): Promise<void> {
  const created: string[] = [];
  const changed: string[] = [];
  for (const [path, text] of files) {
    const shown = relative(terminal.folder, path).split(sep).join('/');
    (existsSync(path) ? changed : created).push(shown);
    if (isDryRun) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  const document: Partial<CatalogUpdateDocument> = { created, changed, written: !isDryRun };
  terminal.add(document);
  if (isDryRun) terminal.out('nothing was written, because of --dry-run');
}
