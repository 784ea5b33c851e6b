import { defineOperator } from 'evenkeel';
import { Dictionary } from './dictionary.ts';
import { GreetingController } from './greeting.controller.ts';

export const operator = defineOperator({
  name: 'greeting-operator',
  controllers: [GreetingController],
  services: [Dictionary],
});
