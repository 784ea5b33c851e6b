import { type ConcreteClass, Controller, Inject, ListerOf, Reconcile, token } from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import { ContainerModule, inject, injectable, multiInject, named, preDestroy } from 'inversify';
import { controllerFor } from '../builder/controller-for.ts';
import { provider } from '../builder/provider.ts';
import type { Lister } from '../cache/index.ts';
import { mistakeOf, unconnectedManager } from '../manager/unconnected-manager.fixture.ts';
import { ReconcileContext } from '../reconcile/reconcile-context.ts';

const strength = token<number>('strength');

abstract class Weapon {
  abstract hit(): string;
}

const armoury = Symbol.for('armoury');
let made: unknown[];
let events: string[];

beforeEach(() => {
  made = [];
  events = [];
});

@injectable()
class Katana extends Weapon {
  constructor(@inject(strength) readonly power: number) {
    super();
  }
  hit(): string {
    return `cut ${this.power}`;
  }
  @preDestroy() async sheathe(): Promise<void> {
    events.push('sheathed');
  }
}

@Controller(ConfigMap)
class Warrior {
  constructor(weapon: Weapon, @Inject(strength) force: number) {
    made.push(weapon, force);
  }
  @Reconcile() reconcile(): void {}
  @preDestroy() retire(): void {
    events.push('retired');
  }
}

