import { goJsonError, goQuote, isJsonObject, type JsonObject, jsonKindOf, parseJson } from '../apimachinery/index.ts';
import { tooDeepAt } from '../text/json-text.ts';
import { readYaml } from '../text/yaml-text.ts';
import { WebhookCallError } from './webhook-call-error.ts';
import type { WebhookResponse } from './webhook-handler.ts';

/** The most characters of a response that is not a review in a message (`maxUnstructuredResponseTextBytes`). */
const shownBytesMax = 2048;

/** The most levels of JSON that Go parses. */
const depthMax = 10_000;

/** The longest response that is parsed as YAML, which is slow. */
const yamlLengthMax = 1024 * 1024;

/**
 * Returns the object in a response: JSON or, as client-go recognizes, YAML. Throws WebhookCallError with client-go's
 * message if there is none.
 */
export async function reviewIn(response: WebhookResponse): Promise<JsonObject> {
  const { status, body } = response;
  if (status < 200 || status > 206) throw new WebhookCallError(statusMessage(response), false, status);
  if (body.byteLength === 0) {
    const type = response.headers?.['content-type'] ?? 'application/json';
    throw new WebhookCallError(
      `0-length response with status code: ${status} and content type: ${type}`,
      false,
      status,
    );
  }
  const json = await parsed(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString(), status);
  // Go decodes null as an object without members.
  if (json === null) return {};
  if (!isJsonObject(json)) {
    throw new WebhookCallError(`${notTyped}json: cannot unmarshal ${jsonKindOf(json)} into ${typeMeta}`, false, status);
  }
  return json;
}

async function parsed(text: string, status: number): Promise<unknown> {
  // What Go takes for JSON; it reads all other texts as YAML.
  const isJson = /^[\t-\r \u0085\u00a0]*\{/.test(text);
  const deep = isJson ? tooDeepAt(text, depthMax) : undefined;
  if (deep !== undefined) {
    throw new WebhookCallError(`${notTyped}invalid character '${deep}' exceeded max depth`, false, status);
  }
  try {
    return parseJson(text);
  } catch {
    if (isJson || text.length > yamlLengthMax)
      throw new WebhookCallError(`${notTyped}${goJsonError(text)}`, false, status);
  }
  try {
    return (await readYaml(text)).value;
  } catch (error) {
    throw new WebhookCallError((error as Error).message, false, status);
  }
}

const notTyped = "couldn't get version/kind; json parse error: ";

const typeMeta =
  'Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** `NewGenericServerResponse` of apimachinery's `api/errors`, for a POST without a resource. */
function statusMessage(response: WebhookResponse): string {
  const { status } = response;
  const failure = failureIn(response);
  if (failure !== undefined) return failure;
  const known = messages[status];
  if (known !== undefined) return known;
  const shown = shownBody(response);
  if (status === 403 || status === 415) return shown;
  if (status === 406) {
    const none = shown === '' || shown === 'unknown';
    return none ? 'the server was unable to respond with a content type that the client supports' : shown;
  }
  if (status >= 500) return `an error on the server (${goQuote(shown)}) has prevented the request from succeeding`;
  return `the server responded with the status code ${status} but did not return more information`;
}

const messages: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};

/** The message of a `Status` in the body, which client-go prefers. */
function failureIn({ body }: WebhookResponse): string | undefined {
  if (body.byteLength === 0) return undefined;
  try {
    const json: unknown = JSON.parse(Buffer.from(body).toString());
    if (!isJsonObject(json) || json['kind'] !== 'Status' || json['status'] !== 'Failure') return undefined;
    return typeof json['message'] === 'string' ? json['message'] : '';
  } catch {
    return undefined;
  }
}

function shownBody({ headers = {}, body }: WebhookResponse): string {
  const type = headers['content-type'] ?? '';
  if (type !== '' && !type.toLowerCase().startsWith('text/')) return 'unknown';
  return Buffer.from(body.subarray(0, shownBytesMax)).toString().trim();
}
