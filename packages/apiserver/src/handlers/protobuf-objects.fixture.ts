/** Additional kinds and fields, which other fixtures do not have, for the comparison of protobuf with JSON. */
export interface ProtobufObject {
  readonly path: string;
  readonly object: Readonly<Record<string, unknown>>;
}

const of = (path: string, apiVersion: string, kind: string, name: string, body: object): ProtobufObject => ({
  path,
  object: { apiVersion, kind, metadata: { name }, ...body },
});

const admission = '/apis/admissionregistration.k8s.io/v1';
const storage = '/apis/storage.k8s.io/v1';
const resource = '/apis/resource.k8s.io/v1';
const flow = '/apis/flowcontrol.apiserver.k8s.io/v1';

const rule = { apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], scope: 'Namespaced' };
const webhook = {
  name: 'a.example.com',
  clientConfig: { url: 'https://example.com/x', caBundle: '' },
  rules: [{ operations: ['CREATE', 'UPDATE'], ...rule }],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  timeoutSeconds: 3,
  objectSelector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] },
  matchConditions: [{ name: 'x', expression: 'true' }],
};
const matchConstraints = {
  resourceRules: [{ operations: ['*'], resourceNames: ['a'], ...rule }],
  namespaceSelector: {},
  objectSelector: { matchLabels: { a: 'b' } },
};
const deviceRequests = {
  requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 2 } }],
  constraints: [{ requests: ['gpu'], matchAttribute: 'example.com/numa' }],
  config: [
    { requests: ['gpu'], opaque: { driver: 'example.com', parameters: { kind: 'Settings', on: true, n: 1.5 } } },
  ],
};

const probe = {
  httpGet: { path: '/', port: 'http', httpHeaders: [{ name: 'A', value: '' }] },
  initialDelaySeconds: 0,
  terminationGracePeriodSeconds: 5,
};

const pod = of('/api/v1/namespaces/default/pods', 'v1', 'Pod', 'everything', {
  metadata: { name: 'everything', labels: { a: '' }, annotations: { a: '\u00e9\u{1f600}\u0000' } },
  spec: {
    serviceAccountName: 'a',
    terminationGracePeriodSeconds: 0,
    activeDeadlineSeconds: 3600,
    enableServiceLinks: false,
    automountServiceAccountToken: false,
    shareProcessNamespace: false,
    hostAliases: [{ ip: '1.2.3.4', hostnames: ['a', 'b'] }],
    dnsConfig: { options: [{ name: 'ndots', value: '' }, { name: 'x' }], searches: ['a'] },
    securityContext: { runAsUser: 0, fsGroup: 1, supplementalGroups: [0, 3], sysctls: [{ name: 'a.b', value: 'c' }] },
    nodeSelector: { disk: 'ssd' },
    affinity: {
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, preference: { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a'] }] } },
        ],
      },
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a', labelSelector: {}, namespaces: ['b'] }],
      },
    },
    topologySpreadConstraints: [
      { maxSkew: 1, minDomains: 2, topologyKey: 'a', whenUnsatisfiable: 'DoNotSchedule', nodeTaintsPolicy: 'Honor' },
    ],
    tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 0 }],
    readinessGates: [{ conditionType: 'a.b/c' }],
    resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'gpu' }],
    initContainers: [
      { name: 'first', image: 'i', restartPolicy: 'Always', startupProbe: { exec: { command: ['a'] } } },
    ],
    containers: [
      {
        name: 'main',
        image: 'i',
        command: ['', 'a'],
        ports: [{ name: 'http', containerPort: 80, hostIP: '' }],
        env: [
          { name: 'EMPTY', value: '' },
          { name: 'OPTIONAL', valueFrom: { secretKeyRef: { name: 's', key: 'k', optional: false } } },
          { name: 'DIVIDED', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '1m' } } },
        ],
        envFrom: [{ prefix: 'X_', configMapRef: { name: 'c', optional: true } }],
        resources: { limits: { cpu: '1500m', memory: '1Gi', 'a.b/c': '0' }, claims: [{ name: 'gpu' }] },
        resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
        volumeMounts: [
          { name: 'config', mountPath: '/a', subPath: 'b', readOnly: true, recursiveReadOnly: 'IfPossible' },
          { name: 'host', mountPath: '/h', mountPropagation: 'HostToContainer' },
        ],
        volumeDevices: [{ name: 'claim', devicePath: '/dev/x' }],
        livenessProbe: { ...probe, httpGet: undefined, tcpSocket: { port: 80, host: 'h' } },
        readinessProbe: { grpc: { port: 1, service: '' } },
        startupProbe: probe,
        lifecycle: { preStop: { sleep: { seconds: 0 } }, postStart: { exec: { command: ['a'] } } },
        securityContext: {
          privileged: false,
          allowPrivilegeEscalation: false,
          capabilities: { add: ['A'], drop: ['ALL'] },
          seccompProfile: { type: 'Localhost', localhostProfile: 'x' },
          seLinuxOptions: { level: 'l' },
        },
      },
    ],
    volumes: [
      { name: 'config', configMap: { name: 'c', items: [{ key: 'a', path: 'b', mode: 0 }], optional: false } },
      { name: 'secret', secret: { secretName: 's', defaultMode: 256 } },
      { name: 'empty', emptyDir: {} },
      { name: 'memory', emptyDir: { medium: 'Memory', sizeLimit: '100Mi' } },
      { name: 'host', hostPath: { path: '/', type: '' } },
      { name: 'claim', persistentVolumeClaim: { claimName: 'c', readOnly: true } },
      {
        name: 'projected',
        projected: {
          sources: [
            { serviceAccountToken: { audience: 'a', expirationSeconds: 601, path: 'token' } },
            { downwardAPI: { items: [{ path: 'x', fieldRef: { fieldPath: 'metadata.name' } }] } },
            { secret: { name: 's' } },
            { clusterTrustBundle: { signerName: 'a.b/c', labelSelector: {}, path: 'ca.pem', optional: true } },
          ],
        },
      },
      {
        name: 'ephemeral',
        ephemeral: {
          volumeClaimTemplate: {
            metadata: { labels: { a: 'b' } },
            spec: {
              accessModes: ['ReadWriteOnce'],
              storageClassName: '',
              volumeMode: 'Filesystem',
              resources: { requests: { storage: '1Gi' } },
              dataSourceRef: { apiGroup: 'a.b', kind: 'C', name: 'd' },
            },
          },
        },
      },
      { name: 'nfs', nfs: { server: 's', path: '/' } },
      { name: 'csi', csi: { driver: 'd', volumeAttributes: { a: 'b' }, readOnly: false } },
      { name: 'image', image: { reference: 'r', pullPolicy: 'Never' } },
    ],
  },
});

