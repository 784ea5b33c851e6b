import { nearestPackage } from './nearest-package.ts';

/** `@acme/sites` in version 1.2.0 is `acme/sites:1.2.0`. Undefined for a package without a name. */
export function imageOfPackage(folder: string): string | undefined {
  const { name } = nearestPackage(folder) ?? {};
  const [, repository] = typeof name === 'string' ? (/^@?([a-z0-9][a-z0-9._/-]{0,213})$/.exec(name) ?? []) : [];
  return repository === undefined ? undefined : withTagOfPackage(repository, folder);
}

/** Adds the version of the nearest package.json to the name of an image that has neither a tag nor a digest; `latest` without one. */
export function withTagOfPackage(image: string, folder: string): string {
  if (image.includes('@') || /:[^/]*$/.test(image)) return image;
  const { version } = nearestPackage(folder) ?? {};
  const isTag = typeof version === 'string' && /^\w[\w.+-]{0,127}$/.test(version);
  return `${image}:${isTag ? version.replaceAll('+', '-') : 'latest'}`;
}
