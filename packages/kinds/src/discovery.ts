export type { BuiltinGroup, BuiltinGroupVersion, BuiltinResource, BuiltinSubresource } from './builtin-group.ts';

/** Every group, version and resource of a default Kubernetes 1.36.3 server, in its order: core first. */
export { builtinGroups } from './generated/discovery.ts';
