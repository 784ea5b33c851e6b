const longestText = 300;

/** Why a server did not answer what it was asked, and what to do, by the status and the text of its answer. */
export function describeAnswer(status: number, body: string): string {
  const said = messageIn(body);
  const answered = `the server answered ${status}${said === '' ? '' : `: ${said}`}`;
  if (status === 401) {
    return `${answered}; it does not accept the credentials of the kubeconfig: renew its token or client certificate`;
  }
  if (status === 403) return `${answered}; this user may not read it`;
  if (/HTTP request to an? (?:HTTPS|TLS)/i.test(body))
    return `${answered}; write https:// in the kubeconfig's "server"`;
  return answered;
}

/** What a Status says, or the text itself, in one line. */
function messageIn(body: string): string {
  let text = body;
  try {
    const { message } = JSON.parse(body) as { message?: unknown };
    if (typeof message === 'string') text = message;
  } catch {
    // No JSON: a proxy's words, or those of another server.
  }
  const line = text.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  return line.length > longestText ? `${line.slice(0, longestText - 1)}…` : line;
}
