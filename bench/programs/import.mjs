// Imports one module and prints the time and the added memory as one line of JSON.
const before = process.memoryUsage().rss;
const started = performance.now();
await import(process.argv[2]);
const importMs = performance.now() - started;
console.log(JSON.stringify({ importMs, addedBytes: Math.max(1, process.memoryUsage().rss - before) }));
