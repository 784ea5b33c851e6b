import { readFileSync } from 'node:fs';
import { describeValue, didYouMean, durationMs, EvenkeelError } from '@evenkeel/core';
import { parseListenAddress } from '../http/listen-address.ts';

/** One thing that can be set of a run, from outside the program. */
interface RunSetting {
  /** As in `Manager.run({...})` and in the file; a dot leads into an object. Flag and variable follow from it. */
  readonly name: string;
  readonly type: keyof typeof valueTypes;
  /** For people: what it is where nobody sets it. */
  readonly default: string;
  /** One sentence. */
  readonly meaning: string;
}

/** All of them; `--help` lists this. */
export const runSettings: readonly RunSetting[] = [
  {
    name: 'kubeconfig',
    type: 'file',
    default: "KUBECONFIG, the pod's service account, ~/.kube/config",
    meaning: 'The kubeconfig file of the cluster.',
  },
  {
    name: 'namespaces',
    type: 'list',
    default: 'all',
    meaning: 'The namespaces that are watched, separated by commas.',
  },
  {
    name: 'gracePeriod',
    type: 'duration',
    default: '30s',
    meaning: 'How long reconciles in hand may go on after a stop.',
  },
  {
    name: 'logLevel',
    type: 'level',
    default: 'info',
    meaning: 'The least level that is logged.',
  },
  {
    name: 'health.address',
    type: 'address',
    default: 'none',
    meaning: 'Where /healthz and /readyz are answered, 0 for nowhere.',
  },
  {
    name: 'metrics.address',
    type: 'address',
    default: 'none',
    meaning: 'Where /metrics is answered, 0 for nowhere.',
  },
  {
    name: 'metrics.secure',
    type: 'switch',
    default: 'true, except at a loopback address',
    meaning: 'Whether metrics are served by HTTPS, and only to who may get /metrics.',
  },
  {
    name: 'metrics.certificates',
    type: 'directory',
    default: 'a certificate that the process makes',
    meaning: 'The directory of tls.crt and tls.key for the metrics.',
  },
  {
    name: 'leaderElection.enabled',
    type: 'switch',
    default: 'true where the program names a Lease',
    meaning: 'Whether one process at a time works, and others stand by.',
  },
  {
    name: 'leaderElection.name',
    type: 'text',
    default: 'none',
    meaning: 'The Lease that the processes compete for.',
  },
  {
    name: 'leaderElection.namespace',
    type: 'text',
    default: "the pod's, or the kubeconfig context's",
    meaning: 'The namespace of the Lease.',
  },
  {
    name: 'leaderElection.leaseDuration',
    type: 'duration',
    default: '15s',
    meaning: 'How long others leave a Lease alone that is not renewed.',
  },
  {
    name: 'leaderElection.renewDeadline',
    type: 'duration',
    default: '10s',
    meaning: 'How long the leader works after its last renewal.',
  },
  {
    name: 'leaderElection.retryPeriod',
    type: 'duration',
    default: '2s',
    meaning: 'How long the leader waits between renewals.',
  },
  {
    name: 'leaderElection.releaseOnStop',
    type: 'switch',
    default: 'true',
    meaning: 'Whether a stop gives the Lease back.',
  },
];

