import { connect } from 'node:net';
import type { KubernetesObject } from '@evenkeel/core';
import { addressAnnotation } from './session-mark.ts';

const connectWithinMs = 2000;

/** Returns a function that reports whether the process that has marked an object was killed. It connects to each address only once. */
export function abandonmentCheck(): (marked: Pick<KubernetesObject, 'metadata'>) => Promise<boolean> {
  const refusals = new Map<string, Promise<boolean>>();
  return ({ metadata }) => {
    const address = metadata.annotations?.[addressAnnotation] ?? '';
    const known = refusals.get(address) ?? isRefused(address);
    refusals.set(address, known);
    return known;
  };
}

/** Whether nothing listens at a URL. False if that is unknown. */
async function isRefused(address: string): Promise<boolean> {
  const url = URL.parse(address);
  if (url === null || url.port === '') return false;
  return await new Promise((resolve) => {
    const socket = connect({
      ...{ host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port), timeout: connectWithinMs },
    });
    const end = (isRefused: boolean): void => {
      socket.destroy();
      resolve(isRefused);
    };
    socket.once('connect', () => end(false));
    socket.once('timeout', () => end(false));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code === 'ECONNREFUSED'));
  });
}
