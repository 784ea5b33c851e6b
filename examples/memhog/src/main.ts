import { Manager } from 'evenkeel';
import { fields } from './fields.ts';
import { operator } from './operator.ts';

await Manager.run(operator, { fields });
