import type { Random } from '@evenkeel/core';
import type { ApiObject } from '../kind/api-object.ts';
import { randomUid } from '../kind/random-name.ts';
import type { WebhookCaller } from '../webhook/webhook-caller.ts';
import type { ClientConfig } from '../webhook/webhook-target.ts';
import {
  conversionReview,
  convertedObject,
  convertedObjectsIn,
  kindOf,
  plainError,
  reviewVersionOf,
} from './conversion-review.ts';
import type { DefinitionSpec } from './custom-definition.ts';
import type { VersionConverter } from './version-converter.ts';

/** The most objects of one review. Upstream converts the objects of a list one by one. */
const objectsPerReviewMax = 500;

/** The parts of the server that a conversion by webhook needs. */
export interface ConversionCalls {
  readonly webhooks: WebhookCaller;
  readonly random: Random;
}

/** Returns the converter of a definition whose conversion strategy is Webhook; otherwise undefined. */
export function webhookConverterOf(
  { conversion }: DefinitionSpec,
  calls: ConversionCalls,
): VersionConverter | undefined {
  if (conversion?.strategy !== 'Webhook') return undefined;
  const { clientConfig = {}, conversionReviewVersions = [] } = conversion.webhook ?? {};
  return new WebhookConverter(clientConfig as ClientConfig, conversionReviewVersions, calls);
}

class WebhookConverter implements VersionConverter {
  readonly #config: ClientConfig;
  readonly #reviewVersions: readonly string[];
  readonly #calls: ConversionCalls;

  constructor(config: ClientConfig, reviewVersions: readonly string[], calls: ConversionCalls) {
    this.#config = config;
    this.#reviewVersions = reviewVersions;
    this.#calls = calls;
  }

  async convert(objects: readonly ApiObject[], apiVersion: string): Promise<ApiObject[]> {
    const all: ApiObject[] = [];
    for (let from = 0; from < objects.length; from += objectsPerReviewMax) {
      all.push(...(await this.#review(objects.slice(from, from + objectsPerReviewMax), apiVersion)));
    }
    return all;
  }

  async #review(objects: readonly ApiObject[], apiVersion: string): Promise<ApiObject[]> {
    const [first] = objects;
    if (first === undefined) return [];
    const version = reviewVersionOf(this.#reviewVersions);
    const uid = randomUid(this.#calls.random);
    let converted: readonly unknown[];
    try {
      const body = conversionReview(version, uid, objects, apiVersion);
      converted = convertedObjectsIn(await this.#calls.webhooks.call(this.#config, { body }), version, uid);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw plainError(`conversion webhook for ${kindOf(first)} failed: ${why}`);
    }
    if (converted.length !== objects.length) {
      const counts = `returned ${converted.length} objects, expected ${objects.length}`;
      throw plainError(`conversion webhook for ${kindOf(first)} ${counts}`);
    }
    return objects.map((object, index) => convertedObject(object, converted[index], apiVersion));
  }
}
