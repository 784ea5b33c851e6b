import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { EvenkeelError } from '@evenkeel/core';
import { imageOfPackage, withTagOfPackage } from '../load/image-of-package.ts';
import { checkConfig, findConfig, type LoadedConfig } from '../load/load-config.ts';
import { ModuleLoader } from '../load/module-loader.ts';
import { nearestPackage, nearestPackageFolder } from '../load/nearest-package.ts';
import { ownVersion } from '../own-version.ts';
import { familiarName, fullName, type ImageReference, parseImageReference } from '../registry/image-reference.ts';
import type { RegistryClientOptions } from '../registry/registry-client.ts';
import { applicationLayer } from './application-layer.ts';
import { type BaseImage, readBase } from './base-image.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import { BlobCache } from './blob-cache.ts';
import { bundledPackages } from './bundled-packages.ts';
import { dockerfile, dockerfileMark } from './dockerfile.ts';
import { epochIn, type Image, makeImage } from './image.ts';
import { imageLabels } from './image-labels.ts';
import { checkImageOptions, type ImageOptions } from './image-options.ts';
import { recordDigest } from './image-record.ts';
import type { ImageSource } from './image-source.ts';
import { layoutPrefix, layoutSource } from './layout-source.ts';
import { ownPlatform, type Platform, parsePlatform, platformText } from './platform.ts';
import { pushImage } from './push-image.ts';
import { registrySource } from './registry-source.ts';
import { writeArchive, writeLayout } from './write-image.ts';

/** A bundle that was written. */
export interface WrittenBundle {
  /** The program and then its source map, by their names. */
  readonly files: Readonly<Record<string, Buffer>>;
  readonly modules: readonly string[];
  /** The path of the program. */
  readonly file: string;
  /** The path of the module that it was made from. */
  readonly main: string;
}

/** The parts of the command that the build of an image uses. */
export interface ImageWork {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Prints a finished step. */
  readonly tell: (line: string) => void;
  /** Is called with a description of each next step. */
  readonly progress: (doing: string) => void;
  /** Prints the Dockerfile. */
  readonly print: (text: string) => void;
}

/** The results, with paths relative to the working folder. */
export interface ImageReport {
  readonly reference?: string;
  readonly digest?: string;
  readonly platforms: readonly string[];
  readonly base: { readonly name: string; readonly digest: string };
  /** The compressed size of the operator's own layer. */
  readonly layerBytes?: number;
  readonly archive?: string;
  readonly layout?: string;
  readonly billOfMaterials?: string;
  readonly pushed: boolean;
  readonly dockerfile?: string;
}

/** Makes the image and the Dockerfile that the options ask for. */
export async function buildImage(
  bundle: WrittenBundle,
  options: ImageOptions & { readonly outfile: string },
  work: ImageWork,
): Promise<ImageReport> {
  return new ImageBuild(bundle, options, work).report();
}

class ImageBuild {
  readonly #bundle: WrittenBundle;
  readonly #options: ImageOptions & { readonly outfile: string };
  readonly #work: ImageWork;
  readonly #epochSeconds: number;
  readonly #registry: RegistryClientOptions;

  constructor(bundle: WrittenBundle, options: ImageOptions & { readonly outfile: string }, work: ImageWork) {
    this.#bundle = bundle;
    this.#options = options;
    this.#work = work;
    this.#epochSeconds = epochIn(work.env);
    const { registryCa, plainHttp = false } = options;
    const caFile = registryCa === undefined ? undefined : resolve(work.folder, registryCa);
    this.#registry = { env: work.env, caFile, allowsPlainHttp: plainHttp };
  }

