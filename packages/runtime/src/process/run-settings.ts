import { readFileSync } from 'node:fs';
import { describeValue, didYouMean, EvenkeelError, parseDuration } from '@evenkeel/core';
import { parseListenAddress } from '../http/listen-address.ts';

/** An option of a run that can be set outside of the program. */
interface RunSetting {
  /** The name in the options of `Manager.run` and in the file; a dot separates nested objects. Flag and variable are derived from it. */
  readonly name: string;
  readonly type: keyof typeof valueTypes;
  /** A description of the default, for `--help`. */
  readonly default: string;
  /** One sentence. */
  readonly meaning: string;
}

/** All settings, in the order of `--help`. */
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
    default: 'as declared, otherwise all',
    meaning: 'The namespaces to watch, separated by commas. They must be declared, if any are.',
  },
  {
    name: 'gracePeriod',
    type: 'duration',
    default: '30s',
    meaning: 'How long current reconciles may continue after a stop.',
  },
  {
    name: 'logLevel',
    type: 'level',
    default: 'info',
    meaning: 'The lowest level to log.',
  },
  {
    name: 'logReconciles',
    type: 'switch',
    default: 'false',
    meaning: 'Log a line for each reconcile, with its triggers, writes, outcome and duration.',
  },
  {
    name: 'health.address',
    type: 'address',
    default: 'none',
    meaning: 'The listen address of /healthz and /readyz; 0 disables them.',
  },
  {
    name: 'metrics.address',
    type: 'address',
    default: 'none',
    meaning: 'The listen address of /metrics; 0 disables it.',
  },
  {
    name: 'metrics.secure',
    type: 'switch',
    default: 'true, except at a loopback address',
    meaning: 'Serve metrics over HTTPS, and only to clients that may get /metrics.',
  },
  {
    name: 'metrics.certificates',
    type: 'directory',
    default: 'a certificate that the process creates',
    meaning: 'The directory with tls.crt and tls.key for the metrics.',
  },
  {
    name: 'webhook.address',
    type: 'address',
    default: ':9443 if the operator has webhooks',
    meaning: 'The listen address of webhooks; 0 disables them.',
  },
  {
    name: 'webhook.certificates',
    type: 'directory',
    default: '/tmp/k8s-webhook-server/serving-certs',
    meaning: 'The directory with tls.crt and tls.key, instead of built-in ones.',
  },
  {
    name: 'webhook.clientCa',
    type: 'file',
    default: 'none',
    meaning: 'The file with the authorities of the certificates that callers must have.',
  },
  {
    name: 'webhook.stopDelay',
    type: 'duration',
    default: '5s',
    meaning: 'How long webhooks still accept calls after a stop.',
  },
  {
    name: 'leaderElection.enabled',
    type: 'switch',
    default: 'true if the operator declares it',
    meaning: 'Only one process at a time is active; the others stand by.',
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
    meaning: 'How long the other processes wait for a Lease that is not renewed.',
  },
  {
    name: 'leaderElection.renewDeadline',
    type: 'duration',
    default: '10s',
    meaning: 'How long the leader may write after its last renewal.',
  },
  {
    name: 'leaderElection.retryPeriod',
    type: 'duration',
    default: '2s',
    meaning: 'The time between renewals.',
  },
  {
    name: 'leaderElection.releaseOnStop',
    type: 'switch',
    default: 'true',
    meaning: 'The leader releases the Lease when it stops.',
  },
  {
    name: 'leaderElection.stepIn',
    type: 'switch',
    default: 'false',
    meaning: 'Ask the leader to release the Lease, lead, and give the Lease back at the end.',
  },
];

