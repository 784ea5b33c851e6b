// Simulates a test process: starts the process in its argument, with a folder of its own, and continues to run.
import { PodProcesses, type ProcessStart } from './pod-processes.ts';

const start = JSON.parse(process.argv[2] ?? '{}') as ProcessStart;
new PodProcesses(process.argv[3]).start({ ...start, output: () => undefined });
setInterval(() => undefined, 1000);
