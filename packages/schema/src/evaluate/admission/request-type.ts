import {
  boolType,
  type CelType,
  dynType,
  intType,
  listType,
  mapType,
  stringType,
  structType,
  timestampType,
} from '../cel/value/type.ts';

const groupVersionKind = structType('kubernetes.GroupVersionKind', {
  group: stringType,
  version: stringType,
  kind: stringType,
});
const groupVersionResource = structType('kubernetes.GroupVersionResource', {
  group: stringType,
  version: stringType,
  resource: stringType,
});

/** The variable `request`. Source: `BuildRequestType` of apiserver `pkg/admission/plugin/cel/compile.go`. */
export const requestType: CelType = structType('kubernetes.AdmissionRequest', {
  kind: groupVersionKind,
  resource: groupVersionResource,
  subResource: stringType,
  requestKind: groupVersionKind,
  requestResource: groupVersionResource,
  requestSubResource: stringType,
  name: stringType,
  namespace: stringType,
  operation: stringType,
  userInfo: structType('kubernetes.UserInfo', {
    username: stringType,
    uid: stringType,
    groups: listType(stringType),
    extra: mapType(stringType, listType(stringType)),
  }),
  dryRun: boolType,
  options: dynType,
});

/** The variable `namespaceObject`. Source: `BuildNamespaceType` of the same file, which misspells `uid`. */
export const namespaceType: CelType = structType('kubernetes.Namespace', {
  metadata: structType('kubernetes.NamespaceMetadata', {
    name: stringType,
    generateName: stringType,
    namespace: stringType,
    labels: mapType(stringType, stringType),
    annotations: mapType(stringType, stringType),
    UID: stringType,
    creationTimestamp: timestampType,
    deletionGracePeriodSeconds: intType,
    deletionTimestamp: timestampType,
    generation: intType,
    resourceVersion: stringType,
    finalizers: listType(stringType),
  }),
  spec: structType('kubernetes.NamespaceSpec', { finalizers: listType(stringType) }),
  status: structType('kubernetes.NamespaceStatus', {
    conditions: listType(
      structType('kubernetes.NamespaceCondition', {
        status: stringType,
        type: stringType,
        lastTransitionTime: timestampType,
        message: stringType,
        reason: stringType,
      }),
    ),
    phase: stringType,
  }),
});
