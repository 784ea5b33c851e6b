import type { Client } from '@evenkeel/client';
import { didYouMean, EvenkeelError, isForbidden, StatusError } from '@evenkeel/core';
import { CustomResourceDefinition } from '@evenkeel/kinds';
import { loadProject } from '../generate/load-project.ts';
import { hasErrors, reportFindings } from '../generate/report.ts';
import { findConfig } from '../load/load-config.ts';
import { ModuleLoader } from '../load/module-loader.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';

/** The part of a CRD that its users can name it by. */
type Names = Pick<CustomResourceDefinition, 'metadata' | 'spec'>;

/**
 * Returns the names of the CRDs that a command is about: those that the user names, by kind, plural, singular, short name or
 * full name; without names, those of the classes in the configuration. Each is returned once.
 *
 * Throws `unknown-kind` for a name that no CRD of the cluster has, or several have. Lists the CRDs of the cluster only if a
 * name is not the full name of a CRD. Returns undefined after it has reported mistakes in the configuration.
 */
export async function namedDefinitions(
  client: Client,
  given: readonly string[],
  config: string | undefined,
  terminal: CommandTerminal,
): Promise<readonly string[] | undefined> {
  if (given.length === 0) return ofProject(config, terminal);
  // A full name has a group, which has a dot.
  const isFull = (name: string): boolean => /^[a-z0-9-]+(?:\.[a-z0-9-]+){2,}$/.test(name);
  if (given.every(isFull)) return [...new Set(given)];
  const { items } = await client.list(CustomResourceDefinition).catch((error: unknown) => {
    if (!(error instanceof StatusError) || !isForbidden(error)) throw error;
    const message = `${error.message}; pass the full name of the CRD, such as shops.example.com, or use another user`;
    throw new StatusError(error.status, { cause: error, message });
  });
  return [...new Set(given.map((name) => nameOf(name, items)))];
}

function nameOf(given: string, definitions: readonly Names[]): string {
  const word = given.toLowerCase();
  const found = definitions
    .filter((definition) => namesOf(definition).includes(word))
    .map(({ metadata }) => metadata.name);
  if (found.length === 1 && found[0] !== undefined) return found[0];
  if (found.length > 1) {
    throw new EvenkeelError(
      'unknown-kind',
      `${JSON.stringify(given)}: several CRDs of the cluster have this name: ${found.join(', ')}; pass one of these full names`,
    );
  }
  const similar = didYouMean(given, definitions.flatMap(namesOf));
  throw new EvenkeelError(
    'unknown-kind',
    `${JSON.stringify(given)}: no CRD of the cluster has this kind or name${similar || '; list them with "kubectl get crd"'}`,
  );
}

/** In lower case, as kubectl accepts them. */
function namesOf({ metadata, spec }: Names): string[] {
  const { kind, plural, singular, shortNames = [] } = spec.names;
  return [metadata.name, kind.toLowerCase(), plural, ...(singular === undefined ? [] : [singular]), ...shortNames];
}

async function ofProject(
  config: string | undefined,
  terminal: CommandTerminal,
): Promise<readonly string[] | undefined> {
  const { folder } = terminal;
  const configPath = configOf(folder, config);
  const { findings, contents } = await loadProject({ configPath, folder }, new ModuleLoader(folder), () => undefined);
  const errors = findings.filter(({ level }) => level === 'error');
  if (contents === undefined || hasErrors(errors)) {
    reportFindings(errors, false, terminal);
    return undefined;
  }
  return contents.definitions.map(({ metadata }) => metadata.name);
}

function configOf(folder: string, named: string | undefined): string {
  try {
    return findConfig(folder, named);
  } catch (error) {
    if (!(error instanceof EvenkeelError)) throw error;
    throw new EvenkeelError(error.code, `${error.message}; or name the kinds, such as shops.example.com`, {
      cause: error,
    });
  }
}
