import type { Secret } from '@evenkeel/kinds';
import { defineStrategy } from '../define-strategy.ts';
import { validateSecret, validateSecretUpdate } from './data-validation.ts';

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
  warnings: ({ type, data }) => (type === 'kubernetes.io/tls' ? keyPairWarnings(data ?? {}) : []),
  generation: 'never',
  selectableFields: ({ type }) => ({ type: type ?? '' }),
  selectableFieldNames: ['type'],
});

/** Upstream says what Go's `tls.X509KeyPair` finds wrong; here, whether there is a certificate and a key at all. */
function keyPairWarnings(data: Readonly<Record<string, string>>): readonly string[] {
  const has = (key: string, mark: string): boolean =>
    Buffer.from(Object.hasOwn(data, key) ? (data[key] ?? '') : '', 'base64').includes(mark);
  if (!has('tls.crt', '-----BEGIN ')) return ['tls: failed to find any PEM data in certificate input'];
  return has('tls.key', '-----BEGIN ') ? [] : ['tls: failed to find any PEM data in key input'];
}
