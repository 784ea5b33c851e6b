import { parseJson, stringifyJson } from '@evenkeel/apimachinery/exact-json';
import { isJsonObject, type JsonObject } from '@evenkeel/apimachinery/json';
import {
  type AnyClass,
  EvenkeelError,
  type Logger,
  messageOf,
  userPlaceOf,
  type WebhookAnswer,
  type WebhookCall,
} from '@evenkeel/core';
import { KindConversions } from '@evenkeel/core/conversion';
import { textAnswer, type WebhookRoute } from '../webhook-route.ts';

export interface ConversionRouteOptions {
  /** The classes of the versions that are converted to and from their hubs. */
  readonly classes: readonly AnyClass[];
  readonly logger: Logger;
  /** Called if a function of a class threw. */
  readonly threw?: () => void;
  /** The largest body. The API server puts all objects of a list into one review. Default 64 MiB. */
  readonly maxBodyBytes?: number;
}

/** The path of kubebuilder's conversion webhook. */
export const conversionPath = '/convert';

const reviewVersion = 'apiextensions.k8s.io/v1';

/**
 * Serves `ConversionReview` of `apiextensions.k8s.io/v1` by the conversions that some classes declare. If one object of a review
 * cannot be converted, the whole review fails, as the API server requires: its message names the object.
 */
export class ConversionRoute implements WebhookRoute {
  readonly path = conversionPath;
  readonly maxBodyBytes: number;
  /** The API server waits 30 s for a conversion, and does not say so. */
  readonly defaultTimeoutMs = 30_000;
  readonly #conversions: KindConversions;
  readonly #options: ConversionRouteOptions;

  /** @throws EvenkeelError `invalid-conversion` */
  constructor(options: ConversionRouteOptions) {
    this.#options = options;
    this.#conversions = new KindConversions(options.classes);
    this.maxBodyBytes = options.maxBodyBytes ?? 64 * 1024 * 1024;
  }

  async handle({ body, signal }: WebhookCall): Promise<WebhookAnswer> {
    const review = requestIn(body);
    if (typeof review === 'string') return textAnswer(400, review);
    const { uid, desiredAPIVersion, objects } = review;
    const converted: string[] = [];
    for (const object of objects) {
      signal.throwIfAborted();
      try {
        // Each for itself, so that the object that nests too deeply is known.
        converted.push(stringifyJson(this.#conversions.convert(object, desiredAPIVersion)));
      } catch (error) {
        return answer(uid, { status: 'Failure', message: this.#failure(object, desiredAPIVersion, error) }, []);
      }
    }
    return answer(uid, { status: 'Success' }, converted);
  }

  #failure(object: JsonObject, to: string, error: unknown): string {
    const { logger, threw } = this.#options;
    const what = `${nameOf(object)}: conversion from ${String(object['apiVersion'])} to ${to} failed`;
    if (!(error instanceof EvenkeelError)) threw?.();
    const place = userPlaceOf(error);
    logger.error('conversion failed', {
      object: nameOf(object),
      from: object['apiVersion'],
      to,
      ...(place === undefined ? {} : { at: `${place.file}:${place.line}` }),
      error,
    });
    if (error instanceof RangeError && error.message.includes('call stack')) {
      return `${what}: the object nests too deeply, or a function calls itself`;
    }
    const message = messageOf(error);
    return `${what}: ${error instanceof Error && !(error instanceof EvenkeelError) ? `${error.name}: ${message}` : message}`;
  }
}

interface ConversionRequest {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly JsonObject[];
}

/** Returns the request in a review; a string with the reason if the body is not a review. */
function requestIn(body: Uint8Array): ConversionRequest | string {
  let review: unknown;
  try {
    review = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return 'the body is not JSON';
  }
  if (!isJsonObject(review) || review['kind'] !== 'ConversionReview' || review['apiVersion'] !== reviewVersion) {
    return `the body is not a ConversionReview of ${reviewVersion}`;
  }
  const { request } = review;
  if (!isJsonObject(request)) return 'the review has no request';
  const { uid, desiredAPIVersion, objects } = request;
  if (typeof uid !== 'string' || uid === '') return 'request.uid is not a string';
  if (typeof desiredAPIVersion !== 'string' || desiredAPIVersion === '') {
    return 'request.desiredAPIVersion is not a string';
  }
  if (!Array.isArray(objects) || !objects.every((object) => isJsonObject(object) && isJsonObject(object['metadata']))) {
    return 'request.objects is not a list of objects with metadata';
  }
  return { uid, desiredAPIVersion, objects: objects as JsonObject[] };
}

function answer(uid: string, result: object, converted: readonly string[]): WebhookAnswer {
  const response = `{"uid":${JSON.stringify(uid)},"result":${JSON.stringify(result)},"convertedObjects":[${converted.join(',')}]}`;
  return {
    status: 200,
    body: `{"kind":"ConversionReview","apiVersion":"${reviewVersion}","response":${response}}`,
    contentType: 'application/json',
  };
}

function nameOf({ kind, metadata }: JsonObject): string {
  const { namespace, name, generateName } = isJsonObject(metadata) ? metadata : {};
  const known = [namespace, name ?? generateName].filter((part) => typeof part === 'string' && part !== '');
  return `${String(kind)} ${known.join('/')}`;
}
