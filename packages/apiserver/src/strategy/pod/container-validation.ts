import type { Container, PodSpec, Volume, VolumeMount } from '@evenkeel/kinds';
import {
  dns1123LabelErrors,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalidBy,
  notFound,
  notSupported,
  portNameErrors,
  required,
  tooMany,
} from '../../apimachinery/index.ts';
import { validateChoice, validatePortNumber } from '../number-validation.ts';
import { validateEnvironment, validateEnvironmentFrom } from './environment-validation.ts';
import { validateLifecycle, validateProbe } from './probe-validation.ts';
import { validateClaimNames } from './resource-claim-validation.ts';
import { validateResourceRequirements } from './resource-validation.ts';
import { validateSecurityContext } from './security-context-validation.ts';
import { validateDescendingPath } from './volume-files-validation.ts';

/** The parts of a Pod that the validation of its containers depends on. */
export interface ContainerSurroundings {
  readonly volumes: ReadonlyMap<string, Volume>;
  readonly graceSeconds: number | undefined;
  readonly restartPolicy: string | undefined;
  /** The names of the Pod's resource claims. */
  readonly claims: ReadonlySet<string>;
  /** Whether the Pod has no users of its own. */
  readonly hostUsers: boolean;
}

const restartRulesMax = 20;
const exitCodesMax = 255;
const restartActions = ['Restart', 'RestartAllContainers'];
const exitCodeOperators = ['In', 'NotIn'];
const recursiveModes = ['Disabled', 'Enabled', 'IfPossible'];
const restartPolicies = ['Always', 'Never', 'OnFailure'];

/** Source: `validateContainers`, `pkg/apis/core/validation/validation.go`; the errors in its order. */
export function validateContainers(
  containers: readonly Container[] | null | undefined,
  path: string,
  around: ContainerSurroundings,
): FieldError[] {
  if (!containers || containers.length === 0) return [required(path)];
  const names = new Set<string>();
  const hostPorts = new Set<string>();
  const errors = containers.flatMap((container, index) => {
    const at = `${path}[${index}]`;
    const found = validateContainer(container, at, around);
    if (names.has(container.name)) found.push(duplicate(`${at}.name`, container.name));
    names.add(container.name);
    found.push(...validateHooks(container, at, around), ...validateRestartPolicy(container, at));
    return found;
  });
  return [...errors, ...containers.flatMap((one, index) => hostPortConflicts(one, `${path}[${index}]`, hostPorts))];
}

/**
 * Source: `validateInitContainers`. Their names must differ from those of the containers. Only sidecars may have
 * probes.
 */
export function validateInitContainers(
  containers: readonly Container[] | undefined,
  others: readonly Container[] | undefined,
  path: string,
  around: ContainerSurroundings,
): FieldError[] {
  const names = new Set((others ?? []).map(({ name }) => name));
  return (containers ?? []).flatMap((container, index) => {
    const at = `${path}[${index}]`;
    const errors = validateContainer(container, at, around);
    errors.push(...validateRestartPolicy(container, at));
    if (names.has(container.name)) errors.push(duplicate(`${at}.name`, container.name));
    else if (container.name) names.add(container.name);
    // Upstream's path is always that of the first init container.
    errors.push(...hostPortConflicts(container, `${path}[0]`, new Set()));
    if (container.restartPolicy === 'Always') return [...errors, ...validateHooks(container, at, around)];
    for (const hook of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
      if (container[hook] === undefined) continue;
      errors.push(forbidden(`${at}.${hook}`, 'may not be set for init containers without restartPolicy=Always'));
    }
    for (const [position, { restartPolicy }] of (container.resizePolicy ?? []).entries()) {
      if (restartPolicy !== 'RestartContainer') continue;
      const detail = "must not be set to 'RestartContainer' for non-sidecar initContainers";
      errors.push(invalid(`${at}.resizePolicy[${position}].restartPolicy`, restartPolicy, detail));
    }
    return errors;
  });
}

