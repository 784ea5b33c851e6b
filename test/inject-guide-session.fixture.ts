import { Controller, Inject, provider, Reconcile, ReconcileContext, token } from 'evenkeel';
import { Site } from './inject-guide.fixture.ts';
import { pool } from './inject-guide-pool.fixture.ts';

export interface Session {
  lookUp(host: string): Promise<string | undefined>;
}

export const session = token<Session>('session');

export const sessions = provider({
  provide: session,
  scope: 'run',
  inject: [ReconcileContext, pool],
  useFactory: (context, connected): Session => ({
    lookUp: async (host) => {
      context.logger.debug('looks up', { host });
      return connected.query(host);
    },
  }),
});

@Controller(Site, { name: 'look-up', wholeCluster: true })
export class LookUpController {
  @Reconcile()
  async reconcile({ spec, status }: Site, _context: ReconcileContext, @Inject(session) current: Session) {
    const found = await current.lookUp(spec.host);
    if (found !== undefined) status.record = found;
  }
}
