// Stands for a test process: starts guarded programs as its arguments say, and stays.
import { GuardedProcesses, type GuardedProgram } from './guarded-processes.ts';

const [folder = '', programs = '[]'] = process.argv.slice(2);
new GuardedProcesses(folder, JSON.parse(programs) as GuardedProgram[]);
setInterval(() => undefined, 1000);
