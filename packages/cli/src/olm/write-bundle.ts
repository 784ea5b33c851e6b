import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { EvenkeelError } from '@evenkeel/core';
import type { BundleRelease, ImageDigests, RelatedImage } from '@evenkeel/olm/csv';
import type { GeneratedBundle } from '../generate/generation.ts';
import type { LoadingProcess } from '../generate/loading-process.ts';
import { startLoadingProcess } from '../generate/loading-process.ts';
import { compareWithDisk, type GeneratedPlace, type OutputFile, writeChanged } from '../generate/output-files.ts';
import { hasErrors, reportFindings } from '../generate/report.ts';
import { runGeneration } from '../generate/run-generation.ts';
import { epochIn, timeText } from '../image/image.ts';
import { findConfig } from '../load/load-config.ts';
import { nearestPackageFolder } from '../load/nearest-package.ts';
import { ProgressLines } from '../progress-lines.ts';
import { withProjectLock } from '../project-lock.ts';
import type { CommandDocument } from '../report/command-document.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { timeoutOf } from '../timeout-option.ts';
import type { BundleImageReport } from './bundle-image.ts';
import { wantsBundleImage } from './bundle-image-options.ts';
import { checkBundleOptions, invalidOption, namesIn, type WriteBundleOptions } from './bundle-options.ts';

/** What `--output json` prints. With errors, it has only findings. */
export interface WrittenBundleDocument extends CommandDocument {
  /** The name of the ClusterServiceVersion. */
  readonly bundle: string;
  /** The folder, relative to the working folder. */
  readonly folder: string;
  readonly files: readonly { readonly path: string; readonly state: OutputFile['state'] }[];
  /** The images that clusters without internet access must mirror; without a digest if it is unknown. */
  readonly relatedImages: readonly { readonly name: string; readonly image: string; readonly digest?: string }[];
  /** The image of the bundle, if one was made. */
  readonly image?: BundleImageReport;
}

/** Where a bundle has generated files. Users may add others. */
const bundlePlaces: readonly GeneratedPlace[] = ['manifests', 'metadata', 'tests/scorecard'].map((folder) => ({
  folder,
  names: /\.yaml$/,
}));

/** Writes the bundle of a project, or compares it with the files on disk; resolves to the exit code. */
export async function writeBundle(
  options: WriteBundleOptions,
  isVerbose: boolean,
  terminal: CommandTerminal,
  started?: LoadingProcess,
): Promise<number> {
  await checkBundleOptions(options);
  const loading = started ?? startLoadingProcess(terminal.folder);
  const progress = new ProgressLines(terminal);
  try {
    const configPath = findConfig(terminal.folder, options.config);
    const { version, operatorImage: image } = options;
    const request = { configPath, folder: terminal.folder, bundles: { version, image } };
    const observer = { onPrint: (line: string) => terminal.err(line), onProgress: progress.onProgress };
    const generation = runGeneration(loading, request, timeoutOf(options.timeout), observer);
    // While the other process loads the project.
    const [{ bundle, findings }] = await Promise.all([
      generation,
      import('@evenkeel/olm'),
      import('@evenkeel/olm/csv'),
    ]);
    reportFindings(findings, isVerbose, terminal);
    if (bundle === undefined || hasErrors(findings)) return 1;
    const writing = new BundleWriting(bundle, options, configPath, terminal, progress.onProgress);
    const lock = { folder: dirname(configPath), command: 'bundle', terminal };
    return await (options.check === true ? writing.check() : withProjectLock(lock, () => writing.write()));
  } finally {
    progress.stop();
    loading.child.kill('SIGKILL');
  }
}

class BundleWriting {
  readonly #bundle: GeneratedBundle;
  readonly #options: WriteBundleOptions;
  readonly #configFolder: string;
  readonly #folder: string;
  readonly #terminal: CommandTerminal;
  readonly #progress: (doing: string) => void;

  constructor(
    bundle: GeneratedBundle,
    options: WriteBundleOptions,
    configPath: string,
    terminal: CommandTerminal,
    progress: (doing: string) => void,
  ) {
    this.#bundle = bundle;
    this.#options = options;
    this.#configFolder = dirname(configPath);
    this.#folder = options.folder === undefined ? bundle.folder : resolve(terminal.folder, options.folder);
    this.#terminal = terminal;
    this.#progress = progress;
  }

