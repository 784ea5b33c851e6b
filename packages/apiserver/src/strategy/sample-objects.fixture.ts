import { type AdmittedObject, container, other, selector, template } from './admitted-objects.fixture.ts';

/** A valid object that uses most fields of its kind, and a status that its subresource accepts. */
export interface SampleObject extends AdmittedObject {
  readonly status?: object;
  /** Whether the real server itself updates the object, so that no client knows its version. */
  readonly restless?: boolean;
}

const core = '/api/v1';
const inDefault = 'namespaces/default';
const storage = '/apis/storage.k8s.io/v1';
const networking = '/apis/networking.k8s.io/v1';
const admission = '/apis/admissionregistration.k8s.io/v1';
const scaling = (version: string): string => `/apis/autoscaling/${version}/${inDefault}/horizontalpodautoscalers`;
const time = '2026-01-02T03:04:05Z';

const metricOf = (target: object): object => ({ metric: { name: 'queue', selector }, target });
const average = { type: 'AverageValue', averageValue: '1500m' };
const autoscaler = (title: string, spec: object, status?: object): SampleObject => ({
  ...other(title, scaling('v2'), 'autoscaling/v2', 'HorizontalPodAutoscaler', {
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      minReplicas: 2,
      maxReplicas: 5,
      ...spec,
    },
  }),
  ...(status !== undefined && { status }),
});

const nodeTerm = {
  matchExpressions: [
    { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['a', 'b'] },
    { key: 'size', operator: 'Gt', values: ['3'] },
  ],
  matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }],
};

const volume = (title: string, source: object, more: object = {}): SampleObject =>
  other(title, `${core}/persistentvolumes`, 'v1', 'PersistentVolume', {
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, ...source, ...more },
  });

const secretRef = { name: 's', namespace: 'default' };

const claim = (title: string, more: object): SampleObject =>
  other(title, `${core}/${inDefault}/persistentvolumeclaims`, 'v1', 'PersistentVolumeClaim', {
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...more },
  });

const webhookOf = (more: object): object => ({
  webhooks: [
    {
      name: 'check.example.com',
      clientConfig: { service: { name: 'web', namespace: 'default', path: '/check', port: 8443 } },
      rules: [
        { operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'], scope: '*' },
      ],
      namespaceSelector: selector,
      objectSelector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] },
      matchConditions: [{ name: 'web', expression: 'object.metadata.name == "web"' }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      timeoutSeconds: 5,
      failurePolicy: 'Ignore',
      matchPolicy: 'Exact',
      ...more,
    },
  ],
});

const matchConstraints = {
  resourceRules: [{ operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] }],
};

