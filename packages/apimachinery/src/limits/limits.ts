/** The largest body of a request, in bytes: apiserver's `MaxRequestBodyBytes`, which CEL's estimates and JSON patches share. */
export const requestBytesMax = 3 * 1024 * 1024;

/** etcd's limit of a request (`--max-request-bytes`), which bounds the size of an object. */
export const objectBytesMax = 1536 * 1024;

/** Keys and values of an object's annotations together, in bytes: `TotalAnnotationSizeLimitB`. */
export const annotationBytesMax = 256 * 1024;

/** The longest name of a field manager, in bytes: `FieldManagerMaxLength`. */
export const fieldManagerBytesMax = 128;
