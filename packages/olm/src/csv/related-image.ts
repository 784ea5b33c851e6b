import { hasDigest, imageReferenceError } from '../format/image-reference.ts';

/** An image that an operator or its operands run. */
export interface RelatedImage {
  readonly name: string;
  /** The reference. */
  readonly image: string;
}

/** The digests of images, such as `sha256:...`, by their references. */
export type ImageDigests = Readonly<Record<string, string>>;

/** The names of environment variables that contain images, by the conventions of operator-sdk and of OLM. */
const imageVariable = /^RELATED_IMAGE_(?<related>\w+)$|^(?<operand>\w+)_IMAGE$/;

/** Returns the images in environment variables, such as `MEMCACHED_IMAGE`. Values that are no references are ignored. */
export function imagesInEnvironment(env: Readonly<Record<string, string>>): RelatedImage[] {
  return Object.entries(env).flatMap(([variable, image]) => {
    const { related, operand } = imageVariable.exec(variable)?.groups ?? {};
    const name = related ?? operand;
    if (name === undefined || imageReferenceError(image) !== undefined) return [];
    return [{ name: name.toLowerCase().replaceAll('_', '-'), image }];
  });
}

/** The form of a reference that names exactly one image: with its digest, and without a tag. Undefined if the digest is unknown. */
export function pinned(image: string, digests: ImageDigests): string | undefined {
  const digest = digests[image];
  if (digest !== undefined) return `${repositoryOf(image)}@${digest}`;
  return hasDigest(image) ? `${repositoryOf(image)}${image.slice(image.indexOf('@'))}` : undefined;
}

/** A reference without its tag and its digest. */
export function repositoryOf(image: string): string {
  const [name = ''] = image.split('@');
  const colon = name.indexOf(':', name.lastIndexOf('/') + 1);
  return colon === -1 ? name : name.slice(0, colon);
}
