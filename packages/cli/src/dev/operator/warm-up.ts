import { randomUUID } from 'node:crypto';
import { mkdir, realpath, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import { SystemClock } from '@evenkeel/core';
import { Namespace } from '@evenkeel/kinds';
import { createManager } from '@evenkeel/runtime';
import { loadProject } from '../../generate/load-project.ts';
import { ModuleLoader } from '../../load/module-loader.ts';
import type { WarmUpRequest } from './operator-contract.ts';

/**
 * Executes the code of a load and a start of an operator with a small built-in project. It loads the parts of the framework that
 * are loaded on demand, and V8 compiles them. This halves the time of a reload. It changes nothing on the API server.
 */
export async function warmUp({ folder, kubeconfig }: WarmUpRequest): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(files())) await writeWhole(join(folder, name), text);
  const loader = new ModuleLoader(folder);
  try {
    const configPath = join(await realpath(folder), 'evenkeel.config.ts');
    await loadProject({ configPath, folder }, loader, () => undefined);
  } finally {
    loader.close();
  }
  const clock = new SystemClock();
  const transport = httpsTransport(await loadConnection({ kubeconfig, clock }));
  try {
    await createClient(transport, { clock }).list(Namespace, { limit: 1 });
    await createManager({ controllers: [], transport, clock });
  } finally {
    await transport.close();
  }
}

/** Another process that reads the file never sees a part of it. */
async function writeWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, text);
  await rename(draft, path);
}

/** The modules find packages by their addresses, which do not depend on the folder. */
function files(): Readonly<Record<string, string>> {
  const core = JSON.stringify(import.meta.resolve('@evenkeel/core'));
  const runtime = JSON.stringify(import.meta.resolve('@evenkeel/runtime'));
  const fields = ['one', 'two', 'three', 'four'];
  const kinds = ['First', 'Second', 'Third'];
  return {
    'evenkeel.config.ts': `export default { apis: ['./kinds.ts'], operator: './operator.ts' };\n`,
    'kinds.ts': `import { type Condition, Conditions, CustomResource, KubernetesObject, Spec, Status } from ${core};
${kinds
  .map(
    (kind) => `
export class ${kind}Part { ${fields.map((name) => `${name} = 1; ${name}Text?: string;`).join(' ')} }
export class ${kind}Spec {
  ${fields.map((name) => `/** ${name} */ ${name}?: string; ${name}Flag = false; ${name}Parts?: Record<string, string>;`).join(' ')}
  mode: 'a' | 'b' = 'a';
  part?: ${kind}Part;
}
export class ${kind}Status { @Conditions() conditions?: Condition[]; }
@CustomResource({ group: 'warm-up.example.com', version: 'v1' })
export class ${kind} extends KubernetesObject { @Spec() spec!: ${kind}Spec; @Status() status!: ${kind}Status; }`,
  )
  .join('\n')}
`,
    'operator.ts': `import { Controller, Reconcile } from ${core};
import { defineOperator } from ${runtime};
import { ${kinds.join(', ')} } from './kinds.ts';
${kinds.map((kind) => `@Controller(${kind}) class ${kind}Controller { @Reconcile() async reconcile(object: ${kind}): Promise<void> {} }`).join('\n')}
export const operator = defineOperator({ name: 'warm-up', controllers: [${kinds.map((kind) => `${kind}Controller`).join(', ')}] });
`,
  };
}
