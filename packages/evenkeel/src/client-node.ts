// For programs that use @kubernetes/client-node. It is separate because other programs do not need that package's
// types.
export { clientNodeConfig } from '@evenkeel/client/client-node';
