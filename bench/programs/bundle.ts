// Makes one file of a program, with the options of the example's own rolldown.config.ts. In a process of its own: jest gives
// modules a RegExp that is not Node's, and rolldown's native part takes no other.
import { rolldown } from 'rolldown';
import config from '../../examples/nginx/rolldown.config.ts';

const [program = '', file = ''] = process.argv.slice(2);
const { output = [], ...options } = config;
const made = await rolldown({ ...options, input: program, tsconfig: false });
for (const each of [output].flat()) await made.write({ ...each, file });
await made.close();
