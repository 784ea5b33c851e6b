export { Environment, type EnvironmentOptions, type OperatorConnection, type Stoppable } from './environment.ts';
export { type EventuallyOptions, eventually } from './eventually.ts';
export { RbacAudit, type RbacAuditOptions } from './rbac/rbac-audit.ts';
export type { EnvironmentKind } from './server/test-server.ts';
