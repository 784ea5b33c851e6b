import { rfc3339 } from '@evenkeel/core';
import type { APIService } from '@evenkeel/kinds/apiregistration/v1';
import {
  dns1035LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  goQuote,
  invalid,
  invalidBy,
  notSupported,
  pathSegmentErrors,
  portNumberErrors,
  required,
} from '../../apimachinery/index.ts';
import { defineStrategy } from '../define-strategy.ts';

const groupPriorityMax = 20_000;
const versionPriorityMax = 1000;

/** Sources: `pkg/registry/apiservice/strategy.go` and `pkg/apis/apiregistration` of kube-aggregator. */
export const apiServiceStrategy = defineStrategy<APIService>({
  default({ spec }) {
    if (spec?.service != null) spec.service.port ??= 443;
  },
  prepareForCreate(object, { clock }) {
    object.status = {};
    if (object.spec?.service != null) return;
    const lastTransitionTime = rfc3339(new Date(clock.now()));
    const message = 'Local APIServices are always available';
    object.status.conditions = [{ type: 'Available', status: 'True', lastTransitionTime, reason: 'Local', message }];
  },
  validate: validateApiService,
  validateUpdate: validateApiService,
  validateName: () => [],
  generation: 'never',
  allowUnconditionalUpdate: false,
  subresources: {
    status: {
      validateUpdate: ({ status }) =>
        (status?.conditions ?? []).flatMap(({ status: value = '' }, index) =>
          ['True', 'False', 'Unknown'].includes(value)
            ? []
            : [notSupported(`status.conditions[${index}].status`, value, ['True', 'False', 'Unknown'])],
        ),
    },
  },
});

function validateApiService({ metadata: { name = '' }, spec }: APIService): readonly FieldError[] {
  const { group = '', version = '', service, caBundle = '', insecureSkipTLSVerify = false } = spec ?? {};
  const { groupPriorityMinimum = 0, versionPriority = 0 } = spec ?? {};
  const wanted = `${version}.${group}`;
  const errors = invalidBy(pathSegmentErrors, 'metadata.name', name);
  if (errors.length === 0 && name !== wanted) {
    errors.push(invalid('metadata.name', name, `must be \`spec.version+"."+spec.group\`: ${goQuote(wanted)}`));
  }
  if (group === '' && version !== 'v1') {
    errors.push(required('spec.group', 'only v1 may have an empty group and it better be legacy kube'));
  }
  if (group !== '') errors.push(...invalidBy(dns1123SubdomainErrors, 'spec.group', group));
  errors.push(...invalidBy(dns1035LabelErrors, 'spec.version', version));
  if (groupPriorityMinimum <= 0 || groupPriorityMinimum > groupPriorityMax) {
    const detail = `must be positive and less than ${groupPriorityMax}`;
    errors.push(invalid('spec.groupPriorityMinimum', groupPriorityMinimum, detail));
  }
  if (versionPriority <= 0 || versionPriority > versionPriorityMax) {
    const detail = `must be positive and less than ${versionPriorityMax}`;
    errors.push(invalid('spec.versionPriority', versionPriority, detail));
  }
  const bytes = Buffer.from(caBundle, 'base64').length;
  if (service == null) {
    if (bytes > 0) errors.push(invalid('spec.caBundle', `${bytes} bytes`, 'local APIServices may not have a caBundle'));
    if (insecureSkipTLSVerify) {
      const detail = 'local APIServices may not have insecureSkipTLSVerify';
      errors.push(invalid('spec.insecureSkipTLSVerify', true, detail));
    }
    return errors;
  }
  if (!service.namespace) errors.push(required('spec.service.namespace'));
  if (!service.name) errors.push(required('spec.service.name'));
  const portErrors = portNumberErrors(service.port ?? 0);
  if (portErrors.length > 0) {
    errors.push(invalid('spec.service.port', service.port ?? 0, `port is not valid: ${portErrors.join(', ')}`));
  }
  if (insecureSkipTLSVerify && bytes > 0) {
    errors.push(invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present'));
  }
  return errors;
}
