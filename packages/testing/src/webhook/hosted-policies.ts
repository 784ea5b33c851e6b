import type { Client } from '@evenkeel/client';
import { type AdmissionPolicy, type BoundPolicy, type Clock, EvenkeelError, type PolicyKind } from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import { policyProbe } from './policy-probe.ts';
import { register } from './registered-object.ts';
import type { SessionMark } from './session-mark.ts';
import { untilRejected } from './until-rejected.ts';
import { probeLabel, probeNamespace } from './webhook-probe.ts';

export interface PolicySession {
  /** With administrator permissions. */
  readonly client: Client;
  readonly clock: Clock;
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /** A part of the names of all objects. */
  readonly session: string;
  readonly mark: SessionMark;
}

/** The API server looks for the kinds of parameters that it does not know every 30 s. */
const effectiveWithinMs = 45_000;

/** Creates policies with their bindings, and waits until the API server uses them and finds their parameters. */
export async function addPolicies(
  policies: readonly BoundPolicy[],
  options: PolicySession,
  undo: (() => Promise<unknown>)[],
): Promise<void> {
  const { client, session, mark } = options;
  const probes = new Map<string, () => Promise<void>>();
  // The API server uses a policy only after it has removed the policies that were deleted earlier. At that time, the signal of the session
  // is already aborted.
  const ending = { ...options, signal: new AbortController().signal };
  const kinds = new Set(policies.map(({ policy }) => policy.kind));
  for (const kind of kinds) undo.push(() => untilBound(kind, `evenkeel-probe-${session}-end`, undefined, ending));
  for (const { policy, binding } of policies) {
    const name = `evenkeel-${policy.metadata.name}-${session}`;
    await register(client, { ...policy, metadata: { name } }, mark, undo);
    const spec = { ...binding.spec, policyName: name };
    await register(client, { ...binding, metadata: { name }, spec }, mark, undo);
    const { paramKind } = policy.spec;
    const probe = `evenkeel-probe-${session}-${probes.size}`;
    probes.set(JSON.stringify([policy.kind, paramKind]), () => untilBound(policy.kind, probe, paramKind, options));
  }
  for (const until of probes.values()) await until();
}

/** The API server uses all policies that were created before one that it uses. */
async function untilBound(
  kind: PolicyKind,
  name: string,
  paramKind: AdmissionPolicy['spec']['paramKind'],
  { client, clock, signal, mark }: PolicySession,
): Promise<void> {
  const { bound, message } = policyProbe(kind, name, paramKind);
  const undo: (() => Promise<unknown>)[] = [];
  try {
    for (const object of [bound.policy, bound.binding]) await register(client, object, mark, undo);
    const metadata = { name, namespace: probeNamespace, labels: { [probeLabel]: name } };
    await untilRejected(() => client.create(ConfigMap, { metadata }, { dryRun: true }), {
      ...{ message, withinMs: effectiveWithinMs, clock, signal },
      failureOf: (result = 'accepted', isLate) =>
        isLate
          ? new EvenkeelError(
              'not-converged',
              `the API server did not use a new ${kind} within ${effectiveWithinMs / 1000} s: a request that it should reject was ${result}`,
            )
          : undefined,
    });
  } finally {
    for (const step of undo.reverse()) await step();
  }
}
