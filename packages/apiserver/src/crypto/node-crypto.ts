/** Returns `node:crypto`. Loaded by the first call, because loading takes 8 ms and many servers in tests need none of it. */
export function nodeCrypto(): typeof import('node:crypto') {
  return process.getBuiltinModule('node:crypto');
}
