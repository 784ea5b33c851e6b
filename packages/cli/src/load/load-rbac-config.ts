import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isJsonObject } from '@evenkeel/apimachinery/json';
import { isDns1123Label, isDns1123Subdomain } from '@evenkeel/apimachinery/name-form';
import { didYouMean } from '@evenkeel/core';
import type { RbacConfig } from '../config.ts';

/** The option `rbac` of a configuration, with its defaults. */
export interface LoadedRbac {
  readonly name: string;
  readonly namespace: string;
  readonly serviceAccount: string;
  /** Undefined for all. */
  readonly namespaces: readonly string[] | undefined;
  readonly leaderElection: { readonly name: string; readonly namespace: string } | undefined;
  readonly metricsAuthentication: boolean;
}

const options: readonly string[] = [
  'name',
  'namespace',
  'serviceAccount',
  'namespaces',
  'leaderElection',
  'metricsAuthentication',
] satisfies readonly (keyof RbacConfig)[];

/**
 * Checks the option `rbac` of a configuration. Returns undefined if it is `false`: no roles are generated.
 *
 * @param folder the folder of the configuration, whose package gives the name.
 * @param problem is called for each mistake. If it is called, the returned value must not be used.
 */
export function loadRbac(given: unknown, folder: string, problem: (text: string) => void): LoadedRbac | undefined {
  if (given === false) return undefined;
  if (given !== undefined && !isJsonObject(given)) {
    problem("rbac must be false, or an object, such as { namespace: 'my-operator' }");
    return undefined;
  }
  const rbac = given ?? {};
  for (const option of Object.keys(rbac)) {
    if (options.includes(option)) continue;
    problem(`unknown option "rbac.${option}"${didYouMean(option, options) || `; use one of ${options.join(', ')}`}`);
  }
  const check = (option: string, value: unknown, isRight: boolean, what: string): void => {
    if (!isRight) problem(`rbac.${option} is ${JSON.stringify(value)}; set ${what}`);
  };
  const { name = packageName(folder), namespace = 'default' } = rbac;
  const { serviceAccount = name, namespaces, leaderElection, metricsAuthentication = false } = rbac;
  const objectName = "a name of lower-case letters, digits, '-' and '.'";
  check('name', name, isName(name), objectName);
  check('namespace', namespace, isNamespace(namespace), 'the name of a namespace');
  if (rbac['serviceAccount'] !== undefined) check('serviceAccount', serviceAccount, isName(serviceAccount), objectName);
  const isList = Array.isArray(namespaces) && namespaces.length > 0 && namespaces.every(isNamespace);
  check('namespaces', namespaces, namespaces === undefined || isList, 'a list of namespaces, or remove it for all');
  check('metricsAuthentication', metricsAuthentication, typeof metricsAuthentication === 'boolean', 'true or false');
  return {
    name: String(name),
    namespace: String(namespace),
    serviceAccount: String(serviceAccount),
    namespaces: isList ? [...new Set(namespaces as string[])].sort() : undefined,
    leaderElection: electionOf(leaderElection, String(namespace), problem),
    metricsAuthentication: metricsAuthentication === true,
  };
}

function electionOf(
  given: unknown,
  operatorNamespace: string,
  problem: (text: string) => void,
): LoadedRbac['leaderElection'] {
  if (given === undefined) return undefined;
  const { name, namespace = operatorNamespace, ...others } = isJsonObject(given) ? given : { name: undefined };
  if (isName(name) && isNamespace(namespace) && Object.keys(others).length === 0) {
    return { name: String(name), namespace: String(namespace) };
  }
  problem(
    `rbac.leaderElection is ${JSON.stringify(given)}; set the Lease of the manager, such as { name: 'my-operator' }, with its namespace if it is not the operator's`,
  );
  return undefined;
}

/** Returns the name of the package that contains the configuration, without its scope; `operator` if that name is invalid. */
function packageName(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    try {
      const { name } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as { name?: unknown };
      const own = typeof name === 'string' ? name.slice(name.indexOf('/') + 1) : '';
      return isName(own) ? own : 'operator';
    } catch {
      // No readable package.json in this folder.
    }
    if (dirname(at) === at) return 'operator';
  }
}

/** A DNS subdomain that leaves room for a suffix. */
function isName(value: unknown): boolean {
  return typeof value === 'string' && value.length <= 200 && isDns1123Subdomain(value);
}

function isNamespace(value: unknown): boolean {
  return typeof value === 'string' && isDns1123Label(value);
}
