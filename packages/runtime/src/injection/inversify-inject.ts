import { type AnyClass, ownDeclarationsOf, resolveService } from '@evenkeel/core';
import { inject, type ServiceIdentifier } from 'inversify';

/** The classes whose `@Inject` inversify knows. */
const told = new WeakSet<AnyClass>();

/** Tells inversify what `@Inject` says about the constructor of a class that it is going to create. */
export function tellInversify(target: AnyClass): void {
  if (told.has(target)) return;
  told.add(target);
  for (const { service, method, parameter } of ownDeclarationsOf(target)?.injects ?? []) {
    if (method === undefined) inject(resolveService(service) as ServiceIdentifier)(target, undefined, parameter);
  }
}
