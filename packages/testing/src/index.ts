export { Environment, type EnvironmentOptions, type OperatorConnection, type Stoppable } from './environment.ts';
export { type EventuallyOptions, eventually } from './eventually.ts';
export type { EnvironmentKind } from './server/test-server.ts';
