import { Manager } from 'evenkeel';
import { operator } from './operator.ts';

await Manager.run(operator);
