export { ApiServer, type ApiServerOptions, administrator } from './api-server.ts';
export type { AuditOptions } from './audit/audit-log.ts';
export type {
  AuditGroupResources,
  AuditLevel,
  AuditPolicy,
  AuditPolicyRule,
  AuditStage,
} from './audit/audit-policy.ts';
// For authors of controllers that run inside the server.
export type { ControllerContext, EmbeddedController } from './controllers/controller.ts';
// For programs that check the expressions of policies.
export type {
  ServerClient,
  ServerResource,
  ServerResourceInfo,
  StoredEvent,
  WriteOptions,
} from './controllers/server-client.ts';
// For authors of custom transports.
export { applyJsonPatch } from './patch/json-patch.ts';
export type { ApiRequest, ApiResponse } from './request/api-request.ts';
export { type RequestInfo, requestInfoOf } from './request/request-info.ts';
export type { UserInfo } from './request/user-info.ts';
export type { WebhookHandler, WebhookRequest, WebhookResponse } from './webhook/webhook-handler.ts';
