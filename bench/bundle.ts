import { join } from 'node:path';
import { rolldown } from 'rolldown';
import config from '../examples/nginx/rolldown.config.ts';
import { root } from '../test/imports.fixture.ts';

/** Makes one file of a program, with the options of the example's own rolldown.config.ts. */
export async function bundle(program: string, file: string): Promise<void> {
  const { output = [], ...options } = config;
  const made = await rolldown({ ...options, input: join(root, program), tsconfig: false });
  for (const each of [output].flat()) await made.write({ ...each, file });
  await made.close();
}
