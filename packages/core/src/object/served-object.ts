/**
 * An object as the API server or the cache returns it: its status may be missing, because the API server removes the status when
 * an object is created, and a controller writes it later. Only the object that a reconcile gets always has one.
 */
export type ServedObject<T> = T extends { readonly status: infer S } ? Omit<T, 'status'> & { status?: S } : T;
