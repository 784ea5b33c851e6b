import type { ServiceAccount } from '@evenkeel/kinds';
import { defineStrategy } from '../define-strategy.ts';

/** Sources: `pkg/registry/core/serviceaccount/strategy.go`. */
export const serviceAccountStrategy = defineStrategy<ServiceAccount>({
  prepareForCreate: keepSecretNames,
  prepareForUpdate: keepSecretNames,
  generation: 'never',
});

/** A service account refers to its secrets by name alone. */
function keepSecretNames(object: ServiceAccount): void {
  if (object.secrets !== undefined) {
    object.secrets = object.secrets.map(({ name }) => (name === undefined ? {} : { name }));
  }
}
