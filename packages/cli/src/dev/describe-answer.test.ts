import { describeAnswer } from './describe-answer.ts';

describe('describeAnswer', () => {
  it('asks to renew the credentials after a 401', () => {
    const body = JSON.stringify({ kind: 'Status', message: 'Unauthorized', code: 401 });
    expect(describeAnswer(401, body)).toBe(
      'the server responded with 401: Unauthorized; it rejects the credentials of the kubeconfig; renew its token or client certificate',
    );
  });

  it('names the https scheme for an HTTP request to an HTTPS server', () => {
    expect(describeAnswer(400, 'Client sent an HTTP request to an HTTPS server.\n')).toBe(
      'the server responded with 400: Client sent an HTTP request to an HTTPS server; write https:// in the kubeconfig\'s "server"',
    );
  });

  it('reports a missing permission for a 403, and only the response for other statuses', () => {
    expect(describeAnswer(403, '{"message":"forbidden: no"}')).toBe(
      'the server responded with 403: forbidden: no; this user has no permission to read it',
    );
    expect(describeAnswer(502, '')).toBe('the server responded with 502');
    expect(describeAnswer(502, 'x'.repeat(1000))).toHaveLength('the server responded with 502: '.length + 300);
  });
});
