import { rfc3339 } from '@evenkeel/core';
import type { CertificateSigningRequest } from '@evenkeel/kinds';
import { copyJson } from '../../apimachinery/index.ts';
import type { StrategyContext } from '../../kind/strategy.ts';
import { defineStrategy, keepMember } from '../define-strategy.ts';
import { validateApproval, validateRequest, validateRequestUpdate, validateSigning } from './request-validation.ts';

type Request = CertificateSigningRequest;

const everything = ['metadata', 'spec', 'status'] as const;

/** Sources: `pkg/registry/certificates/certificates/strategy.go`, `pkg/apis/certificates/validation`. */
export const certificateSigningRequestStrategy = defineStrategy<Request>({
  prepareForCreate(object, { user }) {
    const { username: _, uid: __, groups: ___, extra: ____, ...spec } = object.spec;
    // Users can neither choose who requests, nor create approved requests.
    object.spec = {
      ...spec,
      username: user.name,
      ...(user.uid !== undefined && user.uid !== '' && { uid: user.uid }),
      groups: [...user.groups],
      ...(user.extra !== undefined && { extra: copyJson(user.extra) as Record<string, string[]> }),
    };
    object.status = {};
  },
  prepareForUpdate(object, old) {
    object.spec = copyJson(old.spec);
    keepMember(object, old, 'status');
  },
  validate: validateRequest,
  validateUpdate: (object, old) => validateRequestUpdate(object, old),
  validateName: () => [],
  generation: 'never',
  unowned: ['spec', 'status'],
  selectableFields: ({ spec }) => ({ 'spec.signerName': spec.signerName }),
  selectableFieldNames: ['spec.signerName'],
  subresources: {
    approval: defineStrategy<Request>({
      prepareForUpdate(object, old, context) {
        setTimes(object, old, context);
        const conditions = object.status?.conditions;
        object.spec = copyJson(old.spec);
        keepMember(object, old, 'status');
        const { conditions: _, ...status } = object.status ?? {};
        object.status = { ...(conditions !== undefined && { conditions }), ...status };
      },
      validateUpdate: validateApproval,
      unowned: everything,
    }) as never,
    status: defineStrategy<Request>({
      prepareForUpdate(object, old, context) {
        object.spec = copyJson(old.spec);
        setTimes(object, old, context);
      },
      validateUpdate: validateSigning,
      unowned: everything,
    }) as never,
  },
});

/** Sets missing times of conditions. A condition that existed with the same status keeps its time of transition. */
function setTimes({ status }: Request, old: Request, { clock }: StrategyContext): void {
  const now = rfc3339(new Date(clock.now()));
  if (status?.conditions === undefined) return;
  status.conditions = status.conditions.map((condition) => {
    const before = old.status?.conditions?.find(
      (other) => other.type === condition.type && other.status === condition.status && other.lastTransitionTime,
    );
    return {
      ...condition,
      lastUpdateTime: condition.lastUpdateTime || now,
      lastTransitionTime: condition.lastTransitionTime || before?.lastTransitionTime || now,
    };
  });
}
