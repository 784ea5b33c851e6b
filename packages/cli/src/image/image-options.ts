import { EvenkeelError } from '@evenkeel/core';

/** The options of `evenkeel build` about images. */
export interface ImageOptions {
  readonly config?: string;
  /** The name of the image. */
  readonly image?: string;
  readonly base?: string;
  /** Separated by commas. */
  readonly platform?: string;
  /** The file of the archive. */
  readonly archive?: string;
  /** The folder of the OCI image layout. */
  readonly layout?: string;
  readonly push?: boolean;
  /** The path of the Dockerfile; `-` prints it. */
  readonly dockerfile?: string;
  readonly registryCa?: string;
  readonly plainHttp?: boolean;
}

/** The outputs that the options request. */
export interface WantedOutputs {
  readonly image: boolean;
  readonly dockerfile: boolean;
}

/** Returns the outputs that the options request. Throws `invalid-option` for options that have no effect without others. */
export function checkImageOptions(options: ImageOptions & { readonly outfile: string }): WantedOutputs {
  const { image, archive, layout, push = false, dockerfile } = options;
  const wanted = {
    image: push || [image, archive, layout].some((each) => each !== undefined),
    dockerfile: dockerfile !== undefined,
  };
  if (/\.tar$/.test(options.outfile)) {
    throw new EvenkeelError(
      'invalid-option',
      `--outfile ${options.outfile}: this is the file of the bundle; pass --archive ${options.outfile} for an archive of the image`,
    );
  }
  const { base, platform, registryCa, plainHttp } = options;
  const without = Object.entries({ base, platform, 'registry-ca': registryCa, 'plain-http': plainHttp }).find(
    ([, value]) => value !== undefined,
  );
  if (without !== undefined && !wanted.image && !wanted.dockerfile) {
    throw new EvenkeelError(
      'invalid-option',
      `--${without[0]} has no effect without an image; add --image NAME, --push or --dockerfile FILE`,
    );
  }
  return wanted;
}