/** The sources of settings. */
export interface SettingSources {
  /** The program's own options. */
  readonly options: object;
  /** The arguments after the program's name. */
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface ReadSettings {
  /** The values of all settings that any source sets, by name. */
  readonly values: ReadonlyMap<string, unknown>;
  readonly isHelpAsked: boolean;
  /** Unknown variables that look like typos, but may belong to another program. */
  readonly warnings: readonly string[];
}

const prefix = 'EVENKEEL_';

/**
 * Reads the settings of a run. Flags override environment variables, which override the file of `--config` or `EVENKEEL_CONFIG`,
 * which overrides the program's options. Throws `unknown-option`, `invalid-option`, `invalid-duration`, `invalid-address` or
 * `invalid-config`, which name the source of the value.
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

/** The output of `--help`. */
export function settingsHelp(): string {
  const rows = [
    {
      flag: '--config FILE',
      variable: `${prefix}CONFIG`,
      text: 'A JSON file with these settings, such as {"metrics":{"address":":8443"}}. Default: none',
    },
    ...runSettings.map(({ name, type, default: value, meaning }) => ({
      flag: type === 'switch' ? `${flagOf(name)}[=false]` : `${flagOf(name)} ${valueTypes[type].shown}`,
      variable: variableOf(name),
      text: `${meaning} Default: ${value}`,
    })),
    { flag: '--help', variable: '', text: 'Prints this help.' },
  ];
  return `Flags override environment variables, which override the file, which overrides the program's options.

${rows.map(({ flag, variable, text }) => `  ${flag}${variable === '' ? '' : `, ${variable}`}\n      ${text}`).join('\n')}

A duration is a number and its unit, such as 250ms, 30s, 5m or 1h30m.

Exit codes:
  0  stopped by a signal, and everything finished in time
  1  failed, lost the leadership, or did not finish in time
  2  invalid settings, kubeconfig or decorators, which a restart does not fix
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
      if (parts.includes('')) throw new Error('contains an empty name');
      return parts;
    },
  },
  duration: {
    shown: '30s',
    parse: (text: string): unknown => parseDuration(text),
  },
  level: {
    shown: 'debug|info|warn|error|silent',
    parse: (text: string): unknown => {
      const levels = ['debug', 'info', 'warn', 'error', 'silent'];
      if (!levels.includes(text)) throw new Error(`is not one of ${levels.join(', ')}${didYouMean(text, levels)}`);
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

/** The value of each flag by the name of its setting, and those of `config` and `help`. */
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
      const advice = didYouMean(flag, [...names.keys()]) || '; --help lists all flags';
      throw new EvenkeelError('unknown-option', `unknown flag ${JSON.stringify(flag)}${advice}`);
    }
    if (flags.has(name)) throw new EvenkeelError('invalid-option', `${flag} is set twice; remove one of them`);
    if (text !== undefined) flags.set(name, text);
    else if (name === 'help' || switches.has(name)) flags.set(name, 'true');
    else {
      const next = given[++at];
      if (next === undefined) throw new EvenkeelError('invalid-option', `${flag} has no value; add one after it`);
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
    const what = code === 'ENOENT' ? `the file ${file} does not exist` : `the file ${file} cannot be read (${message})`;
    const fix = 'pass the path of a JSON file, or remove the setting';
    throw new EvenkeelError('invalid-config', `${namedBy}: ${what}; ${fix}`, { cause: error });
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new EvenkeelError('invalid-config', `${file}: invalid JSON: ${(error as Error).message}`, { cause: error });
  }
  return settingsOf(content, '', file);
}

/** The settings in the object of a file, and in its nested objects. */
function settingsOf(value: unknown, path: string, file: string): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new EvenkeelError('invalid-config', `${file}: ${path === '' ? 'the content' : path} must be an object`);
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

/** The value as the text of a flag, so that one check works for all sources. */
function asText(value: unknown, where: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return value.join(',');
  throw new EvenkeelError(
    'invalid-option',
    `${where}: ${describeValue(value)} is not a string, number, boolean or list of strings`,
  );
}

/** A variable may belong to another program, so only likely typos are reported. */
function unknownVariables(environment: SettingSources['environment']): string[] {
  const known = [`${prefix}CONFIG`, ...runSettings.map(({ name }) => variableOf(name))];
  return Object.keys(environment)
    .filter((variable) => variable.startsWith(prefix) && !known.includes(variable))
    .flatMap((variable) => {
      const advice = didYouMean(
        variable.slice(prefix.length),
        known.map((one) => one.slice(prefix.length)),
      );
      return advice === '' ? [] : [`unknown environment variable ${variable}${advice.replace('"', `"${prefix}`)}`];
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