const schema = {
  type: 'object',
  required: ['spec'],
  description: 'x',
  properties: {
    spec: {
      type: 'object',
      'x-kubernetes-validations': [{ rule: 'self.size > 0', message: 'm', reason: 'FieldValueInvalid' }],
      properties: {
        size: { type: 'integer', format: 'int64', minimum: 0, maximum: 1.5e9, exclusiveMinimum: false, default: 0 },
        ratio: { type: 'number', multipleOf: 0.1, default: 0.5, enum: [0.5, 1, null], nullable: true },
        text: { type: 'string', minLength: 0, maxLength: 9_007_199_254_740_991, pattern: '^a?', default: '' },
        port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
        any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        object: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
        list: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          maxItems: 5,
          items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
        },
        map: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
        free: { type: 'object', additionalProperties: true, 'x-kubernetes-map-type': 'granular' },
        defaulted: { type: 'object', default: { a: [1, { b: null }] }, 'x-kubernetes-preserve-unknown-fields': true },
        choice: { type: 'object', oneOf: [{ required: ['a'] }, { not: { required: ['b'] } }] },
      },
    },
    status: { type: 'object', properties: { at: { type: 'string', format: 'date-time' } } },
  },
};

const certificateRequest = `-----BEGIN CERTIFICATE REQUEST-----
MIGLMD8CAQAwDDEKMAgGA1UEAwwBeDAqMAUGAytlcAMhAIxM6LRc5MGY3zKKKR3s
erhYvku6k68cvRSja3v7KUmXoAAwBQYDK2VwA0EAV28IX3NyLWzj612W1bC/iwbl
gKRLKJyCHlm5mlSpN4K42UMZJItnJa2svyiV74aJYfjUFI8jkk3TL1buIKu1CA==
-----END CERTIFICATE REQUEST-----
`;