/** Where the values of a run come from. */
export interface SettingSources {
  /** The program's own options. */
  readonly options: object;
  /** What stands after the program's name. */
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface ReadSettings {
  /** By name, of all that is set anywhere. */
  readonly values: ReadonlyMap<string, unknown>;
  readonly isHelpAsked: boolean;
  /** What looks like a mistake, but may be somebody else's. */
  readonly warnings: readonly string[];
}

const prefix = 'EVENKEEL_';

/**
 * The settings of a run: the program's options, over them the file of `--config` or `EVENKEEL_CONFIG`, over that the
 * environment, over all the flags. Throws `unknown-option`, `invalid-option`, `invalid-duration`, `invalid-address` and
 * `invalid-config`, which say where the value stands.
 */
export function readSettings({ options, arguments: given, environment }: SettingSources): ReadSettings {
  const flags = parseFlags(given);
  const values = new Map<string, unknown>();
  for (const { name } of runSettings) {
    const value = valueAt(options, name);
    if (value !== undefined) values.set(name, value);
  }
  const file = flags.get('config') ?? environment[`${prefix}CONFIG`];
  if (file !== undefined && file !== '') {
    const namedBy = flags.has('config') ? '--config' : `${prefix}CONFIG`;
    for (const [name, value] of readFile(file, namedBy)) values.set(name, value);
  }
  for (const setting of runSettings) {
    const variable = variableOf(setting.name);
    const text = environment[variable];
    if (text !== undefined && text !== '') values.set(setting.name, parsed(setting, text, variable));
  }
  for (const setting of runSettings) {
    const text = flags.get(setting.name);
    if (text !== undefined) values.set(setting.name, parsed(setting, text, flagOf(setting.name)));
  }
  return { values, isHelpAsked: flags.has('help'), warnings: unknownVariables(environment) };
}

/** What `--help` prints. */
export function settingsHelp(): string {
  const rows = [
    { flag: '--config FILE', variable: `${prefix}CONFIG`, text: 'A file of JSON with the names below. Default: none' },
    ...runSettings.map(({ name, type, default: value, meaning }) => ({
      flag: type === 'switch' ? `${flagOf(name)}[=false]` : `${flagOf(name)} ${valueTypes[type].shown}`,
      variable: variableOf(name),
      text: `${meaning} Default: ${value}`,
    })),
    { flag: '--help', variable: '', text: 'Prints this.' },
  ];
  return `Flags win over variables, variables over the file, the file over the program's own options.

${rows.map(({ flag, variable, text }) => `  ${flag}${variable === '' ? '' : `, ${variable}`}\n      ${text}`).join('\n')}

A duration is a number and its unit, such as 250ms, 30s, 5m or 1h30m.

Exit codes: 0 it was stopped and drained; 1 it failed, lost the leadership, or did not drain in time; 2 what it was given is
wrong, and starting it again does not help.
`;
}

const valueTypes = {
  file: { shown: 'FILE', parse: (text: string): unknown => text },
  directory: { shown: 'DIR', parse: (text: string): unknown => text },
  address: {
    shown: ':8080',
    parse: (text: string): unknown => {
      parseListenAddress(text);
      return text;
    },
  },
  text: { shown: 'TEXT', parse: (text: string): unknown => text },
  list: {
    shown: 'A,B',
    parse: (text: string): unknown => {
      const parts = text.split(',').map((part) => part.trim());
      if (parts.includes('')) throw new Error('holds an empty name');
      return parts;
    },
  },
  duration: {
    shown: '30s',
    // Milliseconds in a program's own options; from outside, whoever writes 30 means seconds.
    parse: (text: string): unknown => (durationMs(text) === 0 ? 0 : text),
  },
  level: {
    shown: 'debug|info|warn|error|silent',
    parse: (text: string): unknown => {
      const levels = ['debug', 'info', 'warn', 'error', 'silent'];
      if (!levels.includes(text)) throw new Error(`is none of ${levels.join(', ')}${didYouMean(text, levels)}`);
      return text;
    },
  },
  switch: {
    shown: 'true|false',
    parse: (text: string): unknown => {
      if (text !== 'true' && text !== 'false') throw new Error('is neither true nor false');
      return text === 'true';
    },
  },
} as const;

function parsed({ type }: RunSetting, text: string, where: string): unknown {
  try {
    return valueTypes[type].parse(text);
  } catch (error) {
    const reason =
      error instanceof EvenkeelError ? error.message : `${JSON.stringify(text)} ${(error as Error).message}`;
    const code = error instanceof EvenkeelError ? error.code : 'invalid-option';
    throw new EvenkeelError(code, `${where}: ${reason}`, { cause: error });
  }
}

/** `leaderElection.leaseDuration` as `--leader-election-lease-duration`. */
function flagOf(name: string): string {
  return `--${wordsOf(name).join('-')}`;
}

function variableOf(name: string): string {
  return `${prefix}${wordsOf(name).join('_').toUpperCase()}`;
}

function wordsOf(name: string): string[] {
  return name.replace(/[A-Z]/g, (letter) => `.${letter.toLowerCase()}`).split('.');
}

/** The text of each flag by the name of its setting, and of `config` and `help`. */
function parseFlags(given: readonly string[]): Map<string, string> {
  const names = new Map<string, string>([
    ['--config', 'config'],
    ['--help', 'help'],
    ['-h', 'help'],
    ...runSettings.map(({ name }): [string, string] => [flagOf(name), name]),
  ]);
  const switches = new Set(runSettings.filter(({ type }) => type === 'switch').map(({ name }) => name));
  const flags = new Map<string, string>();
  for (let at = 0; at < given.length; at++) {
    const [, flag = '', text] = /^([^=]*)(?:=(.*))?$/s.exec(given[at] ?? '') ?? [];
    const name = names.get(flag);
    if (name === undefined) {
      const before = given[at - 1] ?? '';
      if (switches.has(names.get(before) ?? '') && /^(?:true|false)$/.test(flag)) {
        throw new EvenkeelError(
          'invalid-option',
          `${before} takes its value after an equals sign; write ${before}=${flag}`,
        );
      }
      const advice = didYouMean(flag, [...names.keys()]) || '; --help lists those there are';
      throw new EvenkeelError('unknown-option', `unknown flag ${JSON.stringify(flag)}${advice}`);
    }
    if (flags.has(name)) throw new EvenkeelError('invalid-option', `${flag} is given twice; keep one of them`);
    if (text !== undefined) flags.set(name, text);
    else if (name === 'help' || switches.has(name)) flags.set(name, 'true');
    else {
      const next = given[++at];
      if (next === undefined) throw new EvenkeelError('invalid-option', `${flag} needs a value after it`);
      flags.set(name, next);
    }
  }
  return flags;
}

function readFile(file: string, namedBy: string): [string, unknown][] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const what = code === 'ENOENT' ? `there is no file ${file}` : `${file} cannot be read (${message})`;
    const mend = 'give the path of a JSON file, or take it out';
    throw new EvenkeelError('invalid-config', `${namedBy}: ${what}; ${mend}`, { cause: error });
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new EvenkeelError('invalid-config', `${file}: ${(error as Error).message}`, { cause: error });
  }
  return settingsOf(content, '', file);
}