  async report(): Promise<ImageReport> {
    const { folder, progress } = this.#work;
    const wanted = checkImageOptions(this.#options);
    const config = await configOf(folder, this.#options.config);
    const reference = wanted.image ? this.#reference(config) : undefined;
    const platforms = this.#platforms(config);
    const source = this.#source(config);
    try {
      progress(`reading the base image ${source.shown}`);
      const base = await readBase(source, platforms);
      const manifest = nearestPackage(dirname(this.#bundle.main)) ?? {};
      const labels = await imageLabels(manifest, base, folder);
      return {
        platforms: platforms.map(platformText),
        base: { name: source.shown, digest: base.digest },
        pushed: this.#options.push === true,
        ...(wanted.dockerfile ? { dockerfile: await this.#dockerfile(base, labels) } : {}),
        ...(reference === undefined ? {} : await this.#image(reference, base, labels, manifest)),
      };
    } finally {
      source.close();
    }
  }

  async #image(
    reference: ImageReference,
    base: BaseImage,
    labels: Readonly<Record<string, string>>,
    manifest: Readonly<Record<string, unknown>>,
  ): Promise<Partial<ImageReport>> {
    const { progress, tell } = this.#work;
    const epochSeconds = this.#epochSeconds;
    const layer = await applicationLayer(this.#bundle.files, epochSeconds);
    const program = basename(this.#bundle.file);
    const image = makeImage({ base, layer, program, labels, epochSeconds });
    const bill = this.#bill(image, reference, base, manifest);
    const { archive, layout } = this.#outputs();
    const described = `${familiarName(reference)} for ${base.variants.map(({ platform }) => platformText(platform)).join(', ')}`;
    const size = `${(layer.bytes.length / 1e6).toFixed(1)} MB on ${base.source.shown}`;
    if (archive !== undefined) {
      progress(`writing ${this.#shown(archive)}`);
      await writeArchive(image, reference, archive, epochSeconds);
      tell(`${this.#shown(archive)} written: ${described}, ${size}`);
    }
    if (layout !== undefined) {
      progress(`writing ${this.#shown(layout)}`);
      await writeLayout(image, reference, layout);
      tell(`${this.#shown(layout)} written: ${described}, ${size}`);
    }
    const billFile = `${(archive ?? layout ?? join(dirname(this.#bundle.file), 'image')).replace(/\.tar$/, '')}.spdx.json`;
    await mkdir(dirname(billFile), { recursive: true });
    await writeFile(billFile, bill);
    tell(`${this.#shown(billFile)} written`);
    if (this.#options.push === true) {
      await pushImage(image, bill, reference, this.#registry, progress);
      tell(`${fullName(reference)} pushed: ${image.root.descriptor.digest}`);
      const { folder } = this.#work;
      await recordDigest(
        nearestPackageFolder(dirname(this.#bundle.main)) ?? folder,
        reference,
        image.root.descriptor.digest,
      );
    }
    return {
      reference: fullName(reference),
      digest: image.root.descriptor.digest,
      layerBytes: layer.bytes.length,
      ...(archive === undefined ? {} : { archive: this.#shown(archive) }),
      ...(layout === undefined ? {} : { layout: this.#shown(layout) }),
      billOfMaterials: this.#shown(billFile),
    };
  }

  /** An archive if nothing else is asked for. */
  #outputs(): { readonly archive: string | undefined; readonly layout: string | undefined } {
    const { archive, layout, push } = this.#options;
    const path = (given: string | undefined) => (given === undefined ? undefined : resolve(this.#work.folder, given));
    const isDefault = archive === undefined && layout === undefined && push !== true;
    return {
      archive: isDefault ? join(dirname(this.#bundle.file), 'image.tar') : path(archive),
      layout: path(layout),
    };
  }

  #bill(
    image: Image,
    reference: ImageReference,
    base: BaseImage,
    { name, version, license }: Readonly<Record<string, unknown>>,
  ): Buffer {
    const folder = nearestPackageFolder(dirname(this.#bundle.main)) ?? this.#work.folder;
    const { source } = base;
    return billOfMaterials({
      image: reference,
      digest: image.root.descriptor.digest,
      application: {
        name: typeof name === 'string' ? name : basename(folder),
        version: typeof version === 'string' ? version : '0.0.0',
        license: typeof license === 'string' ? license : undefined,
      },
      packages: bundledPackages(this.#bundle.modules, folder),
      base: {
        // The path of a layout may differ between machines.
        name: source.fullName ?? 'base',
        reference: source.fullName === undefined ? undefined : parseImageReference(source.fullName, '--base'),
        digest: base.digest,
      },
      epochSeconds: this.#epochSeconds,
      toolVersion: ownVersion(),
    });
  }

  async #dockerfile(base: BaseImage, labels: Readonly<Record<string, string>>): Promise<string> {
    const { folder, print, tell } = this.#work;
    const files = Object.keys(this.#bundle.files).map((name) => join(dirname(this.#bundle.file), name));
    const text = dockerfile(base, labels, files, folder);
    const { dockerfile: path = '-' } = this.#options;
    if (path === '-') {
      print(text.trimEnd());
      return path;
    }
    const file = resolve(folder, path);
    if (existsSync(file) && !(await readFile(file, 'utf8')).startsWith(dockerfileMark)) {
      const problem = `--dockerfile ${path}: the file exists, and evenkeel did not generate it; pass another path, or delete it`;
      throw new EvenkeelError('output-not-written', problem);
    }
    await writeFile(file, text);
    tell(`${this.#shown(file)} written`);
    return this.#shown(file);
  }

  #reference(config: LoadedConfig | undefined): ImageReference {
    const { image, push } = this.#options;
    const named = image ?? config?.deployment?.image;
    const folder = config?.folder ?? this.#work.folder;
    const name = named ?? imageOfPackage(folder);
    if (name === undefined || (named === undefined && push === true)) {
      throw new EvenkeelError(
        'invalid-image-reference',
        'the image has no name in a registry; pass --image registry.example.com/NAME, or set deployment.image in evenkeel.config.ts',
      );
    }
    const option = image === undefined ? 'deployment.image' : '--image';
    const reference = parseImageReference(name, option);
    if (reference.digest !== undefined) {
      throw new EvenkeelError(
        'invalid-image-reference',
        `${name}: a new image cannot have the digest of another one; pass --image NAME:TAG`,
      );
    }
    return reference.tag === undefined ? parseImageReference(withTagOfPackage(name, folder), option) : reference;
  }

  #platforms(config: LoadedConfig | undefined): readonly Platform[] {
    const { platform } = this.#options;
    const given = platform?.split(',').map((each) => each.trim()) ?? config?.image.platforms;
    if (given === undefined) return [ownPlatform()];
    const option = platform === undefined ? 'image.platforms' : '--platform';
    return [...new Set(given)].map((each) => parsePlatform(each, option));
  }

  #source(config: LoadedConfig | undefined): ImageSource {
    const { folder } = this.#work;
    const { base = config?.image.base } = this.#options;
    if (base === undefined) throw baseMissing();
    if (base.startsWith(layoutPrefix))
      return layoutSource(base, this.#options.base === undefined ? (config?.folder ?? folder) : folder);
    const cache = new BlobCache(join(folder, '.evenkeel', 'blobs'));
    return registrySource(base, parseImageReference(base, '--base'), cache, this.#registry);
  }

  #shown(path: string): string {
    return relative(this.#work.folder, path);
  }
}

/** The configuration of the project. A build needs it only for values that the options do not set. */
async function configOf(folder: string, named: string | undefined): Promise<LoadedConfig | undefined> {
  let path: string;
  try {
    path = findConfig(folder, named);
  } catch (error) {
    if (named === undefined && error instanceof EvenkeelError) return undefined;
    throw error;
  }
  const loader = new ModuleLoader(folder);
  const exports = await loader.load(pathToFileURL(path).href);
  const [failure] = loader.failures;
  if (exports === undefined) {
    const text = failure?.finding.message ?? 'the module did not load; correct it';
    throw new EvenkeelError('module-not-loaded', text);
  }
  return checkConfig(path, exports['default'], folder);
}

function baseMissing(): EvenkeelError {
  return new EvenkeelError(
    'image-base-missing',
    [
      'an image needs a base image with Node; pass --base, or set image.base in evenkeel.config.ts:',
      '    --base node:24-slim                                 Debian with Node, from Docker Hub',
      '    --base gcr.io/distroless/nodejs24-debian13:nonroot  Node without a shell',
      '    --base oci:FOLDER                                   an OCI image layout on this machine',
    ].join('\n'),
  );
}

/** The time of all files and of the image: `SOURCE_DATE_EPOCH`, by the convention of reproducible-builds.org, or 0. */
