import type { Secret } from '@evenkeel/kinds';
import { validateSecret, validateSecretUpdate } from './data-validation.ts';
import { defineStrategy } from './define-strategy.ts';

/** Sources: `SetDefaults_Secret`, `Convert_v1_Secret_To_core_Secret`, `pkg/registry/core/secret/strategy.go`. */
export const secretStrategy = defineStrategy<Secret>({
  default(object) {
    object.type ||= 'Opaque';
    const { stringData } = object;
    if (stringData === undefined) return;
    delete object.stringData;
    const encoded = Object.entries(stringData).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
    if (encoded.length > 0) object.data = { ...object.data, ...Object.fromEntries(encoded) };
  },
  validate: validateSecret,
  validateUpdate: validateSecretUpdate,
  generation: 'never',
  selectableFields: ({ type }) => ({ type: type ?? '' }),
  selectableFieldNames: ['type'],
});
