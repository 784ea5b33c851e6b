// Checks one definition, which is read from a file or generated with about the given number of bytes, in a new process.
import { readFileSync } from 'node:fs';
import { checkCustomResourceDefinition } from '@evenkeel/schema/evaluate';
import { parse } from 'yaml';
import { largeDefinition } from './large-definition.mjs';

const [what, size] = process.argv.slice(2);
const text = what === '--made' ? JSON.stringify(largeDefinition(Number(size))) : readFileSync(what, 'utf8');
const definition = what === '--made' ? JSON.parse(text) : parse(text);

const started = performance.now();
const { errors } = checkCustomResourceDefinition(definition);
const checkMs = performance.now() - started;
if (errors.length > 0) throw new Error(`the definition is invalid: ${JSON.stringify(errors.slice(0, 3))}`);
console.log(JSON.stringify({ bytes: text.length, checkMs }));
