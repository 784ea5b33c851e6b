import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { EvenkeelError } from '@evenkeel/core';
import { loadProject } from '../generate/load-project.ts';
import { hasErrors, reportFindings } from '../generate/report.ts';
import { findConfig } from '../load/load-config.ts';
import { ModuleLoader } from '../load/module-loader.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { operatorSettings } from './operator-settings.ts';

/** The options of `evenkeel run` as strings from the command line. */
export interface RunOptions {
  readonly config?: string;
  readonly module: string;
  readonly kubeconfig?: string;
  readonly namespace?: string;
  readonly withoutLease?: boolean;
}

/**
 * Runs the program of an operator in this process, with the settings that make it step in for the replica in the cluster. The
 * program handles signals and exits. Resolves to 1 if the project has mistakes. Throws `invalid-option` and
 * `lease-not-declared`.
 */
export async function runOperator(
  given: readonly string[],
  options: RunOptions,
  terminal: CommandTerminal,
  verbose: boolean,
): Promise<number> {
  const { folder } = terminal;
  const module = resolve(folder, options.module);
  if (!existsSync(module)) {
    throw new EvenkeelError(
      'invalid-option',
      `--module ${relative(folder, module)}: the file does not exist; run evenkeel build, or pass the module that runs the operator, such as --module src/main.ts`,
    );
  }
  const configPath = findConfig(folder, options.config);
  const { findings, contents } = await loadProject({ configPath, folder }, new ModuleLoader(folder), () => undefined);
  if (contents === undefined || hasErrors(findings)) {
    reportFindings(findings, verbose, terminal);
    return 1;
  }
  const { config } = contents;
  const declaration = contents.operator?.declaration;
  if (declaration === undefined) {
    throw new EvenkeelError(
      'invalid-config',
      `${relative(folder, configPath)}: it names no operator; set operator to the module that exports it`,
    );
  }
  if (options.withoutLease === true) {
    terminal.err('the operator in the cluster continues to reconcile the same objects; stop it first', 'notice');
  }
  const settings = operatorSettings(declaration, { ...options, deployment: config.deployment, folder });
  // What `Manager.run` reads.
  process.argv.splice(1, process.argv.length - 1, module, ...settings, ...given);
  await import(pathToFileURL(module).href);
  return 0;
}
