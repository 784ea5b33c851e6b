import { ConfigMap, Deployment } from '@evenkeel/kinds';
import { explainFrozenWrite } from './working-object.ts';

describe('explainFrozenWrite()', () => {
  const deployment = Object.freeze(
    Object.assign(new Deployment(), {
      kind: 'Deployment',
      metadata: Object.freeze({ name: 'web', namespace: 'shop', generation: 1 }),
      spec: Object.freeze({ replicas: 1, template: Object.freeze({ metadata: Object.freeze({ name: 'web' }) }) }),
    }),
  );

  function said(write: () => void): string {
    try {
      write();
    } catch (error) {
      return (explainFrozenWrite(error, deployment as never) as Error).message;
    }
    throw new Error('nothing was frozen');
  }

  it.each([
    ['spec', 'replicas', () => Object.assign(deployment.spec, { replicas: 2 })],
    ['metadata', 'generation', () => Object.assign(deployment.metadata, { generation: 2 })],
    ['metadata', 'labels', () => Object.assign(deployment.metadata, { labels: {} })],
    ['spec or metadata', 'name', () => Object.assign(deployment.spec.template.metadata, { name: 'x' })],
    ['spec or metadata', 'unheardOf', () => Object.assign(deployment.spec, { unheardOf: 1 })],
  ])('names %s for a write to %s', (part, property, write) => {
    expect(said(write)).toBe(
      `cannot change ${part} of Deployment shop/web ("${property}"): it is frozen because it is shared with the cache; change a copy, or use context.apply()`,
    );
  });

  it('returns other errors unchanged', () => {
    const error = new TypeError('x is not a function');
    expect(explainFrozenWrite(error, new ConfigMap() as never)).toBe(error);
  });
});