const neverEphemeral = [
  ...(['ports', 'resources', 'resizePolicy', 'restartPolicy', 'restartPolicyRules', 'livenessProbe'] as const),
  ...(['readinessProbe', 'startupProbe', 'lifecycle'] as const),
];

/** Source: `validateEphemeralContainers`. Their names must differ from those of all containers. */
export function validateEphemeralContainers(spec: PodSpec, path: string, around: ContainerSurroundings): FieldError[] {
  const others = new Set([...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name }) => name));
  const names = new Set(others);
  return (spec.ephemeralContainers ?? []).flatMap((ephemeral, index) => {
    const container = ephemeral as Container;
    const at = `${path}[${index}]`;
    const errors = [
      ...validateContainer(container, at, around),
      ...validateImageSpaces(container.image, `${at}.image`),
    ];
    if (names.has(container.name)) errors.push(duplicate(`${at}.name`, container.name));
    names.add(container.name);
    const target = ephemeral.targetContainerName;
    if (target && !others.has(target)) errors.push(notFound(`${at}.targetContainerName`, target));
    const refuse = (field: string): void => {
      errors.push(forbidden(`${at}.${field}`, 'cannot be set for an Ephemeral Container'));
    };
    for (const field of neverEphemeral) {
      const value = container[field];
      if (value !== undefined && (field !== 'resources' || Object.keys(value).length > 0)) refuse(field);
    }
    for (const [position, { subPath, subPathExpr }] of (container.volumeMounts ?? []).entries()) {
      if (subPath) refuse(`volumeMounts[${position}].subPath`);
      if (subPathExpr) refuse(`volumeMounts[${position}].subPathExpr`);
    }
    return errors;
  });
}

/** Validates the image of a container of a Pod, not of a template (`validateContainerOnlyForPod`). */
export function validateImageSpaces(image: string | undefined, path: string): FieldError[] {
  const isTrimmed = image === undefined || image.trim() === image;
  return isTrimmed ? [] : [invalid(path, image, 'must not have leading or trailing whitespace')];
}

/** Rules for all kinds of containers. Source: `validateContainerCommon`. */
function validateContainer(container: Container, path: string, around: ContainerSurroundings): FieldError[] {
  const errors = container.name
    ? invalidBy(dns1123LabelErrors, `${path}.name`, container.name)
    : [required(`${path}.name`)];
  if (!container.image) errors.push(required(`${path}.image`));
  errors.push(
    ...validateChoice(container.terminationMessagePolicy, `${path}.terminationMessagePolicy`, [
      'File',
      'FallbackToLogsOnError',
    ]),
    ...validatePorts(container.ports, `${path}.ports`),
    ...validateEnvironment(container.env, `${path}.env`),
    ...validateEnvironmentFrom(container.envFrom, `${path}.envFrom`),
    ...validateMounts(container, `${path}.volumeMounts`, around.volumes),
    ...validateDevices(container, `${path}.volumeDevices`, around.volumes),
    ...validateChoice(container.imagePullPolicy, `${path}.imagePullPolicy`, ['Always', 'IfNotPresent', 'Never']),
    ...validateResourceRequirements(container.resources, `${path}.resources`),
    ...validateClaimNames(container.resources?.claims, around.claims, `${path}.resources.claims`),
    ...validateResizePolicy(container.resizePolicy, around.restartPolicy, `${path}.resizePolicy`),
    ...validateSecurityContext(container.securityContext, around.hostUsers, `${path}.securityContext`),
  );
  return errors;
}

function validateHooks(container: Container, path: string, { graceSeconds }: ContainerSurroundings): FieldError[] {
  return [
    ...validateLifecycle(container.lifecycle, graceSeconds, `${path}.lifecycle`),
    ...validateProbe('livenessProbe', container.livenessProbe, `${path}.livenessProbe`),
    ...validateProbe('readinessProbe', container.readinessProbe, `${path}.readinessProbe`),
    ...validateProbe('startupProbe', container.startupProbe, `${path}.startupProbe`),
  ];
}