/** The settings of a file's object, and of the objects in it. */
function settingsOf(value: unknown, path: string, file: string): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new EvenkeelError('invalid-config', `${file}: ${path === '' ? 'it' : path} must be an object`);
  }
  return Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    const name = path === '' ? key : `${path}.${key}`;
    const setting = runSettings.find((known) => known.name === name);
    if (setting !== undefined) {
      const where = `${file}: ${name}`;
      return [[name, parsed(setting, asText(inner, where), where)]];
    }
    if (runSettings.some((known) => known.name.startsWith(`${name}.`))) return settingsOf(inner, name, file);
    const known = runSettings.map((one) => one.name);
    throw new EvenkeelError(
      'unknown-option',
      `${file}: unknown option ${JSON.stringify(name)}${didYouMean(name, known)}`,
    );
  });
}

/** As a flag would have it, so that there is one check for all. */
function asText(value: unknown, where: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return value.join(',');
  throw new EvenkeelError(
    'invalid-option',
    `${where}: ${describeValue(value)} is no text, number, switch or list of texts`,
  );
}

/** Variables may be meant for something else, so only near misses are told. */
function unknownVariables(environment: SettingSources['environment']): string[] {
  const known = [`${prefix}CONFIG`, ...runSettings.map(({ name }) => variableOf(name))];
  return Object.keys(environment)
    .filter((variable) => variable.startsWith(prefix) && !known.includes(variable))
    .flatMap((variable) => {
      const advice = didYouMean(
        variable.slice(prefix.length),
        known.map((one) => one.slice(prefix.length)),
      );
      return advice === '' ? [] : [`${variable} sets nothing${advice.replace('"', `"${prefix}`)}`];
    });
}

function valueAt(options: object, name: string): unknown {
  let value: unknown = options;
  for (const part of name.split('.')) {
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, part) ? Reflect.get(value, part) : undefined;
  }
  return value;
}
