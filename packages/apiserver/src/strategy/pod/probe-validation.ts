import type { Lifecycle, Probe } from '@evenkeel/kinds';
import {
  type FieldError,
  forbidden,
  httpHeaderNameErrors,
  invalid,
  notSupported,
  required,
} from '../../apimachinery/index.ts';
import { validateNonNegative, validatePort, validatePortNumber } from '../number-validation.ts';

type Handler = Pick<Probe, 'exec' | 'httpGet' | 'tcpSocket' | 'grpc'> & { sleep?: { seconds: number } };

/** Source: `validateProbe` and its kin, `pkg/apis/core/validation/validation.go`. */
export function validateProbe(
  kind: 'livenessProbe' | 'readinessProbe' | 'startupProbe',
  probe: Probe | undefined,
  path: string,
): FieldError[] {
  if (probe === undefined) return [];
  const errors = validateHandler(probe, undefined, path);
  for (const field of [
    'initialDelaySeconds',
    'timeoutSeconds',
    'periodSeconds',
    'successThreshold',
    'failureThreshold',
  ] as const) {
    errors.push(...validateNonNegative(probe[field], `${path}.${field}`));
  }
  const grace = probe.terminationGracePeriodSeconds;
  const gracePath = `${path}.terminationGracePeriodSeconds`;
  if (grace !== undefined && grace <= 0) errors.push(invalid(gracePath, grace, 'must be greater than 0'));
  if (kind === 'readinessProbe') {
    if (grace !== undefined) errors.push(invalid(gracePath, grace, 'must not be set for readinessProbes'));
  } else if (probe.successThreshold !== 1) {
    errors.push(invalid(`${path}.successThreshold`, probe.successThreshold ?? 0, 'must be 1'));
  }
  return errors;
}

export function validateLifecycle(
  lifecycle: Lifecycle | undefined,
  graceSeconds: number | undefined,
  path: string,
): FieldError[] {
  return (['postStart', 'preStop'] as const).flatMap((hook) => {
    const handler = lifecycle?.[hook];
    return handler === undefined ? [] : validateHandler(handler, graceSeconds, `${path}.${hook}`);
  });
}

/** Exactly one way to ask a container. */
function validateHandler(handler: Handler, graceSeconds: number | undefined, path: string): FieldError[] {
  const errors: FieldError[] = [];
  let found = false;
  for (const kind of ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const) {
    if (handler[kind] === undefined) continue;
    const at = `${path}.${kind}`;
    if (found) errors.push(forbidden(at, 'may not specify more than 1 handler type'));
    else errors.push(...validateAction(handler, kind, graceSeconds, at));
    found = true;
  }
  if (!found) errors.push(required(path, 'must specify a handler type'));
  return errors;
}

function validateAction(
  { exec, httpGet, tcpSocket, grpc, sleep }: Handler,
  kind: keyof Handler,
  graceSeconds: number | undefined,
  path: string,
): FieldError[] {
  switch (kind) {
    case 'exec':
      return (exec?.command ?? []).length === 0 ? [required(`${path}.command`)] : [];
    case 'tcpSocket':
      return validatePort(tcpSocket?.port ?? 0, `${path}.port`);
    case 'grpc':
      return validatePortNumber(grpc?.port ?? 0, `${path}.port`);
    case 'sleep':
      return validateSleep(sleep?.seconds ?? 0, graceSeconds, path);
    case 'httpGet': {
      const errors: FieldError[] = httpGet?.path ? [] : [required(`${path}.path`)];
      errors.push(...validatePort(httpGet?.port ?? 0, `${path}.port`));
      const scheme = httpGet?.scheme ?? '';
      if (scheme !== 'HTTP' && scheme !== 'HTTPS') {
        errors.push(notSupported(`${path}.scheme`, scheme, ['HTTP', 'HTTPS']));
      }
      for (const { name } of httpGet?.httpHeaders ?? []) {
        errors.push(...httpHeaderNameErrors(name).map((detail) => invalid(`${path}.httpHeaders`, name, detail)));
      }
      return errors;
    }
  }
}

function validateSleep(seconds: number, graceSeconds: number | undefined, path: string): FieldError[] {
  if (graceSeconds === undefined || (seconds >= 0 && seconds <= graceSeconds)) return [];
  const detail = `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`;
  return [invalid(path, seconds, detail)];
}
