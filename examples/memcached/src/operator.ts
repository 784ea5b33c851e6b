import { defineOperator } from 'evenkeel';
import { imageFromEnvironment } from './image.ts';
import { MemcachedController } from './memcached.controller.ts';

export const operator = defineOperator({
  name: 'memcached-operator',
  controllers: [MemcachedController],
  services: [imageFromEnvironment],
});
