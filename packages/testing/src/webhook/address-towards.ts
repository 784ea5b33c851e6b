import { connect } from 'node:net';

const withinMs = 5000;

/** Returns the address of this machine from which a server is reached, as the server is most likely to see it. */
export function addressTowards(server: string): Promise<string> {
  const { protocol, hostname, port } = new URL(server);
  const usualPort = protocol === 'http:' ? 80 : 443;
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? usualPort : Number(port),
      timeout: withinMs,
    });
    socket.once('connect', () => {
      const { localAddress = '127.0.0.1' } = socket;
      socket.destroy();
      resolve(localAddress.replace(/^::ffff:/, ''));
    });
    socket.once('timeout', () => socket.destroy(new Error(`${server} does not respond`)));
    socket.once('error', reject);
  });
}
