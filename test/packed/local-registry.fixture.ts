import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../imports.fixture.ts';

const { EVENKEEL_PACKED } = process.env;
const packedBefore = EVENKEEL_PACKED === undefined ? [] : [EVENKEEL_PACKED];

/** The registry that `npm run registry` starts, with the packages of this checkout. */
export class LocalRegistry {
  /** The command that lets npm use it. */
  readonly setting: string;
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess, setting: string) {
    this.#process = process;
    this.setting = setting;
  }

  /**
   * @param folders with the tarballs of versions, the newest last. Default: those of this checkout.
   * @param upstream the registry of all other packages. Default: that of npm's settings.
   * @param port Default: any free port.
   */
  static async start(
    folders: readonly string[] = packedBefore,
    { upstream, port = '0' }: { readonly upstream?: string; readonly port?: string } = {},
  ): Promise<LocalRegistry> {
    const tarballs = folders.flatMap((folder) => ['--tarballs', folder]);
    const program = [join(root, 'scripts/registry.mjs'), '--port', port, ...tarballs];
    const env = { ...process.env, ...(upstream === undefined ? {} : { npm_config_registry: upstream }) };
    const child = spawn(process.execPath, program, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const line of createInterface({ input: child.stdout })) {
      const [, setting] = /^use it with: (.*)$/.exec(line) ?? [];
      if (setting !== undefined) return new LocalRegistry(child, setting);
    }
    throw new Error('the registry has exited; see its output above');
  }

  get url(): string {
    return this.setting.split('=')[1] ?? '';
  }

  async stop(): Promise<void> {
    const exited = once(this.#process, 'exit');
    this.#process.kill();
    await exited;
  }
}
