import { defineOperator } from 'evenkeel';
import { MemcachedController } from './memcached.controller.ts';

export const operator = defineOperator({
  name: 'cache-operator',
  controllers: [MemcachedController],
});
