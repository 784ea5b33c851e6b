/** The ports of the container, to which its arguments, the Services and the NetworkPolicy refer. */
export const containerPorts = {
  health: 8081,
  metrics: 8443,
  /** The default of the setting `--webhook-address`. */
  webhook: 9443,
} as const;
