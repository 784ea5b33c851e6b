/** The types of the contents of an image, by the OCI image specification 1.1. */
export const mediaTypes = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
  empty: 'application/vnd.oci.empty.v1+json',
  spdx: 'application/spdx+json',
} as const;

/** The types of Docker's own format, which has the same content, by the OCI type. */
const dockerTypes: Readonly<Record<string, string>> = {
  'application/vnd.docker.distribution.manifest.list.v2+json': mediaTypes.index,
  'application/vnd.docker.distribution.manifest.v2+json': mediaTypes.manifest,
  'application/vnd.docker.container.image.v1+json': mediaTypes.config,
  'application/vnd.docker.image.rootfs.diff.tar': 'application/vnd.oci.image.layer.v1.tar',
  'application/vnd.docker.image.rootfs.diff.tar.gzip': mediaTypes.layer,
  'application/vnd.docker.image.rootfs.diff.tar.zstd': 'application/vnd.oci.image.layer.v1.tar+zstd',
};

/** The types of manifests that a base image may have, for the header `Accept`. */
export const acceptedManifests: readonly string[] = [
  mediaTypes.index,
  mediaTypes.manifest,
  ...Object.keys(dockerTypes).slice(0, 2),
];

/** Returns the OCI type for a type of either format. */
export function ociType(mediaType: string): string {
  return dockerTypes[mediaType] ?? mediaType;
}
