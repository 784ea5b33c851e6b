import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { isJsonObject } from '@evenkeel/apimachinery/json';
import type { BaseImage } from './base-image.ts';

const prefix = 'org.opencontainers.image.';

/** The labels of an image, as the annotations of the OCI image specification, sorted by name. */
export async function imageLabels(
  manifest: Readonly<Record<string, unknown>>,
  base: BaseImage,
  folder: string,
): Promise<Record<string, string>> {
  const { name, version, description, license, homepage, repository } = manifest;
  const labels: Readonly<Record<string, unknown>> = {
    'base.digest': base.digest,
    'base.name': base.source.fullName,
    description,
    licenses: license,
    revision: await revisionOf(folder),
    source: addressOf(repository),
    title: name,
    url: homepage,
    version,
  };
  return Object.fromEntries(
    Object.entries(labels).flatMap(([label, value]) =>
      typeof value === 'string' && value !== '' ? [[`${prefix}${label}`, value]] : [],
    ),
  );
}

/** The address of a repository in package.json, for browsers. */
export function addressOf(repository: unknown): string | undefined {
  const text = isJsonObject(repository) ? repository['url'] : repository;
  if (typeof text !== 'string') return undefined;
  const [, owner] = /^(?:github:)?([\w.-]+\/[\w.-]+)$/.exec(text) ?? [];
  if (owner !== undefined) return `https://github.com/${owner}`;
  const url = URL.parse(text.replace(/^git\+/, ''));
  if (url === null) return undefined;
  // The URL may contain a token.
  url.username = '';
  url.password = '';
  return url.href.replace(/\.git$/, '');
}

/** The commit of the sources; undefined if they differ from it, or are in no repository. */
async function revisionOf(folder: string): Promise<string | undefined> {
  const git = async (...options: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)('git', ['-C', folder, ...options], { timeout: 10_000 });
    return stdout.trim();
  };
  try {
    if ((await git('status', '--porcelain')) !== '') return undefined;
    return await git('rev-parse', '--verify', 'HEAD');
  } catch {
    return undefined;
  }
}
