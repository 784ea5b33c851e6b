import {
  type Condition,
  KubernetesObject,
  type LogKeys,
  ManualClock,
  ObjectKey,
  type ObjectValidator,
  SilentLogger,
  type ValidationFinding,
} from '@evenkeel/core';
import { type EventNote, EventRecorder } from '../event/event-recorder.ts';
import { StatusConditions } from './condition-set.ts';
import { ValidityCheck } from './validity-check.ts';

class Website extends KubernetesObject {
  declare spec: { size: number };
}

const key = new ObjectKey('blog', 'default');

function website(size: number, generation = 1): Website {
  const metadata = { name: 'blog', namespace: 'default', uid: 'u', generation };
  return { apiVersion: 'web.example.com/v1', kind: 'Website', metadata, spec: { size } };
}

/** Valid sizes are 1 to 5. */
const sizes: ObjectValidator = {
  validate: (object) =>
    (object as Website).spec.size > 5 ? [{ path: 'spec.size', message: 'must not be greater than 5' }] : [],
};

class Lines extends SilentLogger {
  readonly lines: string[] = [];

  override warn(message = '', keys: LogKeys = {}): void {
    this.lines.push(`${message} ${JSON.stringify(keys)}`);
  }
}

class Notes extends EventRecorder {
  readonly notes: string[] = [];

  override record(regarding: KubernetesObject, event: EventNote): void {
    this.notes.push(`${event.type} ${regarding.metadata.name} ${event.reason}: ${event.note}`);
  }
}

/** The check of one process. The conditions are kept, as on a server. */
class Process {
  readonly status: { conditions?: readonly Condition[] };
  readonly logger = new Lines();
  readonly recorder = new Notes();
  readonly check: ValidityCheck;

  constructor(validator = sizes, status: { conditions?: readonly Condition[] } = {}) {
    this.status = status;
    this.check = new ValidityCheck({ validator, recorder: this.recorder });
  }

  passes(object: Website, { hasConditions = true } = {}): boolean {
    const conditions = new StatusConditions(() => this.status, object.metadata.generation, new ManualClock());
    return this.check.passes(key, object, {
      conditions: hasConditions ? conditions : undefined,
      logger: this.logger,
    });
  }
}

describe('ValidityCheck', () => {
  it('accepts an object without findings, and reports nothing', () => {
    const process = new Process();
    expect(process.passes(website(5))).toBe(true);
    expect([process.status, process.logger.lines, process.recorder.notes]).toEqual([{}, [], []]);
  });

  it('rejects an object with findings, and reports it by a condition, an Event and a log line', () => {
    const { status, logger, recorder } = refused();
    expect(status.conditions).toEqual([
      {
        type: 'Valid',
        status: 'False',
        reason: 'Invalid',
        message: 'spec.size: must not be greater than 5',
        observedGeneration: 1,
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    ]);
    expect(recorder.notes).toEqual(['Warning blog Invalid: Not reconciled: spec.size: must not be greater than 5']);
    expect(logger.lines).toEqual([
      'object is invalid; it is not reconciled until it changes {"generation":1,"findings":"spec.size: must not be greater than 5"}',
    ]);
  });

  it('reports the same findings once for each generation', () => {
    const process = refused();
    expect(process.passes(website(6))).toBe(false);
    expect([process.recorder.notes, process.logger.lines].map(({ length }) => length)).toEqual([1, 1]);
    expect(process.passes(website(7, 2))).toBe(false);
    expect([process.recorder.notes, process.logger.lines].map(({ length }) => length)).toEqual([2, 2]);
    expect(process.status.conditions?.map(({ observedGeneration }) => observedGeneration)).toEqual([2]);
  });

  it('reports a valid object only if it was reported as invalid before', () => {
    const process = refused();
    expect(process.passes(website(5, 2))).toBe(true);
    expect(process.status.conditions).toMatchObject([
      { type: 'Valid', status: 'True', reason: 'Passed', message: '', observedGeneration: 2 },
    ]);
    expect(process.recorder.notes).toHaveLength(1);
    expect(process.passes(website(6, 3))).toBe(false);
    expect(process.recorder.notes).toHaveLength(2);
  });

  it('does not change a condition of that type of another writer', () => {
    const theirs = { type: 'Valid', status: 'False', reason: 'NoLicence', message: '', lastTransitionTime: 'then' };
    const process = new Process(sizes, { conditions: [theirs as Condition] });
    expect(process.passes(website(5))).toBe(true);
    expect(process.status.conditions).toEqual([theirs]);
  });

  it('records no second Event after a restart if the condition is already set', () => {
    const { status } = refused();
    const restarted = new Process(sizes, status);
    const before = status.conditions;
    expect(restarted.passes(website(6))).toBe(false);
    expect([restarted.recorder.notes, restarted.logger.lines.length]).toEqual([[], 1]);
    expect(restarted.status.conditions).toBe(before);
  });

  it('sets no condition if the kind has none', () => {
    const process = new Process();
    expect(process.passes(website(6), { hasConditions: false })).toBe(false);
    expect(process.status).toEqual({});
    expect(process.recorder.notes).toHaveLength(1);
  });

  it('reports an object again that has the name of a deleted one', () => {
    const process = refused();
    process.check.forget(key);
    process.status.conditions = [];
    process.passes(website(6));
    expect(process.recorder.notes).toHaveLength(2);
  });

  it('reports the first of many findings, and truncates long ones', () => {
    const many: ValidationFinding[] = Array.from({ length: 9 }, (_, i) => ({
      path: `spec.list[${i}]`,
      message: 'bad',
    }));
    const long = { path: '', message: '\u{1F600}'.repeat(5000) };
    const process = new Process({ validate: () => [long, ...many] });
    process.passes(website(1));
    const message = process.status.conditions?.[0]?.message ?? '';
    expect(message).toBe(
      `${'\u{1F600}'.repeat(179)}…; spec.list[0]: bad; spec.list[1]: bad; spec.list[2]: bad; spec.list[3]: bad; and 5 more`,
    );
  });

  it.each<[string, () => never, string]>([
    [
      'throws',
      () => {
        throw new Error('boom');
      },
      'cannot validate Website default/blog: the validator threw: boom',
    ],
    [
      'returns a promise',
      () => Promise.resolve([]) as never,
      'cannot validate Website default/blog: the validator returned a promise; return a list of findings synchronously',
    ],
    [
      'returns nothing',
      () => undefined as never,
      'cannot validate Website default/blog: the validator returned undefined; return a list of findings synchronously',
    ],
  ])('throws if the validator %s, so that an unchecked object is not accepted', (_, validate, message) => {
    const process = new Process({ validate });
    expect(() => process.passes(website(1))).toThrow(message);
    expect([process.status, process.recorder.notes]).toEqual([{}, []]);
  });
});

function refused(): Process {
  const process = new Process();
  expect(process.passes(website(6))).toBe(false);
  return process;
}
