import type { Narrator } from './narrator.ts';

/** Where a session reports what happens: a narrator, or the narrator of another process. */
export type Reports = Pick<Narrator, 'report' | 'renew' | 'quote'>;
