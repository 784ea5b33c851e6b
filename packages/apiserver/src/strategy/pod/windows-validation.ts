import type { Container, PodSpec, SecurityContext } from '@evenkeel/kinds';
import {
  dns1123SubdomainErrors,
  type FieldError,
  forbidden,
  GoPointer,
  GoStruct,
  invalid,
  invalidBy,
  notSupported,
  required,
} from '../../apimachinery/index.ts';

type WindowsOptions = NonNullable<SecurityContext['windowsOptions']>;

const credentialKibMax = 64;
const domainLengthMax = 255;
const userLengthMax = 104;
const netBiosName = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const domainLabel = /^[a-zA-Z0-9](?:[-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?$/;
const systems = ['linux', 'windows'];

/** Source: `validateWindowsSecurityContextOptions`, `pkg/apis/core/validation/validation.go`. */
export function validateWindowsOptions(options: WindowsOptions | undefined, path: string): FieldError[] {
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: credential, runAsUserName: user } = options ?? {};
  const errors = name === undefined ? [] : invalidBy(dns1123SubdomainErrors, `${path}.gmsaCredentialSpecName`, name);
  if (credential !== undefined) {
    const refuse = (detail: string): FieldError => invalid(`${path}.gmsaCredentialSpec`, credential, detail);
    if (credential === '') errors.push(refuse('gmsaCredentialSpec cannot be an empty string'));
    else if (Buffer.byteLength(credential) > credentialKibMax * 1024) {
      errors.push(refuse(`gmsaCredentialSpec size must be under ${credentialKibMax} KiB`));
    }
  }
  if (user === undefined) return errors;
  return [
    ...errors,
    ...userErrors(user).map((detail) => invalid(`${path}.runAsUserName`, new GoPointer(user), detail)),
  ];
}

/** The errors of `USER` or `DOMAIN\USER`. */
function userErrors(text: string): string[] {
  const parts = text.split('\\');
  if (text === '') return ['runAsUserName cannot be an empty string'];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the rule is about control characters.
  if (/[\x00-\x1f\x7f]/.test(text)) return ['runAsUserName cannot contain control characters'];
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const [user = '', domain] = parts.reverse();
  const errors: string[] = [];
  if (domain !== undefined && Buffer.byteLength(domain) > domainLengthMax) {
    errors.push(`runAsUserName's Domain length must be under ${domainLengthMax + 1} characters`);
  }
  const isDomain = (name: string): boolean =>
    netBiosName.test(name) || name.split('.').every((one) => domainLabel.test(one));
  if (domain !== undefined && !isDomain(domain)) {
    errors.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  }
  if (user === '') errors.push("runAsUserName's User cannot be empty");
  else if (Buffer.byteLength(user) > userLengthMax) {
    errors.push(`runAsUserName's User length must not be longer than ${userLengthMax} characters`);
  }
  if (/^[. ]+$/.test(user)) errors.push("runAsUserName's User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) {
    errors.push('runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]');
  }
  return errors;
}

/** Shows options as upstream's messages do: as the struct of the internal version. */
export const shownWindowsOptions = (options: WindowsOptions): GoStruct =>
  new GoStruct({
    GMSACredentialSpecName: options.gmsaCredentialSpecName ?? null,
    GMSACredentialSpec: options.gmsaCredentialSpec ?? null,
    RunAsUserName: options.runAsUserName ?? null,
    HostProcess: options.hostProcess ?? null,
  });

/** Validates that all containers run on the host if one does. Source: `validateWindowsHostProcessPod`. */
export function validateHostProcess(spec: PodSpec, path: string): FieldError[] {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  const errors: FieldError[] = [];
  const containers = containersOf(spec, path);
  let count = 0;
  for (const [{ securityContext }, at] of containers) {
    const own = securityContext?.windowsOptions?.hostProcess;
    if (ofPod !== undefined && own !== undefined && ofPod !== own) {
      const detail = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
      errors.push(invalid(`${at}.securityContext.windowsOptions.hostProcess`, own, detail));
    }
    if (own ?? ofPod) count++;
  }
  if (count === 0) return errors;
  if (count !== containers.length) {
    const detail = 'If pod contains any hostProcess containers then all containers must be HostProcess containers';
    errors.push(invalid(path, '', detail));
  }
  if (spec.hostNetwork === true) return errors;
  const detail = 'hostNetwork must be true if pod contains any hostProcess containers';
  return [...errors, invalid(`${path}.hostNetwork`, false, detail)];
}

/** Validates the operating system, and the fields that only one has. Sources: `validateOS`, `validateLinux`, `validateWindows`. */
export function validateOperatingSystem(spec: PodSpec, path: string): FieldError[] {
  if (spec.os === undefined) return [];
  const { name = '' } = spec.os;
  if (name === '') return [required(`${path}.os.name`)];
  if (!systems.includes(name)) return [notSupported(`${path}.os`, name, systems)];
  return name === 'linux' ? validateLinux(spec, path) : validateWindows(spec, path);
}

function validateLinux(spec: PodSpec, path: string): FieldError[] {
  const contexts = [[spec, path] as const, ...containersOf(spec, path)];
  return contexts
    .filter(([{ securityContext }]) => securityContext?.windowsOptions !== undefined)
    .map(([, at]) =>
      forbidden(`${at}.securityContext.windowsOptions`, 'windows options cannot be set for a linux pod'),
    );
}

const ofLinuxPods = [
  ...(['appArmorProfile', 'seLinuxOptions', 'hostUsers', 'hostPID', 'hostIPC', 'seccompProfile', 'fsGroup'] as const),
  ...(['fsGroupChangePolicy', 'sysctls', 'shareProcessNamespace', 'runAsUser', 'runAsGroup'] as const),
  ...(['supplementalGroups', 'supplementalGroupsPolicy', 'seLinuxChangePolicy'] as const),
];
const ofLinuxContainers = [
  ...(['appArmorProfile', 'seLinuxOptions', 'seccompProfile', 'capabilities', 'readOnlyRootFilesystem'] as const),
  ...(['privileged', 'allowPrivilegeEscalation', 'procMount', 'runAsUser', 'runAsGroup'] as const),
];

function validateWindows(spec: PodSpec, path: string): FieldError[] {
  const refuse = (at: string): FieldError => forbidden(at, 'cannot be set for a windows pod');
  const { hostUsers, hostPID, hostIPC, shareProcessNamespace, securityContext = {} } = spec;
  const ofSpec = { hostUsers, hostPID: hostPID || undefined, hostIPC: hostIPC || undefined, shareProcessNamespace };
  const fields: Readonly<Record<string, unknown>> = { ...securityContext, ...ofSpec };
  const errors = ofLinuxPods
    .filter((field) => fields[field] !== undefined)
    .map((field) => refuse(Object.hasOwn(ofSpec, field) ? `${path}.${field}` : `${path}.securityContext.${field}`));
  for (const [container, at] of containersOf(spec, path)) {
    for (const field of ofLinuxContainers) {
      if (container.securityContext?.[field] !== undefined) errors.push(refuse(`${at}.securityContext.${field}`));
    }
  }
  return errors;
}

/** All containers with their paths, in the order in which upstream visits them (`VisitContainersWithPath`). */
function containersOf(
  spec: PodSpec,
  path: string,
): (readonly [container: Pick<Container, 'securityContext'>, path: string])[] {
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
    (spec[list] ?? []).map((container, index) => [container, `${path}.${list}[${index}]`] as const),
  );
}