export const protobufObjects: readonly ProtobufObject[] = [
  pod,
  of(
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    'widgets.a.b',
    {
      spec: {
        group: 'a.b',
        names: { plural: 'widgets', kind: 'Widget', shortNames: ['w'], categories: ['all'] },
        scope: 'Namespaced',
        conversion: {
          strategy: 'Webhook',
          webhook: {
            clientConfig: { service: { namespace: 'a', name: 'b', path: '/c', port: 443 } },
            conversionReviewVersions: ['v1'],
          },
        },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: schema },
            subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
            additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size', priority: 1 }],
            selectableFields: [{ jsonPath: '.spec.text' }],
          },
          {
            name: 'v1beta1',
            served: true,
            storage: false,
            deprecated: true,
            schema: { openAPIV3Schema: { type: 'object' } },
          },
        ],
      },
    },
  ),
  of('/apis/apiregistration.k8s.io/v1/apiservices', 'apiregistration.k8s.io/v1', 'APIService', 'v1.c.d', {
    spec: {
      group: 'c.d',
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 15,
      insecureSkipTLSVerify: true,
      service: { namespace: 'default', name: 'x', port: 8443 },
    },
  }),
  of(
    `${admission}/validatingwebhookconfigurations`,
    'admissionregistration.k8s.io/v1',
    'ValidatingWebhookConfiguration',
    'x',
    {
      webhooks: [webhook],
    },
  ),
  of(
    `${admission}/mutatingwebhookconfigurations`,
    'admissionregistration.k8s.io/v1',
    'MutatingWebhookConfiguration',
    'x',
    {
      webhooks: [
        { ...webhook, clientConfig: { service: { namespace: 'a', name: 'b' } }, reinvocationPolicy: 'IfNeeded' },
      ],
    },
  ),
  of(`${admission}/validatingadmissionpolicies`, 'admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', 'x', {
    spec: {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      matchConstraints,
      failurePolicy: 'Ignore',
      validations: [{ expression: 'true', messageExpression: "'a'", reason: 'Forbidden' }],
      auditAnnotations: [{ key: 'a', valueExpression: "'b'" }],
      variables: [{ name: 'a', expression: '1' }],
    },
  }),
  of(
    `${admission}/validatingadmissionpolicybindings`,
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicyBinding',
    'x',
    {
      spec: {
        policyName: 'x',
        paramRef: { selector: {}, namespace: 'a', parameterNotFoundAction: 'Deny' },
        matchResources: matchConstraints,
        validationActions: ['Deny', 'Audit'],
      },
    },
  ),
  of(`${flow}/flowschemas`, 'flowcontrol.apiserver.k8s.io/v1', 'FlowSchema', 'x', {
    spec: {
      priorityLevelConfiguration: { name: 'exempt' },
      matchingPrecedence: 9000,
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: [
            { kind: 'ServiceAccount', serviceAccount: { namespace: 'a', name: '*' } },
            { kind: 'Group', group: { name: 'g' } },
          ],
          resourceRules: [
            { verbs: ['get'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] },
          ],
          nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['/a'] }],
        },
      ],
    },
  }),
  of(`${flow}/prioritylevelconfigurations`, 'flowcontrol.apiserver.k8s.io/v1', 'PriorityLevelConfiguration', 'x', {
    spec: {
      type: 'Limited',
      limited: {
        nominalConcurrencyShares: 0,
        lendablePercent: 0,
        limitResponse: { type: 'Queue', queuing: { queues: 8, handSize: 2, queueLengthLimit: 10 } },
      },
    },
  }),
  of(`${storage}/volumeattributesclasses`, 'storage.k8s.io/v1', 'VolumeAttributesClass', 'x', {
    driverName: 'd',
    parameters: { a: 'b' },
  }),
  of(`${storage}/volumeattachments`, 'storage.k8s.io/v1', 'VolumeAttachment', 'inline', {
    spec: {
      attacher: 'a',
      nodeName: 'n',
      source: {
        inlineVolumeSpec: {
          accessModes: ['ReadWriteOnce'],
          csi: { driver: 'd', volumeHandle: 'h', controllerPublishSecretRef: { name: 's', namespace: 'n' } },
        },
      },
    },
  }),
  of(`${resource}/deviceclasses`, 'resource.k8s.io/v1', 'DeviceClass', 'gpu', {
    spec: {
      selectors: [{ cel: { expression: 'true' } }],
      config: [{ opaque: { driver: 'example.com', parameters: { a: [] } } }],
    },
  }),
  of(`${resource}/namespaces/default/resourceclaims`, 'resource.k8s.io/v1', 'ResourceClaim', 'x', {
    spec: { devices: deviceRequests },
  }),
  of(`${resource}/namespaces/default/resourceclaimtemplates`, 'resource.k8s.io/v1', 'ResourceClaimTemplate', 'x', {
    spec: { metadata: { labels: { a: 'b' } }, spec: { devices: deviceRequests } },
  }),
  of(`${resource}/resourceslices`, 'resource.k8s.io/v1', 'ResourceSlice', 'x', {
    spec: {
      driver: 'example.com',
      nodeName: 'n',
      pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
      devices: [
        {
          name: 'd',
          attributes: { a: { int: 0 }, b: { bool: false }, c: { string: '' }, v: { version: '1.2.3' } },
          capacity: { memory: { value: '10Gi' } },
        },
      ],
    },
  }),
  of(
    '/apis/certificates.k8s.io/v1/certificatesigningrequests',
    'certificates.k8s.io/v1',
    'CertificateSigningRequest',
    'x',
    {
      spec: {
        signerName: 'example.com/x',
        usages: ['client auth'],
        expirationSeconds: 3600,
        request: Buffer.from(certificateRequest).toString('base64'),
      },
    },
  ),
  of('/apis/networking.k8s.io/v1/servicecidrs', 'networking.k8s.io/v1', 'ServiceCIDR', 'x', {
    spec: { cidrs: ['10.9.0.0/16'] },
  }),
  of('/apis/events.k8s.io/v1/namespaces/default/events', 'events.k8s.io/v1', 'Event', 'x', {
    eventTime: '2026-01-02T03:04:05.000006Z',
    reportingController: 'a.b/c',
    reportingInstance: 'i',
    action: 'a',
    reason: 'r',
    note: '',
    type: 'Normal',
    regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
    series: { count: 2, lastObservedTime: '2026-01-02T03:04:05.999999Z' },
  }),
];
