import { type AnyClass, type ConcreteClass, EvenkeelError, type Transport } from '@evenkeel/core';
import type { ManagerOptions } from '../options/manager-options.ts';
import { createManager, type Manager } from './manager.ts';

const unreachable: Transport = {
  request: () => Promise.reject(new Error('nothing may be sent')),
  close: async () => {},
};

/** A manager without a server, for tests of mistakes that are found before the first request. */
export function unconnectedManager(
  controllers: readonly AnyClass[],
  options: Partial<ManagerOptions> = {},
): Promise<Manager> {
  return createManager({ controllers: controllers as ConcreteClass[], transport: unreachable, ...options });
}

/** The mistake with which {@link unconnectedManager} rejects. */
export async function mistakeOf(
  controllers: readonly AnyClass[],
  options: Partial<ManagerOptions> = {},
): Promise<{ code: string; message: string }> {
  const error: unknown = await unconnectedManager(controllers, options).catch((caught: unknown) => caught);
  if (!(error instanceof EvenkeelError)) throw new Error(`no mistake was found: ${String(error)}`);
  return { code: error.code, message: error.message };
}
