import { describeAnswer } from './describe-answer.ts';

describe('describeAnswer', () => {
  it('says of a token that is not accepted that it is to be renewed', () => {
    const body = JSON.stringify({ kind: 'Status', message: 'Unauthorized', code: 401 });
    expect(describeAnswer(401, body)).toBe(
      'the server answered 401: Unauthorized; it does not accept the credentials of the kubeconfig: renew its token or client certificate',
    );
  });

  it('says what a server says that was asked by http', () => {
    expect(describeAnswer(400, 'Client sent an HTTP request to an HTTPS server.\n')).toBe(
      'the server answered 400: Client sent an HTTP request to an HTTPS server; write https:// in the kubeconfig\'s "server"',
    );
  });

  it('says of one that may not that it may not, and of others no more than they say', () => {
    expect(describeAnswer(403, '{"message":"forbidden: no"}')).toBe(
      'the server answered 403: forbidden: no; this user may not read it',
    );
    expect(describeAnswer(502, '')).toBe('the server answered 502');
    expect(describeAnswer(502, 'x'.repeat(1000))).toHaveLength('the server answered 502: '.length + 300);
  });
});
