import { defineOperator } from 'evenkeel';
import { NginxController } from '../../examples/nginx/src/nginx.controller.ts';

/** The example operator with leader election, whose times fit a test. */
export const electedNginx = defineOperator({
  name: 'nginx-operator',
  controllers: [NginxController],
  leaderElection: { leaseDuration: '6s', renewDeadline: '5s', retryPeriod: '500ms' },
});