  async check(): Promise<number> {
    const { release, files } = await this.#compared(true);
    const stale = files.filter(({ state }) => state !== 'current');
    this.#report(files, release);
    for (const { path, state } of stale) {
      const fix =
        state === 'obsolete'
          ? 'nothing generates it; run "evenkeel bundle" and commit the removal'
          : 'run "evenkeel bundle" and commit it';
      const message = `${this.#shown(path)} is ${state}: ${fix}`;
      this.#terminal.finding({ level: 'error', code: 'stale-output', message });
    }
    if (!(await this.#isValid(files)) || stale.length > 0) return 1;
    this.#terminal.out(`${this.#shown(this.#folder)} is current`);
    return 0;
  }

  async write(): Promise<number> {
    const { release, files } = await this.#compared(false);
    const foreign = files.filter(({ foreignBy }) => foreignBy !== undefined);
    for (const { path } of foreign) {
      const message = `${this.#shown(path)} exists, and evenkeel did not generate it; move or delete it, or set another folder with --folder or bundle.folder`;
      this.#terminal.finding({ level: 'error', code: 'output-not-written', message });
    }
    if (!(await this.#isValid(files)) || foreign.length > 0) return 1;
    await writeChanged(files);
    this.#report(files, release);
    const written = files.filter(({ state }) => state !== 'current');
    for (const { path, text } of written)
      this.#terminal.out(`${this.#shown(path)} ${text === undefined ? 'removed' : 'written'}`);
    if (written.length === 0) this.#terminal.out(`${this.#shown(this.#folder)} is current`);
    await this.#makeImage(release);
    return 0;
  }

  /** @param keepsDigests whether digests that are unknown now are those on disk. */
  async #compared(
    keepsDigests: boolean,
  ): Promise<{ readonly release: BundleRelease; readonly files: readonly OutputFile[] }> {
    const { bundleDockerfile, bundleFiles, installFiles } = await import('@evenkeel/olm/csv');
    const { contents } = this.#bundle;
    const csvPath = join(this.#folder, 'manifests', `${contents.packageName}.clusterserviceversion.yaml`);
    const before = await readFile(csvPath, 'utf8').catch(() => '');
    const release = await this.#release(keepsDigests ? before : '');
    const inImage = relative(this.#configFolder, this.#folder).replaceAll('\\', '/');
    const beside = `../${basename(this.#folder)}`;
    const others = [
      { path: `${beside}.Dockerfile`, text: bundleDockerfile(contents.packageName, release, inImage) },
      ...installFiles(contents, release).map(({ version, text }) => ({
        path: `${beside}.install-${version}.yaml`,
        text,
      })),
    ];
    const made = [...bundleFiles(contents, release), ...others].map(({ path: name, text }) => ({
      name,
      // A file that differs only in its date is current, so that a new commit alone changes nothing.
      text: text !== undefined && withoutDate(text) === withoutDate(before) ? before : text,
      options: [],
    }));
    return { release, files: await compareWithDisk(made, this.#folder, undefined, bundlePlaces) };
  }

  async #release(before: string): Promise<BundleRelease> {
    const { channels: listed, defaultChannel, replaces, skips, skipRange } = this.#options;
    const { packageName } = this.#bundle.contents;
    const channels = listed === undefined ? this.#bundle.channels : namesIn(listed, '--channels');
    if (defaultChannel !== undefined && !channels.includes(defaultChannel)) {
      throw invalidOption(
        `--default-channel: ${defaultChannel} is not one of the channels ${channels.join(', ')}; add it with --channels`,
      );
    }
    const { isVersion } = await import('@evenkeel/olm/csv');
    const nameOf = (given: string): string => (isVersion(given) ? `${packageName}.v${given}` : given);
    return {
      channels,
      defaultChannel: defaultChannel ?? channels[0],
      createdAt: await this.#createdAt(),
      replaces: replaces === undefined ? await this.#replaced(defaultChannel ?? channels[0] ?? '') : nameOf(replaces),
      skips: skips === undefined ? [] : namesIn(skips, '--skips').map(nameOf),
      skipRange,
      digests: await this.#digests(before),
    };
  }

  /** The bundle that this one replaces in the catalog of the project. */
  async #replaced(channel: string): Promise<string | undefined> {
    const { catalog, contents } = this.#bundle;
    if (catalog === undefined || !existsSync(catalog)) return undefined;
    const { CatalogUpdateError, placeInCatalog } = await import('@evenkeel/olm');
    const { packageName, version, csv } = contents;
    try {
      return (await placeInCatalog(catalog, { packageName, version, channel, name: csv.metadata.name })).replaces;
    } catch (cause) {
      if (!(cause instanceof CatalogUpdateError)) throw cause;
      const problem = `bundle.catalog: correct ${this.#shown(catalog)}, or pass --replaces: ${cause.message}`;
      throw new EvenkeelError('invalid-catalog', problem, { cause });
    }
  }

  /** The time of the commit, so that a build from the same sources makes the same bundle. */
  async #createdAt(): Promise<string | undefined> {
    if ((process.env['SOURCE_DATE_EPOCH'] ?? '') !== '') return timeText(epochIn(process.env));
    try {
      const options = ['-C', this.#configFolder, 'log', '-1', '--format=%ct'];
      const { stdout } = await promisify(execFile)('git', options, { timeout: 10_000 });
      const seconds = Number(stdout.trim());
      return stdout.trim() !== '' && Number.isSafeInteger(seconds) ? timeText(seconds) : undefined;
    } catch {
      return undefined;
    }
  }

  async #digests(before: string): Promise<ImageDigests> {
    const { images } = this.#bundle.contents;
    const { imageDigests } = await import('./image-digests.ts');
    const { registryCa, plainHttp = false, resolveImages = false } = this.#options;
    const caFile = registryCa === undefined ? undefined : resolve(this.#terminal.folder, registryCa);
    const found = await imageDigests(images, {
      folder: nearestPackageFolder(this.#configFolder) ?? this.#configFolder,
      registry: resolveImages ? { env: process.env, caFile, allowsPlainHttp: plainHttp } : undefined,
      progress: this.#progress,
    });
    const digests = before === '' ? found : { ...(await digestsOnDisk(images, before)), ...found };
    const unknown = images.filter(({ image }) => digests[image] === undefined);
    if (unknown.length > 0) {
      const message = `without a digest, and so without a fixed content: ${unknown.map(({ image }) => image).join(', ')}; pass --resolve-images to ask the registries, or push the operator's image with "evenkeel build --push" first`;
      this.#terminal.finding({ level: 'notice', check: 'image-without-digest', message });
    }
    return digests;
  }

  /** Prints the findings about the bundle as it will be on disk, and returns whether it has no errors. */
  async #isValid(files: readonly OutputFile[]): Promise<boolean> {
    const { readBundleFolder, BundleFolderError, validateBundleFiles } = await import('@evenkeel/olm');
    const { printFindings } = await import('./report-findings.ts');
    const made = new Map(
      files.map(({ path, text }) => [relative(this.#folder, path).replaceAll('\\', '/'), text] as const),
    );
    const onDisk = await readBundleFolder(this.#folder).catch((error: unknown) => {
      if (error instanceof BundleFolderError) return [];
      throw error;
    });
    const all = [
      ...onDisk.filter(({ path }) => !made.has(path)),
      ...[...made].flatMap(([path, text]) =>
        text === undefined || path.startsWith('../') ? [] : [{ path, content: Buffer.from(text) }],
      ),
    ];
    const { findings } = await validateBundleFiles(all);
    // The digests have a notice of their own, with what to do.
    const kept = findings.filter(({ check }) => check !== 'image-without-digest');
    printFindings(kept, this.#shown(this.#folder), this.#terminal);
    return !kept.some(({ level }) => level === 'error');
  }

  async #makeImage(release: BundleRelease): Promise<void> {
    if (!wantsBundleImage(this.#options)) return;
    const { makeBundleImage } = await import('./bundle-image.ts');
    const { bundleAnnotations } = await import('@evenkeel/olm/csv');
    const { packageName } = this.#bundle.contents;
    const image = await makeBundleImage(this.#folder, bundleAnnotations(packageName, release), this.#options, {
      folder: this.#terminal.folder,
      env: process.env,
      tell: (line) => this.#terminal.out(line),
      progress: this.#progress,
    });
    this.#terminal.add({ image } satisfies Partial<WrittenBundleDocument>);
  }

  #report(files: readonly OutputFile[], { digests }: BundleRelease): void {
    const { contents } = this.#bundle;
    const document: Omit<WrittenBundleDocument, keyof CommandDocument> = {
      bundle: contents.csv.metadata.name,
      folder: this.#shown(this.#folder),
      files: files.map(({ path, state }) => ({ path: this.#shown(path), state })),
      relatedImages: contents.images.map(({ name, image }) => {
        const digest = digests[image];
        return { name, image, ...(digest === undefined ? {} : { digest }) };
      }),
    };
    this.#terminal.add(document);
  }

  #shown(path: string): string {
    return relative(this.#terminal.folder, path).replaceAll('\\', '/');
  }
}

function withoutDate(text: string): string {
  return text.replace(/^ {4}createdAt: .*\n/m, '');
}

/** The digests in a ClusterServiceVersion, for images of the same names and repositories. */
async function digestsOnDisk(images: readonly RelatedImage[], csv: string): Promise<ImageDigests> {
  const { repositoryOf } = await import('@evenkeel/olm/csv');
  return Object.fromEntries(
    images.flatMap(({ image }) => {
      const start = `image: ${repositoryOf(image)}@`;
      const line = csv.split('\n').find((each) => each.trim().replace(/^- /, '').startsWith(start));
      return line === undefined ? [] : [[image, line.slice(line.indexOf('@') + 1).trim()]];
    }),
  );
}
