import { relative, resolve } from 'node:path';
import { readBundleFolder } from '@evenkeel/olm';
import { bundleFolders } from '@evenkeel/olm/csv';
import type { ImageWork } from '../image/build-image.ts';
import { epochIn, makeScratchImage } from '../image/image.ts';
import { layerOf } from '../image/layer.ts';
import { pushImage } from '../image/push-image.ts';
import { tarEntry } from '../image/tar.ts';
import { writeArchive, writeLayout } from '../image/write-image.ts';
import { familiarName, fullName, parseImageReference } from '../registry/image-reference.ts';
import type { BundleImageOptions } from './bundle-image-options.ts';

/** The results, with paths relative to the working folder. */
export interface BundleImageReport {
  readonly reference: string;
  readonly digest: string;
  readonly archive?: string;
  readonly layout?: string;
  readonly pushed: boolean;
}

/** Makes the image of a bundle: its folders, and its annotations as labels. The options have been checked. Throws the failures of a registry. */
export async function makeBundleImage(
  bundle: string,
  labels: Readonly<Record<string, string>>,
  options: BundleImageOptions,
  { folder, env, tell, progress }: Omit<ImageWork, 'print'>,
): Promise<BundleImageReport> {
  const { image: name = '', archive, layout, push = false, registryCa, plainHttp = false } = options;
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
