const longestText = 300;

/** Describes an error response of a server and its fix, from the response's status and body. */
export function describeAnswer(status: number, body: string): string {
  const said = messageIn(body);
  const answered = `the server responded with ${status}${said === '' ? '' : `: ${said}`}`;
  if (status === 401) {
    return `${answered}; it rejects the credentials of the kubeconfig; renew its token or client certificate`;
  }
  if (status === 403) return `${answered}; this user has no permission to read it`;
  if (/HTTP request to an? (?:HTTPS|TLS)/i.test(body))
    return `${answered}; write https:// in the kubeconfig's "server"`;
  return answered;
}

/** Returns the message of a Status, or the body itself, in one line. */
function messageIn(body: string): string {
  let text = body;
  try {
    const { message } = JSON.parse(body) as { message?: unknown };
    if (typeof message === 'string') text = message;
  } catch {
    // Not JSON: the message of a proxy or of another kind of server.
  }
  const line = text.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  return line.length > longestText ? `${line.slice(0, longestText - 1)}…` : line;
}
