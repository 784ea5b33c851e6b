import type { StatusError } from '@evenkeel/core';
import type { AdmissionRequest } from '../../registry/write-request.ts';
import { forbidden, refusal } from '../../status/refusal.ts';

/** A policy that rejects a request. */
export interface PolicyDenial {
  readonly policy: string;
  /** Undefined if the policy itself cannot be used. */
  readonly binding?: string;
  readonly message: string;
  readonly reason?: string;
}

const codes: Readonly<Record<string, number>> = { Unauthorized: 401, Forbidden: 403, RequestEntityTooLarge: 413 };

/** Source: `Dispatch` of apiserver `pkg/admission/plugin/policy/validating/dispatcher.go`. */
export function validatingRefusal(admission: AdmissionRequest, denial: PolicyDenial): StatusError {
  const { policy, binding, reason = 'Invalid' } = denial;
  const by = binding === undefined ? `'${policy}'` : `'${policy}' with binding '${binding}'`;
  const message = `ValidatingAdmissionPolicy ${by} denied request: ${denial.message}`;
  const { status } = forbiddenBy(admission, message);
  return refusal(codes[reason] ?? 422, reason, status.message ?? '', { ...status.details, causes: [{ message }] });
}

/** Source: `Dispatch` of apiserver `pkg/admission/plugin/policy/generic/policy_dispatcher.go`. */
export function mutatingRefusal(admission: AdmissionRequest, denials: readonly PolicyDenial[]): StatusError {
  const messages = denials.map(({ policy, binding, message }) =>
    binding === undefined
      ? `policy "${policy}" denied request: ${message}`
      : `policy '${policy}' with binding '${binding}' denied request: ${message}`,
  );
  const { status } = forbiddenBy(admission, '');
  const causes = messages.map((message) => ({ message }));
  return refusal(403, denials[0]?.reason ?? 'Forbidden', messages[0] ?? '', { ...status.details, causes });
}

/** Source: `admission.NewForbidden`, which names an object by its prefix before it has a name. */
function forbiddenBy({ request, name, object }: AdmissionRequest, why: string): StatusError {
  const metadata = object?.metadata;
  const { group, plural } = request.kind.names;
  return forbidden({ group, plural }, name || metadata?.name || metadata?.generateName || 'Unknown', why);
}
