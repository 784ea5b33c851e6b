/** The recommended label of Kubernetes for the name of an application. */
const nameLabel = 'app.kubernetes.io/name';

/** The labels with which Services and other objects select the pods of an operator. */
export function podLabels(operator: string): Readonly<Record<string, string>> {
  return { [nameLabel]: operator };
}
