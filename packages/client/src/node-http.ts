/**
 * Node's `http`. An import statement would read everything it exports, and some of that is made when it is read: it would
 * load undici, which is 16 ms and 10 MB of a start (Node 22 and 24).
 */
export const http = process.getBuiltinModule('node:http');
