import type { StructuralSchema } from '@evenkeel/schema';

/** How consoles show a field of a kind. */
export interface Descriptor {
  /** The path below `spec` or `status`: `schedule.minute`. */
  readonly path: string;
  readonly displayName: string;
  readonly description?: string;
  readonly 'x-descriptors'?: readonly string[];
}

/** The part of an object that descriptors describe. */
export type DescribedPart = 'spec' | 'status';

/** Users of a form see a few levels. Larger objects, such as pod templates, are shown as a whole. */
const levels = 3;
const fieldsMax = 10;

const form = 'urn:alm:descriptor:com.tectonic.ui:';
const kubernetes = 'urn:alm:descriptor:io.kubernetes';

/**
 * Returns the descriptors of all fields of a part: its own, and those of small objects below it, in the order of the schema.
 *
 * Source: https://github.com/openshift/console/blob/main/frontend/packages/operator-lifecycle-manager/src/components/descriptors/reference/reference.md
 *
 * @param schema of `spec` or `status`.
 * @param replicasPath the path of the replicas below the part, if the kind has the subresource scale.
 */
export function descriptorsOf(part: DescribedPart, schema: StructuralSchema, replicasPath?: string): Descriptor[] {
  return fieldsOf(schema, '', 1).map(([path, field]) => ({
    path,
    displayName: field.title ?? wordsOf(path),
    ...(field.description === undefined ? {} : { description: field.description }),
    ...listed(path === replicasPath ? [`${form}podCount`] : controlsOf(part, nameOf(path), field)),
  }));
}

/** `maxConcurrentJobs` as `Max Concurrent Jobs`, and `podIPs` as `Pod IPs`. */
export function wordsOf(path: string): string {
  const words = nameOf(path).match(/[A-Z]+s?(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [nameOf(path)];
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}

function fieldsOf(schema: StructuralSchema, prefix: string, level: number): [path: string, field: StructuralSchema][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const own: [string, StructuralSchema] = [path, field];
    const below = Object.keys(field.properties ?? {}).length;
    const isWhole = name === 'metadata' || below > fieldsMax || controlOfObject(name, field) !== undefined;
    if (level === levels || isWhole) return [own];
    return [own, ...fieldsOf(field, `${path}.`, level + 1)];
  });
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function listed(controls: readonly string[]): Pick<Descriptor, 'x-descriptors'> {
  return controls.length === 0 ? {} : { 'x-descriptors': controls };
}

function controlsOf(part: DescribedPart, name: string, field: StructuralSchema): readonly string[] {
  const object = controlOfObject(name, field);
  if (object !== undefined) return [object];
  const reference = referenceOf(name, field);
  if (reference !== undefined) return [reference];
  return part === 'status' ? statusControls(name, field) : specControls(field);
}

function specControls({ type, format, enum: values, ...field }: StructuralSchema): readonly string[] {
  if (field['x-kubernetes-int-or-string'] === true) return [`${form}text`];
  switch (type) {
    case 'boolean':
      return [`${form}booleanSwitch`];
    case 'integer':
    case 'number':
      return [`${form}number`];
    case 'string':
      if (values !== undefined) return values.map((value) => `${form}select:${String(value)}`);
      return [format === 'password' ? `${form}password` : `${form}text`];
    default:
      return [];
  }
}

function statusControls(name: string, { type, format }: StructuralSchema): readonly string[] {
  if (name === 'conditions' && type === 'array') return [`${kubernetes}.conditions`];
  if (type === 'string' && name === 'phase') return [`${kubernetes}.phase`];
  if (type === 'string' && name === 'reason') return [`${kubernetes}.phase:reason`];
  if (type === 'string' && format === 'uri') return ['urn:alm:descriptor:org.w3:link'];
  return type === 'object' || type === 'array' ? [] : [`${form}text`];
}

/** Kinds whose objects fields name: `pageConfigMap`, `passwordSecretName`. */
const referencedKinds = ['ConfigMap', 'Secret', 'ServiceAccount', 'Service', 'Namespace', 'PersistentVolumeClaim'];

function referenceOf(name: string, { type }: StructuralSchema): string | undefined {
  if (type !== 'string') return undefined;
  const kind = referencedKinds.find((each) => {
    const words = name.replace(/(?:Name|Ref)$/, '');
    return words.endsWith(each) || words === each.charAt(0).toLowerCase() + each.slice(1);
  });
  return kind === undefined ? undefined : `${kubernetes}:${kind}`;
}

/** The controls for objects of types of Kubernetes, which are recognised by their names and fields. */
function controlOfObject(name: string, { type, properties = {} }: StructuralSchema): string | undefined {
  if (type !== 'object') return undefined;
  if ('limits' in properties && 'requests' in properties) return `${form}resourceRequirements`;
  if (name === 'nodeAffinity' || name === 'podAffinity' || name === 'podAntiAffinity') return `${form}${name}`;
  if (name === 'updateStrategy' && 'rollingUpdate' in properties) return `${form}updateStrategy`;
  return undefined;
}
