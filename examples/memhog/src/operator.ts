import { defineOperator, provider } from 'evenkeel';
import { MemHogController } from './memhog.controller.ts';
import { ClusterMetrics, MemoryMetrics, SimulatedMetrics } from './memory-metrics.ts';

/** With METRICS=simulated, the server needs no metrics-server. */
const useClass = process.env['METRICS'] === 'simulated' ? SimulatedMetrics : ClusterMetrics;

export const operator = defineOperator({
  name: 'memhog-operator',
  controllers: [MemHogController],
  services: [provider({ provide: MemoryMetrics, useClass })],
});
