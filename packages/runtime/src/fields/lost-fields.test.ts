import type { KubernetesObject } from '@evenkeel/core';
import { isPartOf } from './lost-fields.ts';

const objectWith = (version: string, spec: unknown, metadata: object = {}): KubernetesObject =>
  ({
    apiVersion: `example.com/${version}`,
    kind: 'Shop',
    metadata: { name: 'a', ...metadata },
    spec,
  }) as KubernetesObject;

describe('isPartOf', () => {
  const stored = objectWith('v2', { size: 1, color: 'red', ports: [{ port: 1, name: 'web' }], hours: { from: 8 } });

  it.each<[string, unknown]>([
    ['the fields that both versions have', { size: 1, ports: [{ port: 1 }] }],
    ['an object without its fields', { size: 1, hours: {} }],
  ])('is true for %s', (_what, spec) => {
    expect(isPartOf(objectWith('v1', spec), stored)).toBe(true);
  });

  it.each<[string, unknown, object]>([
    ['a field of its own', { replicas: 1 }, {}],
    ['another value', { size: 'small' }, {}],
    ['another type', { hours: '8-18' }, {}],
    ['another list', { ports: [{ port: 1 }, { port: 2 }] }, {}],
    ['an annotation', { size: 1 }, { annotations: { 'conversion.example.com/v2': 'red' } }],
  ])('is false for %s, in which a conversion can keep what is missing', (_what, spec, metadata) => {
    expect(isPartOf(objectWith('v1', spec, metadata), stored)).toBe(false);
  });
});
