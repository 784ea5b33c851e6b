// Simulates a test process: starts the guarded programs in its arguments, and continues to run.
import { GuardedProcesses, type GuardedProgram } from './guarded-processes.ts';

const [folder = '', programs = '[]'] = process.argv.slice(2);
new GuardedProcesses(folder, JSON.parse(programs) as GuardedProgram[]);
setInterval(() => undefined, 1000);
