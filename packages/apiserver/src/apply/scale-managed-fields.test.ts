import { parentManagedFields, scaleManagedFields } from './scale-managed-fields.ts';

const paths = new Map([['apps/v1', ['spec', 'replicas']]]);
const entry = (manager: string, operation: string, fieldsV1: object, more: object = {}) => ({
  manager,
  operation,
  apiVersion: 'apps/v1',
  time: '2026-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1,
  ...more,
});
const replicas = { 'f:spec': { 'f:replicas': {} } };
const both = { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } };
const paused = { 'f:spec': { 'f:paused': {} } };
const inScale = { apiVersion: 'autoscaling/v1' };

describe('the managedFields of a Scale', () => {
  it('are those of the owners of the replicas', () => {
    const parent = [entry('a', 'Apply', both), entry('b', 'Update', paused), entry('c', 'Update', both)];
    expect(scaleManagedFields(parent, paths)).toEqual([
      entry('a', 'Apply', replicas, inScale),
      entry('c', 'Update', replicas, inScale),
    ]);
  });

  it('are undefined if the replicas have no owner in a served version', () => {
    const parent = [entry('b', 'Update', paused), entry('a', 'Apply', both, { apiVersion: 'apps/v0' })];
    expect(scaleManagedFields(parent, paths)).toBeUndefined();
  });
});

describe('the managedFields of a scaled object', () => {
  it('keep the entry of an applier that still owns the replicas', () => {
    const parent = [entry('a', 'Apply', both)];
    expect(parentManagedFields(parent, scaleManagedFields(parent, paths), 'apps/v1', paths)).toEqual(parent);
  });

  it('give the replicas to their new owner in the Scale', () => {
    const parent = [entry('a', 'Apply', both), entry('b', 'Apply', replicas)];
    const scale = [entry('s', 'Update', replicas, { ...inScale, subresource: 'scale' })];
    const { time: _, ...taken } = entry('s', 'Update', replicas, { subresource: 'scale' });
    expect(parentManagedFields(parent, scale, 'apps/v1', paths)).toEqual([entry('a', 'Apply', paused), taken]);
  });

  it("split an updater's entry in two, as upstream", () => {
    const parent = [entry('c', 'Update', both)];
    const { time: _, ...split } = entry('c', 'Update', replicas);
    expect(parentManagedFields(parent, scaleManagedFields(parent, paths), 'apps/v1', paths)).toEqual([
      split,
      entry('c', 'Update', paused),
    ]);
  });
});
