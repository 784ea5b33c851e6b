import type { Agent, AgentOptions, RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import type { ConnectionOptions } from 'node:tls';
import { node } from './node-http.ts';

/** The same limit as for a connection without a proxy. */
const connectTimeoutMs = 30_000;

/**
 * Returns an agent whose connections are tunnelled through an HTTP proxy by CONNECT. It sends the credentials of the
 * proxy's URL to the proxy.
 */
export function proxyAgent(proxy: URL, agentOptions: AgentOptions): Agent {
  const agent = new node.https.Agent(agentOptions);
  agent.createConnection = (
    options: RequestOptions,
    connected?: (error: Error | null, stream: Duplex) => void,
  ): undefined => {
    const target = `${options.host}:${options.port}`;
    const { hostname, port, username, password } = proxy;
    const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
    const failed = (error: Error): void => connected?.(error, undefined as unknown as Duplex);
    const request = node.http.request({
      host: hostname,
      port: port === '' ? 80 : port,
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...(username === '' ? {} : { 'proxy-authorization': `Basic ${login}` }) },
      agent: false,
    });
    const timedOut = Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' });
    request.setTimeout(connectTimeoutMs, () => request.destroy(timedOut));
    request.once('error', failed);
    request.once('connect', (response, socket) => {
      socket.setTimeout(0);
      if (response.statusCode !== 200) {
        socket.destroy();
        failed(new Error(`the proxy ${hostname} did not connect to ${target}: ${response.statusCode}`));
        return;
      }
      // An import statement would read all exports of the module, which would create the list of root certificates.
      const secure = process.getBuiltinModule('node:tls').connect({ ...(options as ConnectionOptions), socket });
      secure.once('error', failed);
      secure.once('secureConnect', () => {
        secure.off('error', failed);
        connected?.(null, secure);
      });
    });
    request.end();
    return undefined;
  };
  return agent;
}
