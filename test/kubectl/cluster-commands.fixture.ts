import type { KubectlStep } from './session.fixture.ts';

const role = (verb: string): string =>
  `apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: { name: reconciled }\nrules: [{ apiGroups: [""], resources: [pods], verbs: [${verb}] }]\n`;

const binding = `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: reconciled }
roleRef: { kind: Role, name: reconciled, apiGroup: rbac.authorization.k8s.io }
subjects: [{ kind: User, name: bob, apiGroup: rbac.authorization.k8s.io }]
`;

const node = 'apiVersion: v1\nkind: Node\nmetadata: { name: worker, labels: { kubernetes.io/hostname: worker } }\n';

/** Of `CN=bob`, made with `openssl req` for a P-256 key. */
const request = [
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlISU1IQUNBUUF3RGpFTU1Bb0dBMVVFQXd3RFltOWlNRmt3RXdZSEtvWkl6aj',
  'BDQVFZSUtvWkl6ajBEQVFjRApRZ0FFd0Z4cWhJVm9rRzc5Y2cvZmxVenJwZXJhTG9mZ0MwN0NlZktOWkdoaDFhZkJHaENVbnIwMjlHK3F6Q0s2',
  'CkdHcW1lWGxxeWtLRFdxMXVsanAyRHpGQkphQUFNQW9HQ0NxR1NNNDlCQU1DQTBnQU1FVUNJQytIQXdpd01ldmIKMWxpOU9UQlpYUU1YTGtGND',
  'ZEVnlkVVVzbi9lU2lteDhBaUVBbXRKTHhvNEN6RE9mbmZUUlpTR3BiRWxTQzFUVApZeEN0RFFiYVhNT0FyTEE9Ci0tLS0tRU5EIENFUlRJRklD',
  'QVRFIFJFUVVFU1QtLS0tLQo=',
].join('');

const signingRequest = (name: string): string => `apiVersion: certificates.k8s.io/v1
kind: CertificateSigningRequest
metadata: { name: ${name} }
spec: { request: ${request}, signerName: kubernetes.io/kube-apiserver-client, usages: [client auth] }
`;

/** A session with the commands for permissions, nodes, certificates and the cluster itself. */
export const clusterCommands: readonly KubectlStep[] = [
  { run: 'create ns cluster' },
  { run: 'config set-context --current --namespace cluster' },

  { run: 'auth can-i --list' },
  { run: 'auth can-i get pods --subresource log' },
  { run: 'auth can-i get /healthz' },
  { run: 'auth can-i list nothing' },
  { run: 'auth can-i get pods/foo' },
  { run: 'auth can-i nothing pods' },
  { run: 'auth can-i create pods --as bob' },
  { run: 'auth can-i create pods --as bob -q' },
  { run: 'auth can-i --list --as bob' },
  { run: 'auth whoami -o yaml' },
  { run: 'auth whoami --as bob --as-group dev' },
  { run: 'auth reconcile -f -', stdin: role('get') },
  { run: 'auth reconcile -f - --remove-extra-permissions', stdin: role('list') },
  { run: 'auth reconcile -f -', stdin: binding },
  { run: 'auth reconcile -f - --dry-run=server', stdin: binding },
  { run: 'get role reconciled -o yaml' },

  { run: 'api-resources --namespaced=false' },
  { run: 'api-resources --categories all' },
  { run: 'api-resources --sort-by name --no-headers --cached' },
  { run: 'version' },
  { run: 'version -o json' },
  { run: 'cluster-info dump --namespaces cluster -o name' },
  { run: 'config get-clusters' },
  { run: 'config current-context' },

  { run: 'create -f -', stdin: node },
  { run: 'get nodes' },
  { run: 'get nodes -o wide' },
  { run: 'get node worker -o yaml' },
  { run: 'describe node worker' },
  { run: 'cordon worker' },
  { run: 'cordon worker' },
  { run: 'get nodes' },
  { run: 'uncordon worker --dry-run=server' },
  { run: 'uncordon worker' },
  { run: 'uncordon worker' },
  { run: 'cordon missing' },
  { run: 'taint node worker a=b:NoSchedule' },
  { run: 'taint node worker a=b:NoSchedule' },
  { run: 'taint node worker a=c:NoSchedule --overwrite' },
  { run: 'taint node worker a:NoSchedule-' },
  { run: 'taint node worker missing-' },
  { run: 'taint node worker a=b:Nothing' },
  { run: 'taint node --all q=w:NoExecute' },
  { run: 'label node worker node-role.kubernetes.io/worker=' },
  { run: 'run placed --image i --overrides \'{"spec":{"nodeName":"worker"}}\'' },
  { run: 'drain worker' },
  { run: 'drain worker --force --grace-period 0 --timeout 5s' },
  { run: 'drain missing' },
  { run: 'delete node worker' },

  { run: 'create -f -', stdin: signingRequest('approved') },
  { run: 'create -f -', stdin: signingRequest('denied') },
  { run: 'get csr' },
  { run: 'certificate approve approved' },
  { run: 'certificate approve approved' },
  { run: 'certificate deny denied' },
  { run: 'certificate deny approved' },
  { run: 'certificate approve missing' },
  { run: 'get csr' },
  { run: 'get csr approved -o yaml' },
  { run: 'describe csr denied' },
  { run: 'delete csr approved denied' },

  { run: 'top pods' },
  { run: 'top nodes' },
  { run: 'events --types Warning' },
  { run: 'events --for pod/placed' },
  { run: 'get events' },
  { run: 'get sc,pv' },
  { run: 'get crd' },
  { run: 'get priorityclasses' },
  { run: 'get clusterrole cluster-admin -o yaml' },
  { run: 'describe clusterrolebinding cluster-admin' },
];
