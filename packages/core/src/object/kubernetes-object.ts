/** An owner of an object; the garbage collector deletes the object when all of its owners are gone. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  /** At most one reference of an object may say true. */
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** Which fields one manager owns, and since when. Informers cut these before the parse. */
export interface ManagedFieldsEntry {
  manager?: string;
  operation?: 'Apply' | 'Update';
  apiVersion?: string;
  /** RFC 3339. */
  time?: string;
  fieldsType?: 'FieldsV1';
  fieldsV1?: Record<string, unknown>;
  subresource?: string;
}

/** Metadata that every persisted object has, as JSON on the wire: times are RFC 3339 strings. */
export interface ObjectMeta {
  name: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
  selfLink?: string;
}

/** What every kind has. Objects are the JSON on the wire with a prototype; a class adds fields, never behaviour. */
export abstract class KubernetesObject {
  declare apiVersion: string;
  declare kind: string;
  declare metadata: ObjectMeta;
}
