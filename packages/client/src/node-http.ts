/**
 * Node's `http`. An import statement would read all of its exports. Some are getters that would load undici, which
 * takes 16 ms and 10 MB at startup (Node 22 and 24).
 */
export const http = process.getBuiltinModule('node:http');
