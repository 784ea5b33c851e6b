import { runToEnd } from '../program-test.ts';
import type { Settings } from './kuttl-file.ts';

/** A command of a suite, a step or an assertion. */
export interface KuttlCommand {
  readonly words: readonly string[];
  /** What messages show. */
  readonly text: string;
  readonly ignoresFailure: boolean;
  readonly isQuiet: boolean;
  /** Undefined: the time limit of the step. */
  readonly timeoutMs: number | undefined;
}

/** Where a command runs. */
export interface CommandSurroundings {
  readonly folder: string;
  readonly namespace: string;
  readonly kubeconfig: string;
  readonly timeoutMs: number;
}

/** Reads a command. Variables such as `$NAMESPACE` are replaced. Throws KuttlError. */
export function commandOf(settings: Settings, namespace: string, kubeconfig: string): KuttlCommand {
  const command = settings.text('command');
  const script = settings.text('script');
  if ((command === undefined || command === '') === (script === undefined || script === '')) {
    throw settings.error('it must have either command or script; write one of them');
  }
  const variables = { NAMESPACE: namespace, KUBECONFIG: kubeconfig };
  const seconds = settings.number('timeout') ?? 0;
  const words = script ? ['sh', '-c', script] : splitWords(expanded(command ?? '', variables));
  if (words.length === 0) throw settings.error('command is empty; write a program and its arguments');
  const isNamed = words.some((word) => /^(?:-n|--namespace)(?:=|$)/.test(word));
  const isNamespaced = settings.flag('namespaced') && !script && !isNamed;
  return {
    words: isNamespaced ? [...words, '--namespace', namespace] : words,
    text: command ?? script ?? '',
    ignoresFailure: settings.flag('ignoreFailure'),
    isQuiet: settings.flag('skipLogOutput'),
    timeoutMs: seconds > 0 ? seconds * 1000 : undefined,
  };
}

/** Runs a command. Returns the lines for the log, and the problem if it has failed. */
export async function runCommand(
  { words, text, ignoresFailure, isQuiet, timeoutMs }: KuttlCommand,
  { folder, namespace, kubeconfig, timeoutMs: ofStep }: CommandSurroundings,
): Promise<{ readonly log: readonly string[]; readonly problem?: string }> {
  const [command = '', ...others] = words;
  const { stdout, stderr, problem, isBroken } = await runToEnd({
    ...{ command, arguments: others, folder, timeoutMs: timeoutMs ?? ofStep },
    variables: { NAMESPACE: namespace, KUBECONFIG: kubeconfig },
  });
  const output = isQuiet ? '' : `${stdout}${stderr}`.trimEnd();
  const log = [`running command: ${text}`, ...(output === '' ? [] : output.split('\n'))];
  // As in kuttl, only a failure of a command that ran can be ignored.
  if (problem === undefined || (ignoresFailure && isBroken !== true)) return { log };
  return { log, problem: `command ${JSON.stringify(text)}: ${problem}` };
}

function expanded(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced?: string, plain?: string) => {
    const name = braced ?? plain ?? '';
    return variables[name] ?? process.env[name] ?? '';
  });
}

/** Splits a command into words, as a shell does with quotes and backslashes, without its other rules. */
export function splitWords(text: string): string[] {
  const word = /(?:[^\s'"\\]+|\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\])*")+/g;
  const part = /\\([\s\S])|'([^']*)'|"((?:\\[\s\S]|[^"\\])*)"|([^\s'"\\]+)/g;
  return [...text.matchAll(word)].map(([found]) =>
    [...found.matchAll(part)]
      .map(
        ([, escaped, single, double, plain]) =>
          escaped ?? single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? plain ?? '',
      )
      .join(''),
  );
}