const samples: readonly SampleObject[] = [
  autoscaler(
    'by resources',
    {
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } },
        { type: 'ContainerResource', containerResource: { name: 'memory', container: 'main', target: average } },
        { type: 'Pods', pods: metricOf(average) },
      ],
      behavior: {
        scaleUp: {
          stabilizationWindowSeconds: 5,
          selectPolicy: 'Min',
          policies: [{ type: 'Pods', value: 2, periodSeconds: 60 }],
        },
        scaleDown: { tolerance: '100m', policies: [{ type: 'Percent', value: 10, periodSeconds: 1800 }] },
      },
    },
    {
      observedGeneration: 1,
      lastScaleTime: time,
      currentReplicas: 2,
      desiredReplicas: 3,
      currentMetrics: [
        { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 3, averageValue: '3m' } } },
      ],
      conditions: [
        { type: 'AbleToScale', status: 'True', lastTransitionTime: time, reason: 'Ready', message: 'is ready' },
      ],
    },
  ),
  autoscaler('by objects', {
    metrics: [
      {
        type: 'Object',
        object: {
          describedObject: { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name: 'web' },
          ...metricOf({ type: 'Value', value: '10' }),
        },
      },
      { type: 'External', external: metricOf(average) },
    ],
  }),
  other('of the old version', scaling('v1'), 'autoscaling/v1', 'HorizontalPodAutoscaler', {
    spec: {
      scaleTargetRef: { apiVersion: 'v1', kind: 'ReplicationController', name: 'web' },
      maxReplicas: 5,
      targetCPUUtilizationPercentage: 50,
    },
  }),

  volume(
    'of a CSI driver',
    {
      csi: {
        driver: 'csi.example.com',
        volumeHandle: 'h',
        fsType: 'ext4',
        readOnly: true,
        volumeAttributes: { a: 'b' },
        controllerPublishSecretRef: secretRef,
        nodeStageSecretRef: secretRef,
        nodePublishSecretRef: secretRef,
        controllerExpandSecretRef: secretRef,
        nodeExpandSecretRef: secretRef,
      },
    },
    {
      storageClassName: 'fast',
      volumeMode: 'Block',
      persistentVolumeReclaimPolicy: 'Delete',
      mountOptions: ['ro'],
      volumeAttributesClassName: 'gold',
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace: 'default', name: 'data', uid: 'u' },
      nodeAffinity: { required: { nodeSelectorTerms: [nodeTerm] } },
    },
  ),
  volume(
    'of a local disk',
    { local: { path: '/disk', fsType: 'ext4' } },
    { nodeAffinity: { required: { nodeSelectorTerms: [nodeTerm] } }, accessModes: ['ReadWriteOncePod'] },
  ),
  volume(
    'of a path',
    { hostPath: { path: '/data', type: 'Directory' } },
    { persistentVolumeReclaimPolicy: 'Recycle', accessModes: ['ReadWriteMany', 'ReadOnlyMany'] },
  ),
  volume('of NFS', { nfs: { server: 'nfs.example.com', path: '/x', readOnly: true } }),
  volume('of iSCSI', {
    iscsi: {
      targetPortal: '10.0.0.1:3260',
      iqn: 'iqn.2026-01.com.example:storage.disk1',
      lun: 3,
      initiatorName: 'iqn.2026-01.com.example:init',
      chapAuthSession: true,
      secretRef,
    },
  }),
  volume('of Fibre Channel', { fc: { targetWWNs: ['a'], lun: 2 } }),
  volume('of Azure', { azureDisk: { diskName: 'd', diskURI: 'https://blob/d', kind: 'Shared' } }),
  volume('of Azure files', { azureFile: { secretName: 's', shareName: 'x', secretNamespace: 'default' } }),
  claim('with everything', {
    selector,
    storageClassName: 'fast',
    volumeMode: 'Filesystem',
    volumeName: 'v',
    volumeAttributesClassName: 'gold',
    dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' },
  }),
  {
    ...claim('of a populator', { dataSourceRef: { apiGroup: 'example.com', kind: 'Seed', name: 's' } }),
    status: {
      phase: 'Bound',
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '1Gi' },
      allocatedResources: { storage: '2Gi' },
      allocatedResourceStatuses: { storage: 'NodeResizePending' },
      conditions: [{ type: 'Resizing', status: 'True', lastTransitionTime: time, reason: 'a', message: 'b' }],
    },
  },

  other('', `${storage}/storageclasses`, 'storage.k8s.io/v1', 'StorageClass', {
    provisioner: 'csi.example.com/Fast',
    parameters: { type: 'ssd' },
    reclaimPolicy: 'Retain',
    volumeBindingMode: 'WaitForFirstConsumer',
    allowVolumeExpansion: true,
    mountOptions: ['ro'],
    allowedTopologies: [
      { matchLabelExpressions: [{ key: 'topology.kubernetes.io/zone', values: ['a', 'b'] }] },
      { matchLabelExpressions: [{ key: 'topology.kubernetes.io/zone', values: ['c'] }] },
    ],
  }),
  other('', `${storage}/csidrivers`, 'storage.k8s.io/v1', 'CSIDriver', {
    spec: {
      attachRequired: false,
      podInfoOnMount: true,
      storageCapacity: true,
      fsGroupPolicy: 'File',
      volumeLifecycleModes: ['Persistent', 'Ephemeral'],
      tokenRequests: [{ audience: 'a', expirationSeconds: 3600 }, { audience: 'b' }],
      requiresRepublish: true,
      seLinuxMount: true,
      nodeAllocatableUpdatePeriodSeconds: 60,
      serviceAccountTokenInSecrets: true,
    },
  }),
  other('', `${storage}/csinodes`, 'storage.k8s.io/v1', 'CSINode', {
    spec: { drivers: [{ name: 'csi.example.com', nodeID: 'n', topologyKeys: ['a', 'b'], allocatable: { count: 3 } }] },
  }),
  other('', `${storage}/${inDefault}/csistoragecapacities`, 'storage.k8s.io/v1', 'CSIStorageCapacity', {
    storageClassName: 'fast',
    capacity: '1Gi',
    maximumVolumeSize: '1Gi',
    nodeTopology: selector,
  }),
  {
    ...other('of a volume', `${storage}/volumeattachments`, 'storage.k8s.io/v1', 'VolumeAttachment', {
      spec: { attacher: 'csi.example.com', nodeName: 'n1', source: { persistentVolumeName: 'v' } },
    }),
    status: {
      attached: true,
      attachmentMetadata: { a: 'b' },
      attachError: { time, message: 'm', errorCode: 3 },
    },
  },
  other('', `${storage}/volumeattributesclasses`, 'storage.k8s.io/v1', 'VolumeAttributesClass', {
    driverName: 'csi.example.com',
    parameters: { iops: '3' },
  }),

  other('', '/apis/node.k8s.io/v1/runtimeclasses', 'node.k8s.io/v1', 'RuntimeClass', {
    handler: 'runc',
    overhead: { podFixed: { cpu: '100m', memory: '1Gi' } },
    scheduling: {
      nodeSelector: { disk: 'ssd' },
      tolerations: [
        { key: 'a', operator: 'Equal', value: 'b', effect: 'NoSchedule' },
        { key: 'c', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 3 },
      ],
    },
  }),
  other('', '/apis/scheduling.k8s.io/v1/priorityclasses', 'scheduling.k8s.io/v1', 'PriorityClass', {
    value: 1000,
    globalDefault: false,
    description: 'd',
    preemptionPolicy: 'Never',
  }),
  other('', `${networking}/ingressclasses`, 'networking.k8s.io/v1', 'IngressClass', {
    spec: {
      controller: 'example.com/nginx',
      parameters: { apiGroup: 'example.com', kind: 'Settings', name: 'x', scope: 'Namespace', namespace: 'default' },
    },
  }),
  {
    ...other('', `${networking}/${inDefault}/ingresses`, 'networking.k8s.io/v1', 'Ingress', {
      spec: {
        ingressClassName: 'nginx',
        defaultBackend: { service: { name: 'web', port: { number: 80 } } },
        tls: [{ hosts: ['a.example.com', '*.example.com'], secretName: 's' }],
        rules: [
          {
            host: '*.example.com',
            http: {
              paths: [
                { path: '/a', pathType: 'Prefix', backend: { service: { name: 'web', port: { name: 'http' } } } },
                {
                  pathType: 'ImplementationSpecific',
                  backend: { resource: { apiGroup: 'example.com', kind: 'Bucket', name: 'b' } },
                },
              ],
            },
          },
        ],
      },
    }),
    status: {
      loadBalancer: { ingress: [{ ip: '10.0.0.1', ports: [{ port: 80, protocol: 'TCP', error: 'a/b' }] }] },
    },
  },
  other('', `${networking}/${inDefault}/networkpolicies`, 'networking.k8s.io/v1', 'NetworkPolicy', {
    spec: {
      podSelector: selector,
      policyTypes: ['Ingress', 'Egress'],
      ingress: [
        { ports: [{ port: 80, endPort: 90 }], from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }] },
      ],
      egress: [{ ports: [{ port: 'http', protocol: 'UDP' }], to: [{ podSelector: selector, namespaceSelector: {} }] }],
    },
  }),
  {
    ...other('', `/apis/policy/v1/${inDefault}/poddisruptionbudgets`, 'policy/v1', 'PodDisruptionBudget', {
      spec: { maxUnavailable: '30%', selector, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
    }),
    status: {
      observedGeneration: 1,
      disruptionsAllowed: 1,
      currentHealthy: 2,
      desiredHealthy: 1,
      expectedPods: 2,
      disruptedPods: { a: time },
      conditions: [
        {
          type: 'DisruptionAllowed',
          status: 'True',
          observedGeneration: 1,
          lastTransitionTime: time,
          reason: 'SufficientPods',
          message: '',
        },
      ],
    },
  },
  other(
    '',
    `${admission}/validatingwebhookconfigurations`,
    'admissionregistration.k8s.io/v1',
    'ValidatingWebhookConfiguration',
    webhookOf({}),
  ),
  other(
    '',
    `${admission}/mutatingwebhookconfigurations`,
    'admissionregistration.k8s.io/v1',
    'MutatingWebhookConfiguration',
    webhookOf({ clientConfig: { url: 'https://example.com/x' }, reinvocationPolicy: 'IfNeeded' }),
  ),
  other(
    '',
    `${admission}/validatingadmissionpolicies`,
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicy',
    {
      spec: {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        matchConstraints,
        matchConditions: [{ name: 'web', expression: 'object.metadata.name == "web"' }],
        variables: [{ name: 'count', expression: 'object.spec.replicas' }],
        validations: [
          { expression: 'variables.count > 1', message: 'too few', reason: 'Invalid', messageExpression: '"few"' },
        ],
        auditAnnotations: [{ key: 'a', valueExpression: '"b"' }],
        failurePolicy: 'Fail',
      },
    },
  ),
  other(
    '',
    `${admission}/validatingadmissionpolicybindings`,
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicyBinding',
    {
      spec: {
        policyName: 'p',
        paramRef: { name: 'c', namespace: 'default', parameterNotFoundAction: 'Deny' },
        matchResources: { namespaceSelector: selector },
        validationActions: ['Warn', 'Audit'],
      },
    },
  ),
  {
    ...other('of a service', '/apis/apiregistration.k8s.io/v1/apiservices', 'apiregistration.k8s.io/v1', 'APIService', {
      metadata: { name: 'v1.example.com' },
      spec: {
        group: 'example.com',
        version: 'v1',
        groupPriorityMinimum: 1000,
        versionPriority: 15,
        insecureSkipTLSVerify: true,
        service: { name: 'web', namespace: 'default', port: 8443 },
      },
    }),
    restless: true,
  },
  {
    ...other('', `${core}/${inDefault}/replicationcontrollers`, 'v1', 'ReplicationController', {
      spec: { replicas: 2, minReadySeconds: 3, selector: { app: 'web' }, template },
    }),
    status: {
      replicas: 2,
      fullyLabeledReplicas: 2,
      readyReplicas: 1,
      availableReplicas: 1,
      observedGeneration: 1,
      conditions: [{ type: 'ReplicaFailure', status: 'True', lastTransitionTime: time, reason: 'a', message: 'b' }],
    },
  },
  other('', `${core}/${inDefault}/endpoints`, 'v1', 'Endpoints', {
    subsets: [
      {
        addresses: [{ ip: '10.0.0.9', hostname: 'a', nodeName: 'n1', targetRef: { kind: 'Pod', name: 'p' } }],
        notReadyAddresses: [{ ip: '2001:db8::1' }],
        ports: [
          { name: 'http', port: 80, protocol: 'TCP', appProtocol: 'example.com/http' },
          { name: 'dns', port: 53, protocol: 'UDP' },
        ],
      },
    ],
  }),
  other('', `/apis/discovery.k8s.io/v1/${inDefault}/endpointslices`, 'discovery.k8s.io/v1', 'EndpointSlice', {
    addressType: 'IPv4',
    endpoints: [
      {
        addresses: ['10.0.0.9'],
        conditions: { ready: true, serving: true, terminating: false },
        hostname: 'a',
        nodeName: 'n1',
        zone: 'z',
        hints: { forZones: [{ name: 'z' }], forNodes: [{ name: 'n1' }] },
        targetRef: { kind: 'Pod', name: 'p' },
      },
    ],
    ports: [
      { name: 'http', port: 80, protocol: 'TCP', appProtocol: 'example.com/http' },
      { name: 'dns', port: 53, protocol: 'UDP' },
    ],
  }),
  other('of names', `/apis/discovery.k8s.io/v1/${inDefault}/endpointslices`, 'discovery.k8s.io/v1', 'EndpointSlice', {
    addressType: 'FQDN',
    endpoints: [{ addresses: ['a.example.com'] }],
    ports: [],
  }),
  other(
    'of long addresses',
    `/apis/discovery.k8s.io/v1/${inDefault}/endpointslices`,
    'discovery.k8s.io/v1',
    'EndpointSlice',
    {
      addressType: 'IPv6',
      endpoints: [{ addresses: ['2001:db8::1'] }],
      ports: [],
    },
  ),
  other('', `/apis/coordination.k8s.io/v1/${inDefault}/leases`, 'coordination.k8s.io/v1', 'Lease', {
    spec: {
      holderIdentity: 'me',
      leaseDurationSeconds: 15,
      leaseTransitions: 2,
      acquireTime: '2026-01-02T03:04:05.678901Z',
      renewTime: '2026-01-02T03:04:05.678901Z',
    },
  }),
  {
    ...other('', `${core}/nodes`, 'v1', 'Node', {
      spec: {
        podCIDR: '10.1.0.0/24',
        podCIDRs: ['10.1.0.0/24'],
        providerID: 'kind://a',
        unschedulable: true,
        taints: [{ key: 'a', value: 'b', effect: 'NoSchedule' }],
      },
    }),
    status: {
      capacity: { cpu: '4', memory: '1Gi', pods: '110' },
      allocatable: { cpu: '4' },
      phase: 'Running',
      conditions: [
        { type: 'Ready', status: 'True', lastHeartbeatTime: time, lastTransitionTime: time, reason: 'a', message: 'b' },
      ],
      addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
      images: [{ names: ['a'], sizeBytes: 3 }],
    },
  },
  other('', `${core}/${inDefault}/podtemplates`, 'v1', 'PodTemplate', {
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } },
  }),
  other('', `${core}/${inDefault}/serviceaccounts`, 'v1', 'ServiceAccount', {
    secrets: [{ name: 's' }],
    imagePullSecrets: [{ name: 's' }],
    automountServiceAccountToken: false,
  }),
];

/** Samples of which every field is changed, one after the other. Each has a name of its own. */
export const sampleObjects: readonly SampleObject[] = samples.map((sample, index) => {
  const metadata = sample.object['metadata'] as { name: string };
  const name = metadata.name === 'x' ? `sample-${index}` : metadata.name;
  return { ...sample, object: { ...sample.object, metadata: { ...metadata, name } } };
});
