import { eventually } from '@evenkeel/testing';

interface Script {
  readonly scriptId: string;
  readonly url: string;
}

/** A client of the inspector protocol, as debuggers use it: https://chromedevtools.github.io/devtools-protocol/v8/Debugger */
export class DebuggerClient {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (result: unknown) => void>();
  readonly #scripts: Script[] = [];
  #lastId = 0;
  /** The functions at which the process has paused. */
  readonly paused: string[] = [];

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data))));
  }

  /** Connects to the process that listens at a port now. Waits for one. */
  static async attach(port: number): Promise<DebuggerClient> {
    const url = await eventually(async () => {
      const response = await fetch(`http://127.0.0.1:${port}/json/list`);
      const [target] = (await response.json()) as { webSocketDebuggerUrl: string }[];
      if (target === undefined) throw new Error('no target');
      return target.webSocketDebuggerUrl;
    });
    const socket = new WebSocket(url);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', reject);
    });
    const client = new DebuggerClient(socket);
    await client.send('Debugger.enable');
    return client;
  }

  async send(method: string, params: object = {}): Promise<unknown> {
    const id = ++this.#lastId;
    const result = new Promise<unknown>((resolve) => this.#waiting.set(id, resolve));
    this.#socket.send(JSON.stringify({ id, method, params }));
    return await result;
  }

  /** Sets a breakpoint by URL at the first line of a module that contains `text`. */
  async breakAt(module: string, text: string): Promise<void> {
    const script = await eventually(() => {
      const found = this.#scripts.find(({ url }) => url.endsWith(module));
      if (found === undefined) throw new Error(`${module} is not loaded`);
      return found;
    });
    const { scriptId, url } = script;
    const { scriptSource } = (await this.send('Debugger.getScriptSource', { scriptId })) as { scriptSource: string };
    const lineNumber = scriptSource.split('\n').findIndex((line) => line.includes(text));
    await this.send('Debugger.setBreakpointByUrl', { url, lineNumber });
  }

  async pauses(): Promise<void> {
    await eventually(() => {
      if (this.paused.length === 0) throw new Error('not paused');
    });
    this.paused.splice(0);
  }

  close(): void {
    this.#socket.close();
  }

  #receive(message: { id?: number; result?: unknown; method?: string; params?: unknown }): void {
    if (message.id !== undefined) this.#waiting.get(message.id)?.(message.result);
    if (message.method === 'Debugger.scriptParsed') this.#scripts.push(message.params as Script);
    if (message.method === 'Debugger.paused') {
      const { callFrames } = message.params as { callFrames: { functionName: string }[] };
      this.paused.push(callFrames[0]?.functionName ?? '');
    }
  }
}
