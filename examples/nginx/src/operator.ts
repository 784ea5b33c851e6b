import { defineOperator } from 'evenkeel';
import { NginxController } from './nginx.controller.ts';

export const operator = defineOperator({
  name: 'nginx-operator',
  controllers: [NginxController],
  metricsAuthentication: true,
});
