import { isJsonObject } from '@evenkeel/apimachinery/json';
import { didYouMean } from '@evenkeel/core';
import type { BundleConfig } from '../config.ts';

/** The check of an option. Returns the fix if the value is invalid. */
type OptionCheck = (value: unknown) => string | undefined;

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
const textOf =
  (example: string): OptionCheck =>
  (value) =>
    isText(value) ? undefined : `set a string, such as '${example}'`;
const listOf =
  (isEntry: (entry: unknown) => boolean, example: string): OptionCheck =>
  (value) =>
    Array.isArray(value) && value.every(isEntry) ? undefined : `set a list, such as ${example}`;
const mapOf =
  (isValue: (value: unknown) => boolean, example: string): OptionCheck =>
  (value) =>
    isJsonObject(value) && Object.values(value).every(isValue) ? undefined : `set an object, such as ${example}`;
const has =
  (required: readonly string[], optional: readonly string[] = []) =>
  (value: unknown): boolean =>
    isJsonObject(value) &&
    required.every((name) => isText(value[name])) &&
    Object.keys(value).every((name) => required.includes(name) || (optional.includes(name) && isText(value[name])));

/** The members of a descriptor and of a kind; they are shown to users as they are. */
const isDescriptor = (value: unknown): boolean =>
  isJsonObject(value) &&
  Object.entries(value).every(([name, each]) =>
    name === 'xDescriptors'
      ? Array.isArray(each) && each.every(isText)
      : ['displayName', 'description'].includes(name) && isText(each),
  );
const isKind = (value: unknown): boolean =>
  isJsonObject(value) &&
  Object.entries(value).every(([name, each]) =>
    ['spec', 'status', 'actions'].includes(name)
      ? isJsonObject(each) && Object.values(each).every(isDescriptor)
      : ['displayName', 'description'].includes(name) && isText(each),
  );
const isDependency = (value: unknown): boolean =>
  has(['package', 'version'])(value) ||
  has(['group', 'version', 'kind'])(value) ||
  (isJsonObject(value) && Object.keys(value).join() === 'constraint' && isJsonObject(value['constraint']));
const isProperty = (value: unknown): boolean =>
  isJsonObject(value) && isText(value['type']) && Object.keys(value).sort().join() === 'type,value';

const checks: Readonly<Record<keyof BundleConfig, OptionCheck>> = {
  displayName: textOf('Nginx'),
  description: textOf('Runs nginx web servers.'),
  provider: (value) =>
    has(['name'], ['url'])(value) ? undefined : "set { name: 'Example Inc.' }, with a url if there is one",
  maintainers: listOf(has(['name', 'email']), "[{ name: 'Jane Doe', email: 'jane@example.com' }]"),
  links: listOf(has(['name', 'url']), "[{ name: 'Documentation', url: 'https://example.com/docs' }]"),
  icon: textOf('./icon.svg'),
  summary: textOf('Runs nginx web servers'),
  keywords: listOf(isText, "['web', 'proxy']"),
  categories: listOf(isText, "['Networking']"),
  capabilities: textOf('Basic Install'),
  maturity: textOf('stable'),
  repository: textOf('https://github.com/example/nginx-operator'),
  support: textOf('Example Inc.'),
  annotations: mapOf(
    (value) => typeof value === 'string',
    "{ 'features.operators.openshift.io/disconnected': 'true' }",
  ),
  package: textOf('nginx-operator'),
  version: textOf('1.2.0'),
  channels: listOf(isText, "['stable']"),
  catalog: textOf('./catalog'),
  catalogImage: textOf('registry.example.com/nginx-catalog:latest'),
  folder: textOf('./bundle'),
  images: mapOf(isText, "{ nginx: 'nginx:1.29' }"),
  installModes: listOf(isText, "['AllNamespaces']"),
  kinds: mapOf(isKind, "{ Nginx: { spec: { port: { displayName: 'Port of the Service' } } } }"),
  dependencies: listOf(isDependency, "[{ package: 'cert-manager', version: '>=1.0.0' }]"),
  properties: listOf(isProperty, "[{ type: 'olm.maxOpenShiftVersion', value: '4.20' }]"),
};
const options = Object.keys(checks);

/**
 * Checks the forms of the option `bundle` of a configuration. `evenkeel bundle` checks the values, and reports missing members.
 *
 * @param problem is called for each mistake. If it is called, the returned value must not be used.
 */
export function loadBundleConfig(given: unknown, problem: (text: string) => void): Partial<BundleConfig> | undefined {
  if (given === undefined) return undefined;
  if (!isJsonObject(given)) {
    problem("bundle must be an object, such as { displayName: 'Nginx' }; evenkeel bundle reports what is missing");
    return undefined;
  }
  for (const [option, value] of Object.entries(given)) {
    if (!options.includes(option)) {
      problem(
        `unknown option "bundle.${option}"${didYouMean(option, options) || `; use one of ${options.join(', ')}`}`,
      );
      continue;
    }
    const fix = value === undefined ? undefined : checks[option as keyof BundleConfig](value);
    if (fix !== undefined) problem(`bundle.${option} is ${shownValue(value)}; ${fix}`);
  }
  return given as Partial<BundleConfig>;
}

function shownValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 80 ? text : `${text.slice(0, 77)}...`;
}
