import type * as Http from 'node:http';
import type * as Https from 'node:https';

/**
 * Node's `http` and `https`, loaded by the first connection: `https` takes 13 ms, and a client of an embedded server in the
 * same process needs neither. An import statement of `http` would also read all of its exports. Some are getters that would
 * load undici, which takes 50 ms and 10 MB (Node 24).
 */
export const node = {
  get http(): typeof Http {
    return process.getBuiltinModule('node:http');
  },
  get https(): typeof Https {
    return process.getBuiltinModule('node:https');
  },
};
