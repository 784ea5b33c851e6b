import { type Answer, type Review, ReviewServer } from '../review-server.fixture.ts';

export type { Answer, Review } from '../review-server.fixture.ts';

/** A conversion webhook on a socket of this process, whose behavior a test changes at any time. */
export class ConversionWebhook extends ReviewServer {
  /** What the webhook received since the last reset: the desired versions with the number of objects. */
  readonly calls: { readonly to: string; readonly objects: readonly Review[] }[] = [];
  answer: Answer = (review) => converted(review);

  static open(): Promise<ConversionWebhook> {
    return new ConversionWebhook(['127.0.0.1', 'convert.shop.svc']).listen();
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}/convert`;
  }

  protected override answerTo(review: Review): Answer {
    this.calls.push({ to: review.request.desiredAPIVersion, objects: review.request.objects });
    return this.answer;
  }
}

/** The response of a webhook that renames `spec.name` of v1 to `spec.title` of v2, and drops what the other lacks. */
export function converted(review: Review, convert: (object: Review, to: string) => Review = inVersion): Review {
  const { uid, objects, desiredAPIVersion } = review.request;
  const convertedObjects = objects.map((object: Review) => convert(object, desiredAPIVersion));
  return {
    kind: 'ConversionReview',
    apiVersion: review.apiVersion,
    response: { uid, convertedObjects, result: success },
  };
}

const success = { status: 'Success' };

export function inVersion(object: Review, to: string): Review {
  const copy = structuredClone(object);
  copy.apiVersion = to;
  // An apply removes fields step by step, which may leave nothing of the spec.
  if (!copy.spec || object.apiVersion === to) return copy;
  const { name, title, one: _, two: __, ...spec } = copy.spec;
  const text = name ?? title;
  copy.spec = { ...spec, ...(text !== undefined && { [to.endsWith('/v1') ? 'name' : 'title']: text }) };
  return copy;
}

/** A webhook that rejects every review. */
export const failing: Answer = (review) => ({
  ...converted(review),
  response: { uid: review.request.uid, result: { status: 'Failure', message: 'cannot convert this' } },
});

const spec = (properties: object): object => ({
  openAPIV3Schema: {
    type: 'object',
    properties: {
      spec: { type: 'object', properties },
      status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  },
});

const text = { type: 'string' };
const shared = { pages: { type: 'integer', default: 7 }, tags: { type: 'object', additionalProperties: text } };

/** Books in two versions: v1 is stored and has `name` and `one`, v2 has `title` and `two`. */
export function bookDefinition(group: string, conversion: object | undefined): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `books.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Book', plural: 'books' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: spec({ ...shared, name: text, one: { ...text, default: 'of v1' } }),
          subresources: { status: {} },
        },
        {
          name: 'v2',
          served: true,
          storage: false,
          schema: spec({ ...shared, title: text, two: { ...text, default: 'of v2' } }),
          subresources: { status: {} },
        },
      ],
      ...(conversion !== undefined && { conversion }),
    },
  };
}

export function webhookConversion(clientConfig: object, conversionReviewVersions: readonly string[] = ['v1']): object {
  return { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions } };
}
