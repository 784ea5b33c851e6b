import type { AnyClass } from '@evenkeel/core';
import type { InjectionPlan, ListerRequest } from './injection.ts';
import type { BoundModules } from './inversify-modules.ts';
import type { LifeCycle } from './life-cycle.ts';

/** What the values of controllers and services are made of. */
export interface WiringContents {
  /** How everything is made. It has no mistakes. */
  readonly plan: InjectionPlan;
  /** The values that the manager provides, by their class, such as Client, Logger, Clock and EventRecorder. */
  readonly values: ReadonlyMap<AnyClass, unknown>;
  /** The loaded modules of inversify; undefined if there are none. */
  readonly modules: BoundModules | undefined;
  readonly listerFor: (request: ListerRequest) => unknown;
  readonly lifeCycle: LifeCycle;
}
