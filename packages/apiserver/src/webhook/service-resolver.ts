/** Finds an endpoint of a Service. */
export interface ServiceResolver {
  /**
   * Returns the address of a ready endpoint behind a port of a Service. Throws an Error with the message of kube-apiserver
   * if there is none.
   */
  resolve(namespace: string, name: string, port: number): EndpointAddress;
}

export interface EndpointAddress {
  readonly host: string;
  readonly port: number;
}
