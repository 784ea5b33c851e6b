import { rfc3339 } from '@evenkeel/core';
import type { CertificateSigningRequest } from '@evenkeel/kinds';
import { copyJson, type FieldError, forbidden, jsonEqual } from '../../apimachinery/index.ts';
import type { StrategyContext } from '../../kind/strategy.ts';
import { defineStrategy, keepMember } from '../define-strategy.ts';

type Conditions = NonNullable<NonNullable<CertificateSigningRequest['status']>['conditions']>;

/** The conditions by which a request is approved or denied, which only the subresource `approval` changes. */
const decisions = ['Approved', 'Denied'];

/** The sender of a request is part of it. Source: `pkg/registry/certificates/certificates/strategy.go`, as for all of this file. */
export const certificateSigningRequestStrategy = defineStrategy<CertificateSigningRequest>({
  generation: 'never',
  resetsSpec: true,
  prepareForCreate(object, { user }) {
    const { username: _, uid: __, groups: ___, extra: ____, ...spec } = object.spec ?? ({} as typeof object.spec);
    const { name, uid, groups, extra } = user;
    object.spec = {
      ...spec,
      username: name,
      ...(uid && { uid }),
      ...(groups.length > 0 && { groups: [...groups] }),
      ...(extra !== undefined && { extra: copyJson(extra) as Record<string, string[]> }),
    };
    object.status = {};
  },
  prepareForUpdate(object, old) {
    keepSpec(object, old);
    keepMember(object, old, 'status');
  },
  subresources: {
    status: {
      prepareForUpdate(object, old, context) {
        keepSpec(object, old);
        setTimes(object, old, context);
      },
      validateUpdate: (object, old) => [...removedConditions(object, old), ...changedDecisions(object, old)],
    },
    approval: {
      prepareForUpdate(object, old, context) {
        keepSpec(object, old);
        const { certificate } = old.status ?? {};
        object.status = { ...object.status };
        if (certificate === undefined) delete object.status.certificate;
        else object.status.certificate = certificate;
        setTimes(object, old, context);
      },
      validateUpdate: removedConditions,
    },
  },
});

function removedConditions(object: CertificateSigningRequest, old: CertificateSigningRequest): FieldError[] {
  return [...decisions, 'Failed'].flatMap((type) => {
    if (conditionsOf(object, type).length >= conditionsOf(old, type).length) return [];
    return [forbidden(conditionsPath, `updates may not remove a condition of type "${type}"`)];
  });
}

function changedDecisions(object: CertificateSigningRequest, old: CertificateSigningRequest): FieldError[] {
  return decisions.flatMap((type) => {
    const conditions = conditionsOf(object, type);
    const before = conditionsOf(old, type);
    if (conditions.length < before.length || jsonEqual(conditions, before)) return [];
    const verb = conditions.length > before.length ? 'add' : 'modify';
    return [forbidden(conditionsPath, `updates may not ${verb} a condition of type "${type}"`)];
  });
}

const conditionsPath = 'status.conditions';

function conditionsOf({ status }: CertificateSigningRequest, type: string): Conditions {
  return (status?.conditions ?? []).filter((condition) => condition.type === type);
}

function keepSpec(object: CertificateSigningRequest, old: CertificateSigningRequest): void {
  keepMember(object, old, 'spec');
}

/** Sets the missing times of conditions. A condition with the same status keeps the time of its transition. */
function setTimes(
  { status }: CertificateSigningRequest,
  old: CertificateSigningRequest,
  { clock }: StrategyContext,
): void {
  const now = rfc3339(new Date(clock.now()));
  for (const condition of status?.conditions ?? []) {
    condition.lastUpdateTime ??= now;
    const before = old.status?.conditions?.find(
      (one) => one.type === condition.type && one.status === condition.status,
    );
    condition.lastTransitionTime ??= before?.lastTransitionTime ?? now;
  }
}
