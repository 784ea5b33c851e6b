import { admissionPolicy, type PolicyPlan } from '@evenkeel/core/webhook';
import type { Operator } from '@evenkeel/runtime';
import type { GeneratedFile } from './generated-file.ts';
import { manifestFile } from './manifest-file.ts';

/** Returns the file of the policies that the API server evaluates instead of an operator's webhooks, each with its binding. */
export async function policyFiles({ name }: Operator, plans: readonly PolicyPlan[]): Promise<GeneratedFile[]> {
  const from = plans.map(({ webhookClass }) => webhookClass.name).join(', ');
  const objects = plans.flatMap((plan) => {
    const { policy, binding } = admissionPolicy(name, plan);
    return [policy, binding];
  });
  return manifestFile('webhook/policies.yaml', from, objects, ['output', 'operator']);
}