/** Source: `validateContainerRestartPolicy`. */
function validateRestartPolicy(
  { restartPolicy, restartPolicyRules: rules = [] }: Container,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (restartPolicy === undefined) {
    if (rules.length === 0) return [];
    errors.push(required(`${path}.restartPolicy`, 'must specify restartPolicy when restart rules are used'));
  } else if (!restartPolicies.includes(restartPolicy)) {
    errors.push(notSupported(`${path}.restartPolicy`, restartPolicy, restartPolicies));
  }
  const at = `${path}.restartPolicyRules`;
  if (rules.length > restartRulesMax) errors.push(tooMany(at, rules.length, restartRulesMax));
  for (const [index, { action = '', exitCodes }] of rules.entries()) {
    const rule = `${at}[${index}]`;
    if (!restartActions.includes(action)) errors.push(notSupported(`${rule}.action`, action, restartActions));
    if (exitCodes === undefined) {
      errors.push(required(`${rule}.exitCodes`, 'must be specified'));
      continue;
    }
    const { operator = '', values = [] } = exitCodes;
    if (!exitCodeOperators.includes(operator)) {
      errors.push(notSupported(`${rule}.exitCodes.operator`, operator, exitCodeOperators));
    }
    if (values.length > exitCodesMax) errors.push(tooMany(`${rule}.exitCodes.values`, values.length, exitCodesMax));
  }
  return errors;
}

