/** One of the causes for which a request was rejected. */
export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

/** `metav1.Status` as JSON: an API server's response to a failed request. */
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
