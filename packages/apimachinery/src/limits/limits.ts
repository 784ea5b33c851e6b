/**
 * The largest body of a request, in bytes: apiserver's `MaxRequestBodyBytes`. CEL's estimates and JSON patches use it
 * too.
 */
export const requestBytesMax = 3 * 1024 * 1024;

/** etcd's limit of a request (`--max-request-bytes`), which bounds the size of an object. */
export const objectBytesMax = 1536 * 1024;

/** The largest total size of the keys and values of an object's annotations, in bytes: `TotalAnnotationSizeLimitB`. */
export const annotationBytesMax = 256 * 1024;

/** The longest name of a field manager, in bytes: `FieldManagerMaxLength`. */
export const fieldManagerBytesMax = 128;
