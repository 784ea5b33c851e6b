export { type AddOptions, Workqueue, type WorkqueueObserver, type WorkqueueOptions } from './workqueue.ts';
