import { defineOperator } from 'evenkeel';
import { fooController } from './foo.controller.ts';

export const operator = defineOperator({ name: 'foo-operator', controllers: [fooController] });