describe('a module of inversify in services', () => {
  const weapons = new ContainerModule(({ bind }) => {
    bind(Weapon).to(Katana).inSingletonScope();
  });
  const force = provider({ provide: strength, useFactory: async () => 7, dispose: () => void events.push('weak') });

  it('provides what it binds, gets what the manager provides, and ends in the reverse order', async () => {
    const manager = await unconnectedManager([Warrior], { services: [weapons, force] });
    expect(made).toEqual([expect.any(Katana), 7]);
    expect((made[0] as Katana).hit()).toBe('cut 7');
    await manager.stop();
    expect(events).toEqual(['retired', 'sheathed', 'weak']);
  });

  it('is taken whole: asynchronous modules, names, lists, activations and scopes mean the same as in inversify', async () => {
    const module = new ContainerModule(async ({ bind, onActivation, onDeactivation }) => {
      await Promise.resolve();
      bind<string>(armoury).toConstantValue('north').whenNamed('north');
      bind<string>(armoury).toConstantValue('south').whenNamed('south');
      bind(strength)
        .toDynamicValue(async () => 3)
        .inSingletonScope();
      bind(Weapon).to(Katana);
      onActivation<number>(strength, (_context, value) => value + 1);
      onDeactivation<number>(strength, async (value) => void events.push(`strength ${value} ended`));
    });
    @injectable()
    class Keeper {
      constructor(
        @inject(armoury) @named('south') readonly south: string,
        @multiInject(armoury) readonly all: string[],
        @inject(Weapon) readonly one: Weapon,
        @inject(Weapon) readonly other: Weapon,
      ) {}
    }
    const controller = controllerFor(ConfigMap)
      .inject({ keeper: Keeper, strength })
      .reconcile(() => {});
    @Controller(ConfigMap, { name: 'seen' })
    class Seen {
      constructor(readonly keeper: Keeper) {
        made.push(keeper);
      }
      @Reconcile() reconcile(): void {}
    }
    const manager = await unconnectedManager([controller, Seen], { services: [module, Keeper] });
    expect(made).toEqual([expect.objectContaining({ south: 'south' })]);
    const [keeper] = made as [Keeper];
    expect(keeper.one).not.toBe(keeper.other);
    expect((keeper.one as Katana).power).toBe(4);
    await manager.stop();
    expect(events).toEqual(['strength 4 ended']);
  });

  it('creates classes with @Inject of Evenkeel, also beside names of inversify', async () => {
    @injectable()
    class Bow extends Weapon {
      constructor(@Inject(() => strength) readonly power: number) {
        super();
      }
      hit(): string {
        return `shot ${this.power}`;
      }
    }
    @injectable()
    class Archer {
      constructor(
        @Inject(strength) readonly force: number,
        @inject(armoury) @named('south') readonly home: string,
        @inject(Bow) readonly bow: Bow,
      ) {
        made.push(`${force} ${home} ${bow.hit()}`);
      }
    }
    const module = new ContainerModule(({ bind }) => {
      bind(Weapon).to(Bow);
      bind(Bow).toSelf();
      bind(armoury).toConstantValue('south').whenNamed('south');
    });
    const controller = controllerFor(ConfigMap)
      .inject({ archer: Archer, weapon: Weapon })
      .reconcile(() => {});
    await unconnectedManager([controller], { services: [module, Archer, force] });
    expect(made).toEqual(['7 south shot 7']);
  });

  it('can be replaced by an override, and its binding is not used', async () => {
    const fake: Weapon = { hit: () => 'tickle' };
    await unconnectedManager([Warrior], {
      services: [weapons, force],
      overrides: [{ provide: Weapon, useValue: fake }],
    });
    expect(made).toEqual([fake, 7]);
  });

  it('replaces a class in the list', async () => {
    const module = new ContainerModule(({ bind }) => {
      bind(Katana).toConstantValue(new Katana(9));
    });
    @Controller(ConfigMap)
    class Owner {
      constructor(readonly katana: Katana) {
        made.push(katana.power);
      }
      @Reconcile() reconcile(): void {}
    }
    await unconnectedManager([Owner], { services: [Katana, module, force] });
    expect(made).toEqual([9]);
  });

  it('must not provide the same as a provider', async () => {
    const both = provider({ provide: Weapon, useClass: Katana });
    const { code, message } = await mistakeOf([Warrior], { services: [weapons, both, force] });
    expect([code, message.replace(/\(\/.*?\)/, '(PLACE)')]).toEqual([
      'duplicate-provider',
      'the provider of Weapon (PLACE): an inversify module in `services` binds it too; remove one of them',
    ]);
  });

  it('does not hide a missing provider', async () => {
    expect(await mistakeOf([Warrior], { services: [new ContainerModule(() => {})] })).toMatchObject({
      code: 'parameter-not-injectable',
      message: expect.stringMatching(/^Warrior: parameter 1 of its constructor is a Weapon, which is not provided;/),
    });
  });

  it('is named if it fails while it is loaded', async () => {
    const broken = new ContainerModule(() => {
      throw new Error('no such file');
    });
    expect(await mistakeOf([], { services: [weapons, broken] })).toEqual({
      code: 'invalid-provider',
      message:
        'inversify module 2 of 2 in `services` failed while it was loaded: no such file; fix the function of the module',
    });
  });

  it('cannot give a value of a run to what is created once', async () => {
    @injectable()
    class Early {
      constructor(@inject(ReconcileContext) readonly context: unknown) {}
    }
    const module = new ContainerModule(({ bind }) => {
      bind(Weapon).to(Early as unknown as ConcreteClass<Weapon>);
    });
    const { code, message } = await mistakeOf([Warrior], { services: [module, force] });
    expect([code, message]).toEqual([
      'class-not-constructible',
      expect.stringMatching(/^Warrior could not be created: .*ReconcileContext exists only during a run/s),
    ]);
  });

  it('cannot be combined with @ListerOf in a class that needs names of inversify', async () => {
    @injectable()
    class Mixed {
      constructor(
        @ListerOf(ConfigMap) readonly maps: Lister<ConfigMap>,
        @inject(armoury) @named('south') readonly south: string,
      ) {}
    }
    expect((await mistakeOf([Warrior], { services: [weapons, force, Mixed] })).message).toBe(
      'Mixed: parameter 1 of its constructor has @ListerOf, and the class uses names, tags, optional or injected properties of inversify, which cannot be combined; move the lister to another service',
    );
  });
});
