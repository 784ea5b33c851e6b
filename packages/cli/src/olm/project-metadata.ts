import { readFileSync, statSync } from 'node:fs';
import { extname, relative, resolve } from 'node:path';
import { isDns1123Subdomain } from '@evenkeel/apimachinery/name-form';
import { EvenkeelError, messageOf } from '@evenkeel/core';
import { type BundleMetadata, isVersion } from '@evenkeel/olm/csv';
import type { BundleConfig } from '../config.ts';
import { addressOf } from '../image/image-labels.ts';
import type { LoadedConfig } from '../load/load-config.ts';
import { nearestPackage } from '../load/nearest-package.ts';
import { literal } from '../scaffold/literal.ts';

/** The members that follow from nothing else, in the order in which they are asked for, with what users then change. */
const asked = {
  displayName: 'My Operator',
  description: 'What the operator does, in at least 20 characters of Markdown.',
  provider: { name: 'Example Inc.' },
  maintainers: [{ name: 'Jane Doe', email: 'jane@example.com' }],
  links: [{ name: 'Documentation', url: 'https://example.com/docs' }],
  icon: './icon.svg',
} as const satisfies Partial<BundleConfig>;

/** Which operator a bundle is for. */
export interface BundledOperator {
  readonly name: string;
  /** `--version`, which has been checked. */
  readonly version: string | undefined;
}

const iconTypes: Readonly<Record<string, { readonly mediatype: string; readonly start: readonly string[] }>> = {
  '.svg': { mediatype: 'image/svg+xml', start: ['<'] },
  '.png': { mediatype: 'image/png', start: ['\x89PNG'] },
  '.jpg': { mediatype: 'image/jpeg', start: ['\xff\xd8\xff'] },
  '.jpeg': { mediatype: 'image/jpeg', start: ['\xff\xd8\xff'] },
  '.gif': { mediatype: 'image/gif', start: ['GIF8'] },
};
/** The whole bundle must fit into 1 MiB, and most icons have less than 20 KiB. */
const iconBytesMax = 200 * 1024;
const summaryMax = 135;

/**
 * Returns what a catalog shows of an operator: from the configuration, otherwise from package.json. Throws one `bundle-metadata-missing`
 * with all missing members, or one `invalid-config` with all mistakes.
 *
 * @param shown the path of the configuration for messages.
 */
export function projectMetadata(config: LoadedConfig, shown: string, operator: BundledOperator): BundleMetadata {
  const given = complete(config.bundle ?? {}, config.bundle !== undefined, shown);
  const { folder, image } = config;
  const manifest = nearestPackage(folder) ?? {};
  const problems: string[] = [];
  const packageName = given.package ?? operator.name;
  if (!isDns1123Subdomain(packageName)) {
    problems.push(`bundle.package is "${packageName}"; set a name of lower-case letters, digits, '-' and '.'`);
  }
  const version = operator.version ?? given.version ?? textOf(manifest['version']) ?? '';
  if (!isVersion(version) || version === '0.0.0') {
    const where = given.version === undefined ? 'package.json' : 'bundle.version';
    problems.push(
      `${where}: ${version === '' ? 'the version is missing' : `"${version}" is not a version`}; set a semantic version, such as 1.2.0`,
    );
  }
  const icon = iconOf(given.icon, folder, problems);
  if (problems.length > 0) {
    throw new EvenkeelError('invalid-config', problems.map((problem) => `${shown}: ${problem}`).join('\n'));
  }
  const keywords = given.keywords ?? stringsIn(manifest['keywords']);
  return {
    ...{ packageName, version, icon, keywords },
    displayName: given.displayName,
    description: given.description,
    summary: given.summary ?? firstSentence(given.description),
    provider: given.provider,
    maintainers: given.maintainers,
    links: given.links,
    categories: given.categories ?? [],
    capabilities: given.capabilities ?? 'Basic Install',
    maturity: given.maturity ?? (version.startsWith('0.') ? 'alpha' : 'stable'),
    repository: given.repository ?? addressOf(manifest['repository']),
    support: given.support ?? given.provider.name,
    annotations: given.annotations ?? {},
    architectures: [...new Set((image.platforms ?? []).map((platform) => platform.split('/')[1] ?? ''))].sort(),
  };
}

type CompleteConfig = Partial<BundleConfig> & Pick<BundleConfig, keyof typeof asked>;

function complete(given: Partial<BundleConfig>, isConfigured: boolean, shown: string): CompleteConfig {
  const missing = Object.entries(asked).filter(([name]) => given[name as keyof typeof asked] === undefined);
  const empty = (['maintainers', 'links'] as const).filter((name) => given[name]?.length === 0);
  if (missing.length === 0 && empty.length === 0) return given as CompleteConfig;
  const members = [...missing, ...empty.map((name) => [name, asked[name]] as const)];
  const lines = members.flatMap(([name, example]) => `${name}: ${literal(example)},`.split('\n'));
  const code = isConfigured ? lines : ['bundle: {', ...lines.map((line) => `  ${line}`), '},'];
  const names = members.map(([name]) => name).join(', ');
  const place = isConfigured ? 'bundle' : 'defineConfig()';
  throw new EvenkeelError(
    'bundle-metadata-missing',
    [
      `${shown}: the classes do not contain ${names} of the bundle; add to ${place}, with your own values:`,
      ...code.map((line) => `    ${line}`),
    ].join('\n'),
  );
}

function iconOf(path: string, folder: string, problems: string[]): BundleMetadata['icon'] {
  const none = { base64data: '', mediatype: '' };
  const file = resolve(folder, path);
  const type = iconTypes[extname(file).toLowerCase()];
  const wrong = (problem: string): typeof none => {
    problems.push(`bundle.icon: ${relative(folder, file)} ${problem}`);
    return none;
  };
  if (type === undefined) return wrong(`is of an unknown type; use a file of ${Object.keys(iconTypes).join(', ')}`);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile() !== true) return wrong('does not exist; write a path relative to the configuration');
  if (found.size > iconBytesMax) {
    return wrong(
      `has ${Math.ceil(found.size / 1024)} KiB, and the whole bundle must fit into 1 MiB; use an icon of at most ${iconBytesMax / 1024} KiB`,
    );
  }
  try {
    const bytes = readFileSync(file);
    const isOfType = type.start.some((start) => bytes.toString('latin1').trimStart().startsWith(start));
    if (!isOfType) return wrong(`is not an image of the type ${type.mediatype}; use another file or its right ending`);
    return { base64data: bytes.toString('base64'), mediatype: type.mediatype };
  } catch (error) {
    return wrong(`cannot be read: ${messageOf(error)}; make it readable`);
  }
}

/** The first sentence of a text, if it fits into the tile of a catalog. */
function firstSentence(text: string): string | undefined {
  const [line = ''] = text.trim().split('\n');
  const [sentence = line] = /^.+?[.!?](?=\s|$)/.exec(line) ?? [];
  const plain = sentence.trim().replace(/\.$/, '');
  return plain === '' || plain.length > summaryMax || plain.startsWith('#') ? undefined : plain;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function stringsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
