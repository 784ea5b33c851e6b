import * as kinds from '@evenkeel/kinds';
import * as evenkeel from './index.ts';

describe('evenkeel', () => {
  it("has every one of Kubernetes' kinds that operators are written with, the very classes", () => {
    const readers = ['schemaDefinition', 'schemaDefinitionOf'];
    const missing = Object.entries(kinds).filter(
      ([name, value]) => !readers.includes(name) && (evenkeel as Record<string, unknown>)[name] !== value,
    );
    expect(missing.map(([name]) => name)).toEqual([]);
  });

  it('gives everything that may stand in a decorated signature as a class', () => {
    const { Client, Clock, Condition, EventRecorder, Lister, Logger, ObjectKey, ReconcileContext } = evenkeel;
    for (const value of [Client, Clock, Condition, EventRecorder, Lister, Logger, ObjectKey, ReconcileContext]) {
      expect(value.prototype).toBeDefined();
    }
  });
});
