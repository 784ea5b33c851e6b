import { relative, resolve } from 'node:path';
import { EvenkeelError } from '@evenkeel/core';
import { readBundleFolder } from '@evenkeel/olm';
import { bundleFolders } from '@evenkeel/olm/csv';
import type { ImageWork } from '../image/build-image.ts';
import { epochIn, makeScratchImage } from '../image/image.ts';
import { recordDigest } from '../image/image-record.ts';
import { layerOf } from '../image/layer.ts';
import { pushImage } from '../image/push-image.ts';
import { tarEntry } from '../image/tar.ts';
import { writeArchive, writeLayout } from '../image/write-image.ts';
import { familiarName, fullName, parseImageReference } from '../registry/image-reference.ts';

/** The options of `evenkeel bundle` about the image of the bundle. */
export interface BundleImageOptions {
  /** The name of the image. */
  readonly image?: string;
  /** The file of the archive. */
  readonly archive?: string;
  /** The folder of the OCI image layout. */
  readonly layout?: string;
  readonly push?: boolean;
  readonly registryCa?: string;
  readonly plainHttp?: boolean;
}

/** The results, with paths relative to the working folder. */
export interface BundleImageReport {
  readonly reference: string;
  readonly digest: string;
  readonly archive?: string;
  readonly layout?: string;
  readonly pushed: boolean;
}

/** Whether the options ask for an image. */
export function wantsBundleImage({ image, archive, layout, push = false }: BundleImageOptions): boolean {
  return push || [image, archive, layout].some((each) => each !== undefined);
}

/**
 * Makes the image of a bundle: its folders, and its annotations as labels. Throws `invalid-option` without a name or an output, and the
 * failures of a registry.
 */
export async function makeBundleImage(
  bundle: string,
  labels: Readonly<Record<string, string>>,
  options: BundleImageOptions,
  { folder, env, tell, progress }: Omit<ImageWork, 'print'>,
): Promise<BundleImageReport> {
  const { image: name, archive, layout, push = false, registryCa, plainHttp = false } = options;
  if (name === undefined) {
    throw new EvenkeelError(
      'invalid-option',
      '--push, --archive and --layout need the name of the image; add --image NAME',
    );
  }
  if (!push && archive === undefined && layout === undefined) {
    throw new EvenkeelError(
      'invalid-option',
      '--image has no effect without an output; add --push, --archive FILE or --layout FOLDER',
    );
  }
  const reference = parseImageReference(name, '--image');
  const epochSeconds = epochIn(env);
  const layer = await layerOf(await entriesOf(bundle), epochSeconds);
  const image = makeScratchImage({ layer, labels, epochSeconds });
  const { digest } = image.root.descriptor;
  const shown = (path: string): string => relative(folder, resolve(folder, path));
  if (archive !== undefined) {
    await writeArchive(image, reference, resolve(folder, archive), epochSeconds);
    tell(`${shown(archive)} written: ${familiarName(reference)}`);
  }
  if (layout !== undefined) {
    await writeLayout(image, reference, resolve(folder, layout));
    tell(`${shown(layout)} written: ${familiarName(reference)}`);
  }
  if (push) {
    const caFile = registryCa === undefined ? undefined : resolve(folder, registryCa);
    await pushImage(image, undefined, reference, { env, caFile, allowsPlainHttp: plainHttp }, progress);
    await recordDigest(folder, { ...reference, tag: reference.tag ?? 'latest' }, digest);
    tell(`${fullName(reference)} pushed: ${digest}`);
  }
  return {
    ...{ reference: fullName(reference), digest, pushed: push },
    ...(archive === undefined ? {} : { archive: shown(archive) }),
    ...(layout === undefined ? {} : { layout: shown(layout) }),
  };
}

async function entriesOf(bundle: string) {
  const files = (await readBundleFolder(bundle)).filter(({ path }) =>
    bundleFolders.some((each) => path.startsWith(`${each}/`)),
  );
  const folders = new Set(files.flatMap(({ path }) => parentsOf(path)));
  return [...[...folders].map((name) => tarEntry(name)), ...files.map(({ path, content }) => tarEntry(path, content))];
}

/** `tests/scorecard/config.yaml` is in `tests/` and `tests/scorecard/`. */
function parentsOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => `${parts.slice(0, index + 1).join('/')}/`);
}
