import type { Descriptor } from '../registry/manifest.ts';

/** Where a base image comes from. Its content is not trusted, except content whose digest has been verified. */
export interface ImageSource {
  /** The name that the user wrote. */
  readonly shown: string;
  /** The name for labels and the bill of materials; undefined for a layout on this machine. */
  readonly fullName: string | undefined;
  /** Returns the manifest or index of the image. Throws `image-not-found`. */
  root(): Promise<Buffer>;
  /** Returns a manifest, index or configuration. */
  document(descriptor: Descriptor): Promise<Buffer>;
  /** Returns the path of a file with the content of a blob. */
  file(descriptor: Descriptor): Promise<string>;
  close(): void;
}
