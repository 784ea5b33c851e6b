export type { RateLimit } from './rate-limit.ts';
export { type AddOptions, Workqueue, type WorkqueueObserver, type WorkqueueOptions } from './workqueue.ts';
