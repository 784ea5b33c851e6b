import type { EvenkeelConfig } from '../config.ts';

/** An object of a manifest. */
export interface ManifestObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

/** A file that `evenkeel generate` makes, before it is compared with the disk. */
export interface GeneratedFile {
  /** The path relative to the output folder, with slashes: `crd/web.example.com_nginxes.yaml`. */
  readonly name: string;
  /** Undefined if nothing belongs there any more: a file that was generated earlier is removed. */
  readonly text: string | undefined;
  /** The objects of a manifest, as values. They are not set for files that are not applied to a cluster. */
  readonly objects?: readonly ManifestObject[];
  /** The options of the configuration that determine its path. The first one that is set decides. */
  readonly options: readonly (keyof EvenkeelConfig)[];
}
