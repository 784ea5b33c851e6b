import { createInterface } from 'node:readline/promises';

/** A question with the default for an empty answer. */
export interface Question {
  readonly text: string;
  readonly byDefault: string;
}

/** Asks questions on the terminal, one after another. Resolves to undefined if the user ends the input. */
export async function ask(questions: readonly Question[]): Promise<string[] | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new AbortController();
  lines.on('close', () => ended.abort());
  lines.on('SIGINT', () => lines.close());
  try {
    const answers: string[] = [];
    for (const { text, byDefault } of questions) {
      const answer = await lines.question(`${text} (${byDefault}): `, { signal: ended.signal });
      answers.push(answer.trim() || byDefault);
    }
    return answers;
  } catch (error) {
    if (ended.signal.aborted) return undefined;
    throw error;
  } finally {
    lines.close();
  }
}
