/** One of the reasons why a request was rejected. */
export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

/** `metav1.Status` as JSON: how an API server reports an error. */
export interface ApiStatus {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: Record<string, unknown>;
  status: 'Failure' | 'Success';
  message?: string;
  reason?: string;
  details?: {
    name?: string;
    group?: string;
    kind?: string;
    uid?: string;
    causes?: StatusCause[];
    retryAfterSeconds?: number;
  };
  code?: number;
}
