#!/usr/bin/env node
// Runs "evenkeel init" with the given arguments.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

process.argv.splice(2, 0, 'init');
const cli = pathToFileURL(createRequire(import.meta.url).resolve('@evenkeel/cli'));
await import(new URL('../bin/evenkeel.js', cli).href);
