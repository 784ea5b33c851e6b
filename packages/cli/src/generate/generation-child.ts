// The program of the process that loads the user's modules. It answers one request and is then killed: what the modules
// started may never end by itself.
import { enableCompileCache, flushCompileCache } from 'node:module';
import type { GenerationMessage, GenerationRequest } from './generation.ts';

const [, , compileCache = ''] = process.argv;
if (compileCache !== '') enableCompileCache(compileCache);

const { guardProcess } = await import('../load/process-guard.ts');
const { ModuleLoader } = await import('../load/module-loader.ts');
const { generateProject } = await import('./generate-project.ts');
// Before the user's modules come, and for nobody to wait for after: nearly all of it is packages.
flushCompileCache();

const send = (message: GenerationMessage) => process.send?.(message);

// Also keeps the channel, and with it this process, until a request comes.
process.once('message', async (request: GenerationRequest) => {
  const loader = new ModuleLoader(request.folder);
  let doing = '';
  guardProcess({
    onUnhandled: (error) => loader.fail(error),
    onIdle: () => send({ says: 'idle', doing }),
  });
  const answer = await generateProject(request, loader, (next) => {
    doing = next;
    send({ says: 'progress', doing });
  });
  send({ says: 'answer', answer });
});
send({ says: 'ready' });
