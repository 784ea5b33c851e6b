import type { Client } from '@evenkeel/client';
import {
  type AdmissionPolicy,
  type AdmissionPolicyBinding,
  ignoreNotFound,
  type WebhookConfiguration,
} from '@evenkeel/core';
import {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from '@evenkeel/kinds';
import type { SessionMark } from './session-mark.ts';

/** The objects that a session creates to register webhooks and policies. */
export type RegisteredObject = WebhookConfiguration | AdmissionPolicy | AdmissionPolicyBinding;

/** The classes of {@link RegisteredObject}. A policy without its binding has no effect, so bindings are removed first. */
export const registeredKinds = {
  ValidatingWebhookConfiguration,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicyBinding,
  MutatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
  MutatingAdmissionPolicy,
} as const;

/** Creates an object with the mark of its session, and adds its removal to `undo`. */
export async function register(
  client: Client,
  object: RegisteredObject,
  mark: SessionMark,
  undo: (() => Promise<unknown>)[],
): Promise<void> {
  const { apiVersion: _, kind, ...given } = object;
  const { name } = object.metadata;
  await client.create(registeredKinds[kind], { ...given, metadata: { name, ...mark } } as never);
  undo.push(() => ignoreNotFound(client.delete(registeredKinds[kind], name)));
}
