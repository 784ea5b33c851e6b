import { apply } from './apply.ts';
import type { Benchmark } from './benchmark.ts';
import { bundle } from './bundle.ts';
import { catalog } from './catalog.ts';
import { conversion } from './conversion.ts';
import { definitions } from './definitions.ts';
import { evaluate } from './evaluate.ts';
import { generate } from './generate.ts';
import { informer } from './informer.ts';
import { lister } from './lister.ts';
import { migrate } from './migrate.ts';
import { quiet } from './quiet.ts';
import { reconcile } from './reconcile.ts';
import { reload } from './reload.ts';
import { requests } from './requests.ts';
import { server } from './server.ts';
import { start } from './start.ts';
import { typecheck } from './typecheck.ts';
import { webhook } from './webhook.ts';
import { workqueue } from './workqueue.ts';

export const benchmarks: readonly Benchmark[] = [
  start,
  reload,
  generate,
  typecheck,
  bundle,
  catalog,
  evaluate,
  definitions,
  conversion,
  informer,
  lister,
  workqueue,
  requests,
  server,
  reconcile,
  apply,
  migrate,
  quiet,
  webhook,
];
