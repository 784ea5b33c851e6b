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
  /** The name, unique for the kind in its namespace. It cannot be changed. */
  name: string;
  /** A prefix for a name that the server chooses if `name` is missing when the object is created. */
  generateName?: string;
  /** The namespace; missing for cluster-scoped kinds. It cannot be changed. */
  namespace?: string;
  /** The identity of the object. An object that is deleted and created again has another one. Set by the server. */
  uid?: string;
  /** The version of the object, which changes with every write. Compare it only for equality. Set by the server. */
  resourceVersion?: string;
  /** A counter of the changes of the spec; not all kinds have one. Set by the server. */
  generation?: number;
  /** Set by the server. */
  creationTimestamp?: string;
  /** When the object is or was to be gone. An object with finalizers still exists after that. Set by the server. */
  deletionTimestamp?: string;
  /** The seconds between the request for the deletion and `deletionTimestamp`. Set by the server. */
  deletionGracePeriodSeconds?: number;
  /** Short values by which selectors find the object. */
  labels?: Record<string, string>;
  /** Values that are not for selectors, at most 256 KiB in total. */
  annotations?: Record<string, string>;
  /** The owners. The garbage collector deletes the object when all of them are gone. */
  ownerReferences?: OwnerReference[];
  /** The object is removed only when this list is empty. */
  finalizers?: string[];
  /** The fields that each field manager owns, for server-side apply. */
  managedFields?: ManagedFieldsEntry[];
  /** @deprecated No server sets it. */
  selfLink?: string;
}

/** The base class of all kinds. Objects are the JSON of the API with a prototype. A class adds fields, never behaviour. */
export abstract class KubernetesObject {
  declare apiVersion: string;
  declare kind: string;
  declare metadata: ObjectMeta;
}
