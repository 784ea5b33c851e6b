import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { isJsonObject } from '@evenkeel/apimachinery/json';
import { EvenkeelError } from '@evenkeel/core';

/** The options of a configuration that are now in the operator's declaration. */
const lists: readonly string[] = ['controllers', 'services'];
/** The options that `rbac` had and the operator's declaration has. */
export const ofRbac: readonly string[] = ['name', 'namespaces', 'leaderElection', 'metricsAuthentication'];

/** The options that `rbac` had and `deployment` has. */
const ofDeployment: readonly string[] = ['namespace', 'serviceAccount'];

/**
 * Throws for a configuration of an older version, with the code to write instead: `operator-not-declared` if it declares parts of the
 * operator, which now belong only in the operator's declaration; `invalid-config` if only `rbac` must be renamed to `deployment`.
 *
 * @param given the configuration.
 * @param shown its path for messages.
 */
export function checkDeclared(given: Readonly<Record<string, unknown>>, folder: string, shown: string): void {
  const rbac = isJsonObject(given['rbac']) ? given['rbac'] : {};
  const moved = [
    ...lists.filter((option) => Object.hasOwn(given, option)),
    ...ofRbac.filter((option) => Object.hasOwn(rbac, option)).map((option) => `rbac.${option}`),
  ];
  if (moved.length === 0) {
    if (!Object.hasOwn(given, 'rbac')) return;
    const problem = `${shown}: "rbac" is now "deployment"; write ${deploymentOf(given['rbac'])} instead`;
    throw new EvenkeelError('invalid-config', problem);
  }
  const options = moved.map((option) => `"${option}"`).join(', ');
  throw new EvenkeelError(
    'operator-not-declared',
    [
      `${shown}: ${options} ${moved.length === 1 ? 'belongs' : 'belong'} to the operator's declaration, which the program uses too; write it once:`,
      ...replacement(given, rbac, folder).map((line) => `    ${line}`),
    ].join('\n'),
  );
}

function replacement(
  given: Readonly<Record<string, unknown>>,
  rbac: Readonly<Record<string, unknown>>,
  folder: string,
): string[] {
  const controllers = exportedBy(given['controllers'], folder, 'Controller');
  const services = exportedBy(given['services'], folder, 'injectable').filter(
    ({ name }) => !controllers.some((controller) => controller.name === name),
  );
  const named = typeof rbac['name'] === 'string' ? rbac['name'] : packageName(folder);
  const main = existsSync(join(folder, 'src/main.ts')) ? 'src/main.ts' : 'the main module';
  const fields = typeof given['fields'] === 'string' ? ', { fields }' : '';
  const { apis = ['./src/nginx.ts'] } = given;
  const isPlaced = given['rbac'] === false || ofDeployment.some((option) => Object.hasOwn(rbac, option));
  const configured = [
    `apis: ${literal(apis)}`,
    "operator: './src/operator.ts'",
    ...(isPlaced ? [deploymentOf(given['rbac'])] : []),
  ];
  return [
    '// src/operator.ts',
    "import { defineOperator } from 'evenkeel';",
    ...importsOf([...controllers, ...services]),
    '',
    'export const operator = defineOperator({',
    `  name: '${named}',`,
    `  controllers: [${namesOf(controllers)}],`,
    ...(Object.hasOwn(given, 'services') ? [`  services: [${namesOf(services)}],`] : []),
    ...ofRbac
      .slice(1)
      .flatMap((option) => (Object.hasOwn(rbac, option) ? [`  ${option}: ${literal(rbac[option])},`] : [])),
    '});',
    '',
    '// evenkeel.config.ts, with its other options',
    `export default defineConfig({ ${configured.join(', ')} });`,
    '',
    `// ${main}, with the options that are known only at run time`,
    "import { operator } from './operator.ts';",
    `await Manager.run(operator${fields});`,
  ];
}

/** The option that replaces `rbac`. */
function deploymentOf(rbac: unknown): string {
  const kept = isJsonObject(rbac)
    ? Object.fromEntries(Object.entries(rbac).filter(([option]) => ofDeployment.includes(option)))
    : {};
  return `deployment: ${rbac === false ? 'false' : literal(kept)}`;
}

interface Exported {
  readonly name: string;
  /** The path of the module from `src`. */
  readonly from: string;
}

/** The classes with the decorator in the modules of an option; without one, all exported classes. Read from their text. */
function exportedBy(option: unknown, folder: string, decorator: string): Exported[] {
  const entries = Array.isArray(option) ? option.filter((entry) => typeof entry === 'string') : [];
  const files = entries.flatMap((entry) =>
    existsSync(join(folder, entry)) ? [entry] : globSync(entry, { cwd: folder }),
  );
  return files.flatMap((file) => {
    const lines = textOf(join(folder, file)).split('\n');
    const all: string[] = [];
    const decorated: string[] = [];
    let isDecorated = false;
    for (const line of lines) {
      isDecorated ||= line.startsWith(`@${decorator}(`);
      const [, name] = /^export (?:default )?class (\w{1,100})/.exec(line) ?? [];
      const [, variable] = /^export const (\w{1,100}) = controllerFor\(/.exec(line) ?? [];
      if (variable !== undefined && decorator === 'Controller') decorated.push(variable);
      if (name === undefined) continue;
      (isDecorated ? decorated : all).push(name);
      isDecorated = false;
    }
    const path = relative(join(folder, 'src'), join(folder, file));
    const from = path.startsWith('.') ? path : `./${path}`;
    return (decorated.length > 0 ? decorated : all).map((name) => ({ name, from }));
  });
}

function importsOf(all: readonly Exported[]): string[] {
  return [...Map.groupBy(all, ({ from }) => from)].map(
    ([from, names]) => `import { ${namesOf(names)} } from '${from}';`,
  );
}

function namesOf(all: readonly Exported[]): string {
  return all.map(({ name }) => name).join(', ');
}

/** A value as TypeScript in this code's style. */
function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (!isJsonObject(value)) return String(value);
  if (Object.keys(value).length === 0) return '{}';
  return `{ ${Object.entries(value)
    .map(([name, of]) => `${name}: ${literal(of)}`)
    .join(', ')} }`;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** The name of the package, without its scope, which was the default. */
function packageName(folder: string): string {
  const [, name] =
    /"name"\s{0,9}:\s{0,9}"(?:@[^"/]{0,200}\/)?([a-z0-9.-]{1,200})"/.exec(textOf(join(folder, 'package.json'))) ?? [];
  return name ?? basename(folder).toLowerCase();
}
