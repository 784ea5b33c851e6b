import { type Command, Option } from 'commander';

/** Adds the options that all commands for a cluster share. */
export function withClusterOptions(command: Command, timeout: string): Command {
  return command
    .option('-c, --config <file>', 'the configuration file (default: evenkeel.config.ts or .js in this folder)')
    .option('--kubeconfig <file>', 'the kubeconfig with the cluster (default: that of kubectl)')
    .option('--context <name>', 'the context of the kubeconfig (default: its current context)')
    .option('--timeout <duration>', 'how long the command may wait for the cluster', timeout);
}

/** The option with which the API server checks each object, and stores nothing. */
export function dryRunOption(): Option {
  return new Option('--dry-run <how>', 'print what would change, and write nothing').choices(['server']);
}
