// For programs that have @kubernetes/client-node, whose types nobody else needs.
export { clientNodeConfig } from '@evenkeel/client/client-node';
