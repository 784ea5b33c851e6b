import type { Container, Pod } from '@evenkeel/kinds';
import type { EnvVar } from '@evenkeel/kinds/core/v1';
import { expandVariables } from './expand-variables.ts';
import { containerResource, type PodAddresses, podField } from './pod-fields.ts';
import { ContainerConfigError, keyOf, type PodSources } from './pod-sources.ts';

/**
 * Returns the given environment variables and those that a container declares, which override them. Throws {@link ContainerConfigError} if
 * a required ConfigMap, Secret or key does not exist.
 */
export async function containerVariables(
  pod: Pod,
  { name: containerName, env = [], envFrom = [] }: Container,
  sources: PodSources,
  at: PodAddresses,
  given: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const variables = new Map(given);
  for (const { prefix = '', configMapRef, secretRef } of envFrom) {
    const data =
      configMapRef !== undefined
        ? await sources.configMap(configMapRef.name ?? '', configMapRef.optional === true)
        : await sources.secret(secretRef?.name ?? '', secretRef?.optional === true);
    for (const [key, value] of data ?? []) variables.set(`${prefix}${key}`, value.toString());
  }
  for (const variable of env) {
    const value = await variableValue(variable, pod, containerName, sources, at);
    // `value` may refer to earlier variables, other values are taken as they are.
    if (value !== undefined)
      variables.set(variable.name, variable.valueFrom === undefined ? expandVariables(value, variables) : value);
  }
  return variables;
}

async function variableValue(
  { name, value = '', valueFrom }: EnvVar,
  pod: Pod,
  containerName: string,
  sources: PodSources,
  at: PodAddresses,
): Promise<string | undefined> {
  if (valueFrom === undefined) return value;
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = valueFrom;
  if (fieldRef !== undefined) {
    const field = podField(pod, fieldRef, at);
    if (field === undefined) throw new ContainerConfigError(`env ${name}: unknown field ${fieldRef.fieldPath}`);
    return field;
  }
  if (resourceFieldRef !== undefined) return containerResource(pod, containerName, resourceFieldRef);
  if (configMapKeyRef !== undefined) {
    const { name: map = '', key, optional: isOptional = false } = configMapKeyRef;
    const source = `ConfigMap ${pod.metadata.namespace}/${map}`;
    return keyOf(await sources.configMap(map, isOptional), { key, source, isOptional })?.toString();
  }
  if (secretKeyRef !== undefined) {
    const { name: secret = '', key, optional: isOptional = false } = secretKeyRef;
    const source = `Secret ${pod.metadata.namespace}/${secret}`;
    return keyOf(await sources.secret(secret, isOptional), { key, source, isOptional })?.toString();
  }
  throw new ContainerConfigError(`env ${name}: a PodRunner does not support this valueFrom`);
}
