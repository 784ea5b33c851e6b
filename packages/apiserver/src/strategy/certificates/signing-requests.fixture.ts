import { get, merge, post, put, type RequestScript, type ScriptedRequest } from '../../scripted-request.fixture.ts';

const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const rbac = '/apis/rbac.authorization.k8s.io/v1';

/** A request for the user `jane` in the groups `team` and `dev`, and the key with which it is signed. */
export const janesRequest = `-----BEGIN CERTIFICATE REQUEST-----
MIHnMIGOAgEAMCwxDTALBgNVBAoMBHRlYW0xDDAKBgNVBAoMA2RldjENMAsGA1UE
AwwEamFuZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABC2PuPO/SdokYJZssgbZ
5ZPIVtXpa9p34aE9z8yVNG+Rw5djSAW42El41MGMsB1R1wklQJ6DuW2VTej0EqPP
30GgADAKBggqhkjOPQQDAgNIADBFAiEAtfOJCsC2UJe3Nx/hgVS2PxjY0t9pfnAN
NXWsLx6Ac0sCIGl+Db4BTWOeQsE7TsLBN3CWzMm/cZBeYeBozFcdBjgm
-----END CERTIFICATE REQUEST-----
`;
export const janesKey = `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIARF/CNJaC804SuwsLt1cgebqOo7VnRNS1vF2CQFMLtzoAoGCCqGSM49
AwEHoUQDQgAELY+4879J2iRglmyyBtnlk8hW1elr2nfhoT3PzJU0b5HDl2NIBbjY
SXjUwYywHVHXCSVAnoO5bZVN6PQSo8/fQQ==
-----END EC PRIVATE KEY-----
`;

/** A request of the same key for the user `root` in the group `system:masters`. */
const rootsRequest = `-----BEGIN CERTIFICATE REQUEST-----
MIHjMIGKAgEAMCgxFzAVBgNVBAoMDnN5c3RlbTptYXN0ZXJzMQ0wCwYDVQQDDARy
b290MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAELY+4879J2iRglmyyBtnlk8hW
1elr2nfhoT3PzJU0b5HDl2NIBbjYSXjUwYywHVHXCSVAnoO5bZVN6PQSo8/fQaAA
MAoGCCqGSM49BAMCA0gAMEUCIDxiufq5jDfENA+1dNOyE9Yt/UO9m2H0fIRHXPJG
FbigAiEAjFjgrn18moZA+sdBunExw5wtU/LbU2dF8kffeegxkO0=
-----END CERTIFICATE REQUEST-----
`;
const certificate = `-----BEGIN CERTIFICATE-----
MIIDBTCCAe2gAwIBAgIUQemoSw1/k0r2E8emzHKtCYOmnSwwDQYJKoZIhvcNAQEL
BQAwEjEQMA4GA1UEAwwHdGVzdC1jYTAeFw0yNjExMjgxMDEyMzVaFw0zNjExMjUx
MDEyMzVaMBIxEDAOBgNVBAMMB3Rlc3QtY2EwggEiMA0GCSqGSIb3DQEBAQUAA4IB
DwAwggEKAoIBAQDAhNikJ6qjd8fJV/DH73tpbuYw+ZIi96U/cuJbD2oKJX9utPJm
TqfIOlnfrhI2OFK+ZCK+hdy7z6/Jd4VymS9C68ESE+S4N80epeqyOUh4/e/NWVM2
7iS2WvNvM2EyeCD+F75qqDFn1jLTFX7tOblj2qaCrCOeAcC+rti7XtKDzqSzhibA
YRD69EDiPwC8r37yAucBtmmIEaeG2bDzL6q3rOrEAORrNXMuS2Jk4cpaXe2UhBOc
An2PXWRmCeQRkPuH6ngKZlLLO29CXaFw5usrkSSO8NS9oKxKh6j41vwSflSBG4Ng
zNxn54YoOUB035um767D8bCGuE0obwjYuInvAgMBAAGjUzBRMB0GA1UdDgQWBBSa
U26KL0e3jYxfZjSXujnPsAgWZTAfBgNVHSMEGDAWgBSaU26KL0e3jYxfZjSXujnP
sAgWZTAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA4IBAQCdfO4aTQMt
9GP/oMcVDArAbnI9G7/5UCItWJvqqzA39Mf6bBSmYFJxj7GwsBqG/7NcsyHJ/lQm
MoLyylcAC+iOp1BafjuFf+6NoPnNqfF3vNMqYLWSyefvz4mOCpAA9vRbNB05EB7X
ObxbKnREE0CuYrUuruWvCD0vyiWYy1+0wx+fOh8fnfWqrY3Uu5nTNim866ti8JwY
nlLWyhvEJp0Rqr/V5HorQ5CmFbg5fqdwuDWiaYVwsMbrodc1qk3ZP78IRn76VDoi
xEzlJQK49u5jrlVz/XHg1vjWbtZ8kRFPToBTY1EuOpZtaZCllbqsv2bnap2DLvJz
w931NoCeBhSv
-----END CERTIFICATE-----
`;

const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');
const pem = (der: Buffer, type = 'CERTIFICATE REQUEST'): string =>
  `-----BEGIN ${type}-----\n${base64(der)}\n-----END ${type}-----\n`;
const der = Buffer.from(janesRequest.replaceAll(/-----.*-----/g, ''), 'base64');
const falsified = Buffer.from(der);
falsified[falsified.length - 1] = (falsified.at(-1) ?? 0) ^ 1;

