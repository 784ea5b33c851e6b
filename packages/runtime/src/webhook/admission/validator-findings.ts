import { type FieldError, fieldErrorOf } from '@evenkeel/apimachinery/field-error';
import {
  EvenkeelError,
  type KubernetesObject,
  messageOf,
  type ObjectValidator,
  type ValidationFinding,
} from '@evenkeel/core';

/**
 * Returns the field errors of an object according to the operator's validator, except those that the old object has too: the API
 * server tolerates them in the same way (ratcheting).
 *
 * @throws EvenkeelError `validator-failed` if the validator throws or returns no list.
 */
export function validatorErrors(
  validator: ObjectValidator,
  object: KubernetesObject,
  oldObject: KubernetesObject | undefined,
): FieldError[] {
  const findings = findingsOf(validator, object);
  if (findings.length === 0) return [];
  const known = new Set(oldObject === undefined ? [] : findingsOf(validator, oldObject).map(identity));
  return findings
    .filter((finding) => !known.has(identity(finding)))
    .map(({ path, message }) => fieldErrorOf(path, message, valueAtPath(object, path)));
}

function identity({ path, message }: ValidationFinding): string {
  return JSON.stringify([path, message]);
}

function findingsOf(validator: ObjectValidator, object: KubernetesObject): readonly ValidationFinding[] {
  let findings: unknown;
  try {
    findings = validator.validate(object);
  } catch (error) {
    throw failed(object, `the validator threw: ${messageOf(error)}`, error);
  }
  if (Array.isArray(findings)) return findings as readonly ValidationFinding[];
  const given = findings instanceof Promise ? 'a promise' : typeof findings;
  throw failed(object, `the validator returned ${given}; return a list of findings synchronously`, undefined);
}

function failed({ kind, metadata }: KubernetesObject, why: string, cause: unknown): EvenkeelError {
  return new EvenkeelError('validator-failed', `cannot validate ${kind} ${metadata?.name}: ${why}`, { cause });
}

/** The value at a path such as `spec.ports[0].port` or `metadata.labels[app.kubernetes.io/name]`; undefined if there is none. */
function valueAtPath(object: unknown, path: string): unknown {
  let value = object;
  for (const [, name, key] of path.matchAll(/([^.[\]]+)|\[([^\]]*)\]/g)) {
    const step = name ?? key ?? '';
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[step];
  }
  return value;
}
