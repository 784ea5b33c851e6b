import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isJsonObject } from '@evenkeel/apimachinery/json';
import { type ErrorCode, EvenkeelError } from '@evenkeel/core';
import { packageManagerProgram, runProgram } from '../package-manager/run-program.ts';
import { completeVersion } from './framework-version.ts';

/** The package whose version is that of all others, and whose new version finishes an upgrade. */
export const cliPackage = '@evenkeel/cli';

/**
 * Returns the version that a user asks for, as the registry has it. npm asks the registry, because it knows the settings for it:
 * address, login, proxy and certificates. Throws `framework-version-unknown`, or the error of the registry.
 *
 * @param folder whose .npmrc npm reads.
 * @param wanted a version, or a tag such as `latest`.
 */
export async function publishedVersion(folder: string, wanted: string): Promise<string> {
  const { versions, tags } = await published(folder);
  const version = completeVersion(wanted) ?? tags[wanted];
  if (typeof version === 'string' && versions.includes(version)) return version;
  const newest = versions.slice(-5).join(', ');
  const named = Object.keys(tags).join(', ');
  throw new EvenkeelError(
    'framework-version-unknown',
    `the registry has no version "${wanted}" of ${cliPackage}; pass one of ${newest}, or a tag (${named})`,
  );
}

interface Published {
  readonly versions: readonly string[];
  readonly tags: Readonly<Record<string, unknown>>;
}

async function published(folder: string): Promise<Published> {
  // With its usual cache, npm prints old versions if the registry does not respond.
  const cache = await mkdtemp(join(tmpdir(), 'evenkeel-npm-'));
  try {
    return await viewed(folder, cache);
  } finally {
    await rm(cache, { recursive: true, force: true });
  }
}

async function viewed(folder: string, cache: string): Promise<Published> {
  const query = ['view', cliPackage, 'versions', 'dist-tags', '--json', '--loglevel=silent', `--cache=${cache}`];
  // By default, npm waits ten seconds before it tries again, and a minute before the last time.
  const retries = ['--fetch-retries=1', '--fetch-retry-mintimeout=500', '--fetch-timeout=30000'];
  const { exitCode, stdout } = await runProgram(folder, packageManagerProgram('npm'), [...query, ...retries], {
    captures: true,
  });
  const answer = parsed(stdout);
  if (exitCode !== 0) throw failure(exitCode, answer['error']);
  const { versions, 'dist-tags': tags } = answer;
  return {
    // npm prints a list with one member as that member.
    versions: [versions].flat().filter((version) => typeof version === 'string'),
    tags: isJsonObject(tags) ? tags : {},
  };
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** By npm's codes, which are `E` and the status of the response, or those of Node. */
const failures: readonly { readonly form: RegExp; readonly code: ErrorCode; readonly fix: string }[] = [
  {
    form: /^(?:E401|ENEEDAUTH|EOTP)$/,
    code: 'registry-unauthorized',
    fix: 'run npm login, or set the token in .npmrc',
  },
  { form: /^E403$/, code: 'registry-forbidden', fix: 'log in as another user, or ask for permission' },
  {
    form: /^E404$/,
    code: 'framework-version-unknown',
    fix: `it has no package ${cliPackage}; check the registry with npm config get registry`,
  },
  {
    form: /^E\d{3}$/,
    code: 'registry-failed',
    fix: 'try again later, or check the registry with npm config get registry',
  },
  { form: /^/, code: 'registry-unreachable', fix: 'check the network, the proxy and npm config get registry' },
];

function failure(exitCode: number, error: unknown): EvenkeelError {
  if (exitCode === 127) {
    return new EvenkeelError(
      'upgrade-failed',
      'npm was not found, but it must read the versions from the registry; install npm',
    );
  }
  const { code = '', summary = `npm view failed with exit code ${exitCode}` } = isJsonObject(error) ? error : {};
  const [found] = failures.filter(({ form }) => form.test(String(code)));
  const { code: ours = 'registry-unreachable', fix = '' } = found ?? {};
  return new EvenkeelError(ours, `cannot read the versions of ${cliPackage}: ${summary}; ${fix}`);
}
