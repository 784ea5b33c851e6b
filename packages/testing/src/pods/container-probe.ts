import { request as requestHttps } from 'node:https';
import { connect } from 'node:net';
import type { Container } from '@evenkeel/kinds';
import type { ExecAction, HTTPGetAction } from '@evenkeel/kinds/core/v1';

/** One action of a probe or a hook. */
export interface ProbeAction {
  readonly exec?: ExecAction;
  readonly httpGet?: HTTPGetAction;
  readonly tcpSocket?: { readonly host?: string; readonly port: number | string };
  /** Only whether the port accepts connections. */
  readonly grpc?: { readonly port: number };
}

export interface ProbeTarget {
  readonly container: Container;
  readonly podIP: string;
  /** Runs a command in the container; resolves to its exit code. */
  readonly exec: (command: readonly string[], signal: AbortSignal) => Promise<number>;
}

/** Performs an action. Resolves to the failure, or undefined if it succeeded. Never rejects. */
export async function probe(
  action: ProbeAction,
  target: ProbeTarget,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    if (action.exec !== undefined) {
      const exitCode = await target.exec(action.exec.command ?? [], signal);
      return exitCode === 0 ? undefined : `the command exited with code ${exitCode}`;
    }
    if (action.httpGet !== undefined) return await httpGet(action.httpGet, target, signal);
    const { host = target.podIP, port } = action.tcpSocket ?? { ...action.grpc, port: action.grpc?.port ?? 0 };
    await opened(host, portNumber(port, target.container), signal);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function httpGet(
  { host, path = '/', port, scheme = 'HTTP', httpHeaders = [] }: HTTPGetAction,
  { podIP, container }: ProbeTarget,
  signal: AbortSignal,
): Promise<string | undefined> {
  // Loaded by name, because an import statement would also load undici.
  const request = scheme === 'HTTPS' ? requestHttps : process.getBuiltinModule('node:http').request;
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: host ?? podIP,
        path,
        port: portNumber(port, container),
        headers: Object.fromEntries(httpHeaders.map(({ name, value }) => [name, value])),
        // As the kubelet, which does not know the authority of the container.
        rejectUnauthorized: false,
        agent: false,
        signal,
      },
      (response) => {
        const { statusCode = 0 } = response;
        response.destroy();
        resolve(statusCode >= 200 && statusCode < 400 ? undefined : `HTTP probe failed with statuscode: ${statusCode}`);
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}

function opened(host: string, port: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, signal });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
  });
}

function portNumber(port: number | string, { ports = [], name }: Container): number {
  if (typeof port === 'number') return port;
  const found = ports.find((candidate) => candidate.name === port)?.containerPort ?? Number(port);
  if (Number.isInteger(found)) return found;
  throw new Error(`the container "${name}" has no port "${port}"`);
}
