import { recordOfMember } from '../declarations/class-declarations.ts';
import type { Duration } from '../time/duration.ts';

export interface ReconcileOptions {
  /** How many objects are reconciled at once; one object never twice. Default 1. */
  maxConcurrent?: number;
  /** After this the context's signal is aborted; key and worker stay taken until the promise settles. Default: none. */
  timeout?: Duration;
}

export interface ReconcileDeclaration extends ReconcileOptions {
  readonly method: string;
}

/** Marks the method that brings the world nearer to what an object asks for. It may run at any time, and again. */
export function Reconcile(options: ReconcileOptions = {}): (target: object, method: string) => void {
  return (target, method) => {
    recordOfMember(target).reconciles.push({ ...options, method });
  };
}
