import type { PodSpec, SecurityContext } from '@evenkeel/kinds';
import {
  duplicate,
  type FieldError,
  GoStruct,
  invalid,
  notSupported,
  rangeMessage,
  required,
  tooLong,
} from '../../apimachinery/index.ts';
import { validateDescendingPath } from './volume-files-validation.ts';
import { shownWindowsOptions, validateWindowsOptions } from './windows-validation.ts';

type AppArmorProfile = NonNullable<SecurityContext['appArmorProfile']>;
type SeccompProfile = NonNullable<SecurityContext['seccompProfile']>;

const largestId = 2 ** 31 - 1;
const sysctlBytesMax = 253;
const sysctlSegment = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const sysctlName = `^(${sysctlSegment}[\\./])*${sysctlSegment}$`;
/** `PATH_MAX - 1` of Linux. */
const profilePathBytesMax = 4095;
const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'];

/** Source: `validatePodSpecSecurityContext`, `pkg/apis/core/validation/validation.go`; the errors in its order. */
export function validatePodSecurityContext(spec: PodSpec, path: string): FieldError[] {
  const context = spec.securityContext ?? {};
  const errors = [
    ...validateId(context.fsGroup, `${path}.fsGroup`),
    ...validateId(context.runAsUser, `${path}.runAsUser`),
    ...validateId(context.runAsGroup, `${path}.runAsGroup`),
    ...(context.supplementalGroups ?? []).flatMap((group, index) =>
      validateId(group, `${path}.supplementalGroups[${index}]`),
    ),
  ];
  if (spec.hostPID === true && spec.shareProcessNamespace === true) {
    const detail = 'ShareProcessNamespace and HostPID cannot both be enabled';
    errors.push(invalid(`${path}.shareProcessNamespace`, true, detail));
  }
  return [
    ...errors,
    ...validateSysctls(spec, `${path}.sysctls`),
    ...validatePolicy(context.fsGroupChangePolicy, `${path}.fsGroupChangePolicy`, ['Always', 'OnRootMismatch']),
    ...validateSeccomp(context.seccompProfile, `${path}.seccompProfile`),
    ...validateWindowsOptions(context.windowsOptions, `${path}.windowsOptions`),
    ...validateAppArmor(context.appArmorProfile, `${path}.appArmorProfile`),
    ...validatePolicy(context.supplementalGroupsPolicy, `${path}.supplementalGroupsPolicy`, ['Merge', 'Strict']),
    ...validatePolicy(context.seLinuxChangePolicy, `${path}.seLinuxChangePolicy`, ['Recursive']),
  ];
}

/** Source: `ValidateSecurityContext`. */
export function validateSecurityContext(
  context: SecurityContext | undefined,
  hostUsers: boolean,
  path: string,
): FieldError[] {
  if (context === undefined) return [];
  const { procMount } = context;
  const errors = [
    ...validateId(context.runAsUser, `${path}.runAsUser`),
    ...validateId(context.runAsGroup, `${path}.runAsGroup`),
    ...validatePolicy(procMount, `${path}.procMount`, ['Default', 'Unmasked']),
  ];
  if (hostUsers && procMount === 'Unmasked') {
    errors.push(invalid(`${path}.procMount`, procMount, '`hostUsers` must be false to use `Unmasked`'));
  }
  errors.push(...validateSeccomp(context.seccompProfile, `${path}.seccompProfile`));
  if (context.allowPrivilegeEscalation === false) {
    const cannot = 'cannot set `allowPrivilegeEscalation` to false and';
    const shown = shownContext(context);
    if (context.privileged === true) errors.push(invalid(path, shown, `${cannot} \`privileged\` to true`));
    for (const capability of context.capabilities?.add ?? []) {
      if (capability !== 'CAP_SYS_ADMIN') continue;
      errors.push(invalid(path, shown, `${cannot} \`capabilities.Add\` CAP_SYS_ADMIN`));
    }
  }
  return [
    ...errors,
    ...validateWindowsOptions(context.windowsOptions, `${path}.windowsOptions`),
    ...validateAppArmor(context.appArmorProfile, `${path}.appArmorProfile`),
  ];
}

function validateId(id: number | undefined, path: string): FieldError[] {
  return id === undefined || (id >= 0 && id <= largestId) ? [] : [invalid(path, id, rangeMessage(0, largestId))];
}

function validatePolicy(policy: string | undefined, path: string, choices: readonly string[]): FieldError[] {
  return policy === undefined || choices.includes(policy) ? [] : [notSupported(path, policy, choices)];
}

function validateSysctls({ securityContext, hostNetwork, hostIPC }: PodSpec, path: string): FieldError[] {
  const names = new Set<string>();
  return (securityContext?.sysctls ?? []).flatMap(({ name = '' }, index) => {
    const at = `${path}[${index}].name`;
    const errors: FieldError[] = [];
    if (name === '') errors.push(required(at));
    else if (Buffer.byteLength(name) > sysctlBytesMax || !isSysctlName(name)) {
      errors.push(invalid(at, name, `must have at most ${sysctlBytesMax} characters and match regex ${sysctlName}`));
    } else if (names.has(name)) errors.push(duplicate(at, name));
    names.add(name);
    const namespace = namespaceOf(name);
    if (hostNetwork === true && namespace === 'net') {
      errors.push(invalid(at, name, "may not be specified when 'hostNetwork' is true"));
    } else if (hostIPC === true && namespace === 'ipc') {
      errors.push(invalid(at, name, "may not be specified when 'hostIPC' is true"));
    }
    return errors;
  });
}

