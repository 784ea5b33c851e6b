/** An owner of an object. The garbage collector deletes the object when all of its owners are deleted. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  /** At most one owner reference of an object can be true. */
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** The fields that one manager owns, and the time of its last change. Informers remove these entries before they parse. */
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

/** The metadata of a persisted object, as JSON. Times are RFC 3339 strings. */
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

/** The base class of all kinds. Objects are the JSON of the API with a prototype. A class adds fields, never behaviour. */
export abstract class KubernetesObject {
  declare apiVersion: string;
  declare kind: string;
  declare metadata: ObjectMeta;
}
