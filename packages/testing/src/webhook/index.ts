// For programs that run an operator without installing it, such as `evenkeel dev`.

export { addressTowards } from './address-towards.ts';
export { type ApplyDefinitionOptions, applyDefinition } from './apply-definition.ts';
export { definitionWithoutOtherSession } from './definition-without-other-session.ts';
export { EmbeddedDoor } from './embedded-door.ts';
export { HttpsDoor } from './https-door.ts';
export { noConversion, untilWritten } from './restore-conversion.ts';
export { ServingWebhookHost } from './serving-webhook-host.ts';
export type { WebhookDoor } from './webhook-door.ts';
