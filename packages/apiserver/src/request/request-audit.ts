/** What the handlers of a request report to the audit log. */
export interface RequestAudit {
  /**
   * Records the decoded body of the request, before admission, with the metadata that names the object. `encode` writes it as JSON with the
   * members in Go's order. Default: in their order.
   */
  requestObject(object: object, encode?: () => string): void;
  /** Records the body of a patch, which `encode` writes as JSON. */
  requestPatch(encode: () => string): void;
}
