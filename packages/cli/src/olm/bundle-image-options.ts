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

/** Whether the options ask for an image. */
export function wantsBundleImage({ image, archive, layout, push = false }: BundleImageOptions): boolean {
  return push || [image, archive, layout].some((each) => each !== undefined);
}