export const signingRequest = (name: string, spec: object = {}, text = janesRequest): object => ({
  metadata: { name },
  spec: {
    request: base64(text),
    signerName: 'kubernetes.io/kube-apiserver-client',
    usages: ['client auth'],
    ...spec,
  },
});
const create = (name: string, spec: object = {}, text = janesRequest): ScriptedRequest =>
  post(requests, signingRequest(name, spec, text));
const conditions = (...types: readonly (readonly [type: string, status?: string])[]): object => ({
  status: { conditions: types.map(([type, status = 'True']) => ({ type, status, reason: 'Test', message: 'test' })) },
});
const approval = (name: string, body: object, headers = {}): ScriptedRequest =>
  merge(`${requests}/${name}/approval`, body, { headers });
const status = (name: string, body: object, headers = {}): ScriptedRequest =>
  merge(`${requests}/${name}/status`, body, { headers });
const asEve = { 'impersonate-user': 'eve' };

export const signingScripts: readonly RequestScript[] = [
  {
    title: 'validates CertificateSigningRequests',
    requests: [
      create('Any_Name'),
      create('stolen', { username: 'x', uid: 'y', groups: ['z'], extra: { a: ['b'] } }),
      post(requests, signingRequest('as-eve'), { headers: { ...asEve, 'impersonate-group': 'system:masters' } }),
      post(requests, { metadata: { name: 'empty' }, spec: {} }),
      ...[
        '',
        'nosigner',
        'a/b',
        '/x',
        'a.b/',
        'a.b/c/d',
        'Example.com/x',
        'example..com/x',
        'a.b/.c',
        'a.b/C',
        'a.b/c.d',
      ].map((signerName) => create('signer', { signerName })),
      create('legacy', { signerName: 'kubernetes.io/legacy-unknown' }),
      create('long', { signerName: `${'a'.repeat(260)}.com/x` }),
      create('usages', { usages: ['nope', 'client auth', 'client auth', 'any'], expirationSeconds: 599 }),
      create('no-usages', { usages: [] }),
      create('masters', {}, rootsRequest),
      create('masters-of-others', { signerName: 'example.com/x' }, rootsRequest),
      ...[
        pem(falsified),
        pem(der.subarray(0, 50)),
        pem(Buffer.alloc(0)),
        pem(Buffer.concat([der, Buffer.from('xx')])),
      ].map((text, index) => create(`malformed-${index}`, {}, text)),
      create('no-pem', {}, 'abc'),
      create('other-pem', {}, pem(der, 'NEW CERTIFICATE REQUEST')),
      create('more-text', {}, `text\n${pem(der)}text`),
    ],
  },
  {
    title: 'approves and signs CertificateSigningRequests',
    requests: [
      create('csr'),
      approval('csr', conditions(['Approved'], ['Denied'])),
      approval('csr', conditions(['Approved', 'False'])),
      approval('csr', conditions(['Other', 'Maybe'], [''], ['A'], ['A'])),
      approval('csr', { status: { certificate: base64('x'), ...conditions(['Other']) } }),
      put(`${requests}/csr`, signingRequest('csr', { usages: ['server auth'] })),
      status('csr', conditions(['Approved'])),
      status('csr', conditions(['Denied'])),
      status('csr', conditions(['Failed'])),
      status('csr', conditions()),
      approval('csr', conditions()),
      status('csr', { status: { certificate: base64('x') } }),
      status('csr', { status: { certificate: base64(pem(der, 'EC PRIVATE KEY')) } }),
      status('csr', { status: { certificate: base64(pem(Buffer.from('abc'), 'CERTIFICATE')) } }),
      status('csr', { status: { certificate: base64(certificate) } }),
      status('csr', { status: { certificate: null } }),
      get(`${requests}?fieldSelector=spec.signerName%3Dkubernetes.io/nothing`),
      get(`${requests}/csr`),
    ],
  },
  {
    title: 'approves and signs CertificateSigningRequests only with the permission for the signer',
    requests: [
      post(`${rbac}/clusterroles`, {
        metadata: { name: 'csr-editor' },
        rules: [{ apiGroups: ['certificates.k8s.io'], resources: ['*'], verbs: ['get', 'update', 'patch'] }],
      }),
      post(`${rbac}/clusterrolebindings`, {
        metadata: { name: 'csr-editor' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'csr-editor' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'eve' }],
      }),
      create('eves'),
      { ...get(`${requests}/eves`, { headers: asEve }), eventually: true },
      approval('eves', conditions(['Approved']), asEve),
      approval('eves', { metadata: { labels: { a: 'b' } } }, asEve),
      status('eves', conditions(['Other']), asEve),
      status('eves', { status: { certificate: base64(certificate) } }, asEve),
      status('eves', { metadata: { labels: { a: 'b' } } }, asEve),
      post(`${rbac}/clusterroles`, {
        metadata: { name: 'csr-signer' },
        rules: [
          {
            apiGroups: ['certificates.k8s.io'],
            resources: ['signers'],
            verbs: ['approve'],
            resourceNames: ['kubernetes.io/*'],
          },
        ],
      }),
      post(`${rbac}/clusterrolebindings`, {
        metadata: { name: 'csr-signer' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'csr-signer' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'eve' }],
      }),
      {
        ...approval('eves', { ...conditions(['Approved']), metadata: { labels: { c: 'd' } } }, asEve),
        eventually: true,
      },
      status('eves', conditions(['Approved'], ['Failed']), asEve),
    ],
  },
];
