import { type Condition, Conditions, CustomResource, KubernetesObject, Spec, Status } from '@evenkeel/core';
import { Deployment } from '@evenkeel/kinds';
import { declaresConditions } from './declared-conditions.ts';

class WithConditions {
  @Conditions() conditions?: Condition[];
}

class Inherited extends WithConditions {}

class Plain {
  conditions?: Condition[];
}

@CustomResource({ group: 'web.example.com', version: 'v1' })
class Website extends KubernetesObject {
  @Status() status?: WithConditions;
}

@CustomResource({ group: 'web.example.com', version: 'v1' })
class Blog extends KubernetesObject {
  @Status() status!: Inherited;
}

@CustomResource({ group: 'web.example.com', version: 'v1' })
class Page extends KubernetesObject {
  @Status() status!: Plain;
}

@CustomResource({ group: 'web.example.com', version: 'v1' })
class Loose extends KubernetesObject {
  @Status() status!: Record<string, unknown>;
}

@CustomResource({ group: 'web.example.com', version: 'v1' })
class Misplaced extends KubernetesObject {
  @Spec() spec!: WithConditions;
}

describe('declaresConditions()', () => {
  it.each([Website, Blog])('is true if the class of the status or a base class declares conditions', (kind) => {
    expect(declaresConditions(kind)).toBe(true);
  });

  it.each([Page, Loose, Misplaced])('is "unsaid" for any other custom kind', (kind) => {
    expect(declaresConditions(kind)).toBe('unsaid');
  });

  it('is false for a built-in kind', () => {
    expect(declaresConditions(Deployment)).toBe(false);
  });
});