/** The same as {@link sysctlName}, but reads each character once. */
const isSysctlName = (name: string): boolean =>
  name.split(/[./]/).every((segment) => /^[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/.test(segment));

const ipcNames = new Set([
  ...['kernel.sem', 'kernel.shm', 'kernel.shmall', 'kernel.shmmax', 'kernel.shmmni', 'kernel.shm_rmid_forced'],
  ...['kernel.msg', 'kernel.msgmax', 'kernel.msgmnb', 'kernel.msgmni'],
]);

/** The namespace of a sysctl. Source: `GetNamespace`, component-helpers `node/util/sysctl`. */
function namespaceOf(sysctl: string): 'net' | 'ipc' | undefined {
  // A name with slashes may have dots in a segment, and the reverse.
  const isSlashed = /^[^.]*\//.test(sysctl);
  const dotted = isSlashed ? sysctl.replaceAll(/[./]/g, (mark) => (mark === '.' ? '/' : '.')) : sysctl;
  const [name = ''] = dotted.split('*');
  if (name.startsWith('net.')) return 'net';
  return name.startsWith('fs.mqueue.') || ipcNames.has(name) ? 'ipc' : undefined;
}

function validateSeccomp(profile: SeccompProfile | undefined, path: string): FieldError[] {
  if (profile === undefined) return [];
  const { type = '', localhostProfile } = profile;
  const at = `${path}.localhostProfile`;
  const errors: FieldError[] = [];
  if (type === '') errors.push(required(`${path}.type`, 'type is required when seccompProfile is set'));
  else if (!profileTypes.includes(type)) errors.push(notSupported(`${path}.type`, type, profileTypes));
  if (type !== 'Localhost') {
    if (localhostProfile !== undefined) {
      errors.push(invalid(at, shownProfile(profile), 'can only be set when seccomp type is Localhost'));
    }
    return errors;
  }
  if (localhostProfile === undefined) return [required(at, 'must be set when seccomp type is Localhost')];
  return validateDescendingPath(localhostProfile, at);
}

/** Source: `ValidateAppArmorProfileField`. */
function validateAppArmor(profile: AppArmorProfile | undefined, path: string): FieldError[] {
  if (profile === undefined) return [];
  const { type = '', localhostProfile } = profile;
  const at = `${path}.localhostProfile`;
  if (type === '') return [required(`${path}.type`, 'type is required when appArmorProfile is set')];
  if (!profileTypes.includes(type)) return [notSupported(`${path}.type`, type, profileTypes)];
  if (type !== 'Localhost') {
    const detail = 'can only be set when AppArmor type is Localhost';
    return localhostProfile === undefined ? [] : [invalid(at, localhostProfile, detail)];
  }
  if (!localhostProfile) return [required(at, 'must be set when AppArmor type is Localhost')];
  const errors: FieldError[] = [];
  if (localhostProfile.trim() !== localhostProfile) {
    errors.push(invalid(at, localhostProfile, 'must not be padded with whitespace'));
  }
  if (Buffer.byteLength(localhostProfile) > profilePathBytesMax) errors.push(tooLong(at, profilePathBytesMax));
  return errors;
}

/** Shows a context as upstream's messages do: as the struct of the internal version. */
function shownContext(context: SecurityContext): GoStruct {
  const { capabilities, seLinuxOptions: selinux, windowsOptions, seccompProfile, appArmorProfile } = context;
  return new GoStruct({
    Capabilities: capabilities
      ? new GoStruct({ Add: capabilities.add ?? null, Drop: capabilities.drop ?? null })
      : null,
    Privileged: context.privileged ?? null,
    SELinuxOptions: selinux
      ? new GoStruct({
          User: selinux.user ?? '',
          Role: selinux.role ?? '',
          Type: selinux.type ?? '',
          Level: selinux.level ?? '',
        })
      : null,
    WindowsOptions: windowsOptions ? shownWindowsOptions(windowsOptions) : null,
    RunAsUser: context.runAsUser ?? null,
    RunAsGroup: context.runAsGroup ?? null,
    RunAsNonRoot: context.runAsNonRoot ?? null,
    ReadOnlyRootFilesystem: context.readOnlyRootFilesystem ?? null,
    AllowPrivilegeEscalation: context.allowPrivilegeEscalation ?? null,
    ProcMount: context.procMount ?? null,
    SeccompProfile: seccompProfile ? shownProfile(seccompProfile) : null,
    AppArmorProfile: appArmorProfile ? shownProfile(appArmorProfile) : null,
  });
}

const shownProfile = ({ type, localhostProfile }: SeccompProfile | AppArmorProfile): GoStruct =>
  new GoStruct({ Type: type ?? '', LocalhostProfile: localhostProfile ?? null });
