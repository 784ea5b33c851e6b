// Checks tarballs of packages with publint and Are the types wrong?, and prints their problems, each in one line.
//
//   node scripts/package-checks/check.mjs TARBALL...
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** The condition of exports that leads to the sources, for tests in this repository. Not every package contains its sources. */
const ownCondition = 'evenkeel-source';

for (const path of process.argv.slice(2)) {
  const tarball = readFileSync(path);
  const { messages, pkg } = await publint({ pack: { tarball: arrayBufferOf(tarball) }, strict: true });
  for (const message of messages) {
    if (!message.path.includes(ownCondition)) print(path, 'publint', message.code, formatMessage(message, pkg));
  }
  const { problems = [] } = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
  for (const problem of problems) {
    // The packages are only ES modules: require() of Node 22 loads them, and a resolution without exports is not supported.
    if (problem.kind === 'CJSResolvesToESM' || problem.resolutionKind === 'node10') continue;
    print(path, 'attw', problem.kind, JSON.stringify(problem));
  }
}

function arrayBufferOf(buffer) {
  return buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.byteLength);
}

function print(path, tool, code, text) {
  process.stdout.write(`${basename(path)}: ${tool} ${code}: ${text}\n`);
}
