import { connect } from 'node:tls';

export interface RawAnswer {
  /** The status and its text, without the version; empty if the server closed the connection without a response. */
  readonly status: string;
  readonly contentType: string;
  readonly warning: string;
  readonly body: string;
}

/** Sends bytes over TLS, and reads one response. */
export function sendRaw(port: number, bytes: string): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] });
    let text = '';
    const finish = (): void => {
      socket.destroy();
      resolve(answerOf(text));
    };
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      if (isComplete(text, bytes.startsWith('HEAD '))) finish();
    });
    socket.on('end', finish).on('error', finish).on('close', finish);
    socket.write(Buffer.from(bytes, 'latin1'));
  });
}

function isComplete(text: string, headOnly: boolean): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return false;
  if (headOnly) return true;
  const head = text.slice(0, end);
  const length = headerOf(head, 'content-length');
  if (length !== '') return text.length - end - 4 >= Number(length);
  return headerOf(head, 'transfer-encoding') === 'chunked' && text.endsWith('\r\n0\r\n\r\n');
}

function answerOf(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const head = end < 0 ? text : text.slice(0, end);
  const body = end < 0 ? '' : text.slice(end + 4);
  const isChunked = headerOf(head, 'transfer-encoding') === 'chunked';
  return {
    status: head.split('\r\n')[0]?.replace(/^HTTP\/1\.\d /, '') ?? '',
    contentType: headerOf(head, 'content-type'),
    warning: headerOf(head, 'warning'),
    body: isChunked ? joinedChunks(body) : body,
  };
}

function headerOf(head: string, name: string): string {
  return new RegExp(`^${name}: *([^\\r]*)`, 'im').exec(head)?.[1] ?? '';
}

function joinedChunks(body: string): string {
  let joined = '';
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf('\r\n', at);
    const length = Number.parseInt(body.slice(at, end), 16);
    if (end < 0 || !(length > 0)) break;
    joined += body.slice(end + 2, end + 2 + length);
    at = end + 4 + length;
  }
  return joined;
}
