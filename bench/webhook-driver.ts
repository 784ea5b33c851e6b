import { node, type Report, reports } from './run-program.ts';
import type { WebhookServer } from './webhook-servers.ts';

/** How much is measured. */
export interface WebhookLoad {
  readonly rounds: number;
  /** The validating calls of a round. */
  readonly calls: number;
  readonly inFlight: number;
  /** The objects of a conversion. */
  readonly objects: number;
  /** The conversions of a round. */
  readonly conversions: number;
}

/** What bench/programs/drive.mjs sends. */
export interface DrivenRequest {
  readonly request: 'admission' | 'conversion' | 'create' | 'list';
  readonly calls: number;
  readonly inFlight: number;
  readonly objects?: number;
}

/** An API server, or a webhook server without one. */
export type DriveTarget = { readonly kubeconfig: string } | Pick<WebhookServer, 'url' | 'caFile'>;

/** Sends requests from another process. Adds the processor time that the webhook server needs for each, in microseconds. */
export function drive(target: DriveTarget, sent: DrivenRequest, server?: WebhookServer): Report {
  const cpuMs = server?.cpuMs() ?? 0;
  const [measured = {}] = reports(node, ['bench/programs/drive.mjs', JSON.stringify({ ...target, ...sent })]);
  if (server === undefined) return measured;
  const { sent: requests = Number.NaN } = measured;
  return { ...measured, cpuUs: ((server.cpuMs() - cpuMs) * 1000) / requests };
}
