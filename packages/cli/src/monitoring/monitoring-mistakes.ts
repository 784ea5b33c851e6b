import type { DeploymentConfig } from '../config.ts';
import { operatorAlerts } from './operator-alerts.ts';
import { promqlMistake } from './promql.ts';

/** The names of all alerts that Evenkeel can add. */
function builtInNames(): ReadonlySet<string> {
  const alerts = operatorAlerts({ name: '', series: '', elects: true, servesWebhooks: true });
  return new Set(alerts.map(({ name }) => name));
}

/** Returns the mistakes in own alerts and panels that their form does not show. */
export async function monitoringMistakes({
  alerts,
  dashboard,
}: Pick<DeploymentConfig, 'alerts' | 'dashboard'>): Promise<string[]> {
  const mistakes: string[] = [];
  const builtIn = typeof alerts === 'object' ? builtInNames() : new Set();
  for (const [option, items] of Object.entries({ alerts, dashboard })) {
    if (typeof items !== 'object') continue;
    for (const [index, item] of items.entries()) {
      const place = `deployment.${option}[${index}]`;
      if ('name' in item && builtIn.has(item.name)) {
        mistakes.push(`${place}.name is ${item.name}, an alert that every operator has; rename yours`);
      }
      const mistake = await promqlMistake(item.expr);
      if (mistake !== undefined) mistakes.push(`${place}.expr is no PromQL: ${mistake}; correct it`);
    }
  }
  return mistakes;
}
