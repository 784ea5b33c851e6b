// Bundles a program into one file, with the options of the example's rolldown.config.ts. It runs in a separate process,
// because jest gives modules another RegExp than Node's, which rolldown's native part does not accept.
import { rolldown } from 'rolldown';
import config from '../../examples/nginx/rolldown.config.ts';

const [program = '', file = ''] = process.argv.slice(2);
const { output = [], ...options } = config;
const made = await rolldown({ ...options, input: program, tsconfig: false });
for (const each of [output].flat()) await made.write({ ...each, file });
await made.close();