/** Source: `validateResizePolicy`. As upstream, the paths have no index. */
function validateResizePolicy(
  policies: Container['resizePolicy'],
  restartPolicy: string | undefined,
  path: string,
): FieldError[] {
  const names = new Set<string>();
  return (policies ?? []).flatMap(({ resourceName = '', restartPolicy: policy = '' }, index) => {
    const errors = names.has(resourceName) ? [duplicate(`${path}[${index}]`, resourceName)] : [];
    names.add(resourceName);
    errors.push(...validateChoice(resourceName, path, ['cpu', 'memory']));
    errors.push(...validateChoice(policy, path, ['NotRequired', 'RestartContainer']));
    if (restartPolicy === 'Never' && policy !== 'NotRequired') {
      errors.push(invalid(path, policy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'"));
    }
    return errors;
  });
}

function validatePorts(ports: Container['ports'], path: string): FieldError[] {
  const names = new Set<string>();
  return (ports ?? []).flatMap(({ name, containerPort, hostPort, protocol }, index) => {
    const at = `${path}[${index}]`;
    const errors: FieldError[] = [];
    if (name) {
      errors.push(...invalidBy(portNameErrors, `${at}.name`, name));
      if (errors.length === 0 && names.has(name)) errors.push(duplicate(`${at}.name`, name));
      names.add(name);
    }
    if (!containerPort) errors.push(required(`${at}.containerPort`));
    else errors.push(...validatePortNumber(containerPort, `${at}.containerPort`));
    if (hostPort) errors.push(...validatePortNumber(hostPort, `${at}.hostPort`));
    return [...errors, ...validateChoice(protocol, `${at}.protocol`, ['SCTP', 'TCP', 'UDP'])];
  });
}

function hostPortConflicts({ ports }: Container, path: string, taken: Set<string>): FieldError[] {
  return (ports ?? []).flatMap(({ hostPort, hostIP, protocol }, index) => {
    if (!hostPort) return [];
    const key = `${protocol}/${hostIP ?? ''}/${hostPort}`;
    if (taken.has(key)) return [duplicate(`${path}.ports[${index}].hostPort`, key)];
    taken.add(key);
    return [];
  });
}

function validateMounts(container: Container, path: string, volumes: ReadonlyMap<string, Volume>): FieldError[] {
  const places = new Set<string>();
  const devices = new Set((container.volumeDevices ?? []).map(({ name }) => name));
  const devicePaths = new Set((container.volumeDevices ?? []).map(({ devicePath }) => devicePath));
  return (container.volumeMounts ?? []).flatMap((mount, index) => {
    const at = `${path}[${index}]`;
    const { name = '', mountPath = '', subPath, subPathExpr } = mount;
    const errors: FieldError[] = name === '' ? [required(`${at}.name`)] : [];
    if (!volumes.has(name)) errors.push(notFound(`${at}.name`, name));
    if (mountPath === '') errors.push(required(`${at}.mountPath`));
    if (places.has(mountPath)) errors.push(invalid(`${at}.mountPath`, mountPath, 'must be unique'));
    places.add(mountPath);
    if (devices.has(name)) {
      errors.push(invalid(`${at}.name`, name, 'must not already exist in volumeDevices'));
    }
    if (devicePaths.has(mountPath)) {
      errors.push(invalid(`${at}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices'));
    }
    // As upstream, the paths below have no index.
    if (subPath) errors.push(...validateDescendingPath(subPath, `${path}.subPath`));
    if (subPathExpr) {
      if (subPath) {
        errors.push(invalid(`${at}.subPathExpr`, subPathExpr, 'subPathExpr and subPath are mutually exclusive'));
      }
      errors.push(...validateDescendingPath(subPathExpr, `${path}.subPathExpr`));
    }
    if (mount.mountPropagation !== undefined) {
      errors.push(...validatePropagation(mount.mountPropagation, container, `${path}.mountPropagation`));
    }
    return [...errors, ...validateRecursiveReadOnly(mount, `${path}.recursiveReadOnly`)];
  });
}

function validateRecursiveReadOnly(mount: VolumeMount, path: string): FieldError[] {
  const { recursiveReadOnly: mode = 'Disabled', readOnly, mountPropagation = 'None' } = mount;
  if (!recursiveModes.includes(mode)) return [notSupported(path, mode, recursiveModes)];
  if (mode === 'Disabled') return [];
  return [
    ...(readOnly === true ? [] : [forbidden(path, 'may only be specified when readOnly is true')]),
    ...(mountPropagation === 'None'
      ? []
      : [forbidden(path, 'may only be specified when mountPropagation is None or not specified')]),
  ];
}

function validatePropagation(mode: string, { securityContext }: Container, path: string): FieldError[] {
  const modes = ['Bidirectional', 'HostToContainer', 'None'];
  if (!modes.includes(mode)) return [notSupported(path, mode, modes)];
  if (mode !== 'Bidirectional' || securityContext?.privileged === true) return [];
  return [forbidden(path, 'Bidirectional mount propagation is available only to privileged containers')];
}

function validateDevices(container: Container, path: string, volumes: ReadonlyMap<string, Volume>): FieldError[] {
  const names = new Set<string>();
  const places = new Set<string>();
  const mounts = new Set((container.volumeMounts ?? []).map((mount) => mount.name));
  const mountPaths = new Set((container.volumeMounts ?? []).map(({ mountPath }) => mountPath));
  return (container.volumeDevices ?? []).flatMap(({ name = '', devicePath = '' }, index) => {
    const at = `${path}[${index}]`;
    const volume = volumes.get(name);
    const errors: FieldError[] = name === '' ? [required(`${at}.name`)] : [];
    if (names.has(name)) errors.push(invalid(`${at}.name`, name, 'must be unique'));
    if (volume === undefined) errors.push(notFound(`${at}.name`, name));
    else if (volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined) {
      const detail = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
      errors.push(invalid(`${at}.name`, name, detail));
    }
    if (devicePath === '') errors.push(required(`${at}.devicePath`));
    if (places.has(devicePath)) errors.push(invalid(`${at}.devicePath`, devicePath, 'must be unique'));
    if (devicePath.split('/').includes('..')) {
      errors.push(invalid(`${at}.devicePath`, devicePath, "can not contain backsteps ('..')"));
    } else places.add(devicePath);
    if (mounts.has(name)) {
      errors.push(invalid(`${at}.name`, name, 'must not already exist in volumeMounts'));
    }
    if (mountPaths.has(devicePath)) {
      errors.push(invalid(`${at}.devicePath`, devicePath, 'must not already exist as a path in volumeMounts'));
    }
    if (name !== '') names.add(name);
    return errors;
  });
}
