import * as kinds from '@evenkeel/kinds';
import * as evenkeel from './index.ts';

describe('evenkeel', () => {
  it('exports the classes of all built-in kinds that operators use', () => {
    const readers = ['schemaDefinition', 'schemaDefinitionOf'];
    const missing = Object.entries(kinds).filter(
      ([name, value]) => !readers.includes(name) && (evenkeel as Record<string, unknown>)[name] !== value,
    );
    expect(missing.map(([name]) => name)).toEqual([]);
  });

  it('exports everything that a decorated signature may contain as a class', () => {
    const { Client, Clock, Condition, EventRecorder, Lister, Logger, ObjectKey, ReconcileContext } = evenkeel;
    for (const value of [Client, Clock, Condition, EventRecorder, Lister, Logger, ObjectKey, ReconcileContext]) {
      expect(value.prototype).toBeDefined();
    }
  });
});
