// The program of the process that loads the user's modules. It processes one request and is then killed, because the
// modules may have started something that never ends.
import { enableCompileCache, flushCompileCache } from 'node:module';
import type { GenerationMessage, GenerationRequest } from './generation.ts';

const [, , compileCache = '', parent = ''] = process.argv;
if (compileCache !== '') enableCompileCache(compileCache);

const send = (message: GenerationMessage) => process.send?.(message);

const parts = await Promise.all([
  import('../load/exit-trap.ts'),
  import('../load/module-loader.ts'),
  import('./generate-project.ts'),
  import('../load/parent-watch.ts'),
]).catch((error: unknown) => {
  const { code, message = '' } = error as { code?: string; message?: string };
  const missing = /^Cannot find package '([^']+)'/.exec(message)?.[1];
  if (code !== 'ERR_MODULE_NOT_FOUND' || missing === undefined) throw error;
  send({ says: 'incomplete', missing });
});
// Now, before the user's modules load, and while nothing waits for it: nearly all cached code is of packages.
flushCompileCache();

if (parts !== undefined) {
  const [{ trapExit }, { ModuleLoader }, { generateProject }, { endWithParent }] = parts;
  // Before the user's modules load, because they may loop.
  endWithParent(Number(parent));
  // Also keeps the channel, and so this process, open until a request arrives.
  process.once('message', async (request: GenerationRequest) => {
    const loader = new ModuleLoader(request.folder);
    let doing = '';
    trapExit({
      onUnhandled: (error) => loader.fail(error),
      onIdle: () => send({ says: 'idle', doing }),
    });
    const progress = (next: string) => {
      doing = next;
      send({ says: 'progress', doing });
    };
    try {
      send({ says: 'answer', answer: await generateProject(request, loader, progress) });
    } catch (error) {
      const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
      send({ says: 'failed', doing, message, stack });
    }
  });
  send({ says: 'ready' });
}
