import {
  type AdmissionReview,
  Admit,
  type ConcreteClass,
  CustomResource,
  KubernetesObject,
  MutatingWebhook,
  type ObjectValidator,
  SilentLogger,
  Spec,
  Status,
  StatusError,
  ValidatingWebhook,
} from '@evenkeel/core';
import { planWebhooks, type WebhookPlan } from '@evenkeel/core/webhook';
import { WitnessLogger } from '../../witness/witness-logger.ts';
import { AdmissionRoute } from './admission-route.ts';
import { callOf, siteReview } from './review.fixture.ts';

class SiteSpec {
  size!: number;
  host?: string;
}

@CustomResource({ group: 'web.example.com', version: 'v1' })
class Site extends KubernetesObject {
  @Spec() spec!: SiteSpec;
  @Status() status!: { ready?: boolean };
}

interface Answer {
  readonly status: number;
  readonly response: {
    readonly uid: string;
    readonly allowed: boolean;
    readonly status?: Record<string, unknown>;
    readonly patch?: unknown;
    readonly patchType?: string;
    readonly warnings?: string[];
    readonly auditAnnotations?: Record<string, string>;
  };
}

const lines: string[] = [];

function planOf(type: ConcreteClass): WebhookPlan {
  const { plans, mistakes } = planWebhooks([type]);
  expect(mistakes).toEqual([]);
  return plans[0] as WebhookPlan;
}

function routeOf(type: ConcreteClass, validator?: ObjectValidator): AdmissionRoute {
  const plan = planOf(type);
  const instance = new type() as Record<string, (...values: unknown[]) => unknown>;
  const methods = new Map(
    plan.methods.map(({ method }) => [method, (...values: unknown[]) => instance[method]?.(...values)] as const),
  );
  const logger = new WitnessLogger(new SilentLogger(), ({ level, describe }) => lines.push(`${level} ${describe()}`));
  return new AdmissionRoute({ plan, methods, validator, maxBodyBytes: 1e6, logger });
}

async function review(type: ConcreteClass, body: unknown = siteReview(), validator?: ObjectValidator): Promise<Answer> {
  const { status, body: text } = await routeOf(type, validator).handle(callOf(body));
  const json = status === 200 ? (JSON.parse(text) as { response: Answer['response'] }) : undefined;
  const patch = json?.response.patch;
  return {
    status,
    response: {
      ...json?.response,
      ...(patch === undefined ? {} : { patch: JSON.parse(Buffer.from(String(patch), 'base64').toString()) as unknown }),
    } as Answer['response'],
  };
}

beforeEach(() => {
  lines.length = 0;
});

describe('a validating webhook', () => {
  it('accepts a request about which it says nothing, with the object of its class', async () => {
    const seen: unknown[] = [];
    @ValidatingWebhook(Site)
    class Accepts {
      @Admit() async check(site: Site, { user, options, oldObject }: AdmissionReview<Site>): Promise<void> {
        seen.push(site instanceof Site, site.status, Object.isFrozen(site.spec), user.groups, options, oldObject);
      }
    }
    expect(await review(Accepts)).toEqual({ status: 200, response: { uid: 'u-1', allowed: true } });
    expect(seen).toEqual([true, {}, true, ['dev'], { kind: 'CreateOptions', fieldManager: 'kubectl' }, undefined]);
  });

  it('reports all fields in the form of the API server, with warnings and audit annotations', async () => {
    @ValidatingWebhook(Site)
    class Fields {
      @Admit('create') first(site: Site, it: AdmissionReview<Site>): void {
        it.invalid('spec.size', site.spec.size, 'must be even');
        it.required('spec.host');
        it.warn('sizes\nwill change');
        it.audit('size', String(site.spec.size));
      }
      @Admit('create') second(_site: Site, it: AdmissionReview<Site>): void {
        it.notSupported('spec.mode', 'x', ['a']);
        it.duplicate('spec.ports[1]', 80);
        it.forbidden('metadata.name', 'is taken');
      }
    }
    expect((await review(Fields)).response).toEqual({
      uid: 'u-1',
      allowed: false,
      warnings: ['sizes will change'],
      auditAnnotations: { size: '1' },
      status: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        reason: 'Invalid',
        code: 422,
        message:
          'Site.web.example.com "blog" is invalid: [spec.size: Invalid value: 1: must be even, spec.host: Required value, spec.mode: Unsupported value: "x": supported values: "a", spec.ports[1]: Duplicate value: 80, metadata.name: Forbidden: is taken]',
        details: {
          name: 'blog',
          group: 'web.example.com',
          kind: 'Site',
          causes: [
            { reason: 'FieldValueInvalid', message: 'Invalid value: 1: must be even', field: 'spec.size' },
            { reason: 'FieldValueRequired', message: 'Required value', field: 'spec.host' },
            {
              reason: 'FieldValueNotSupported',
              message: 'Unsupported value: "x": supported values: "a"',
              field: 'spec.mode',
            },
            { reason: 'FieldValueDuplicate', message: 'Duplicate value: 80', field: 'spec.ports[1]' },
            { reason: 'FieldValueForbidden', message: 'Forbidden: is taken', field: 'metadata.name' },
          ],
        },
      },
    });
  });

  it('denies with 403, also if the method catches the error', async () => {
    @ValidatingWebhook(Site)
    class Denies {
      @Admit() check(_site: Site, it: AdmissionReview<Site>): void {
        try {
          it.deny('not on Fridays');
        } catch {
          // The denial stays.
        }
      }
    }
    const { response } = await review(Denies);
    expect(response.status).toMatchObject({ code: 403, reason: 'Forbidden', message: 'not on Fridays' });
    expect(response.allowed).toBe(false);
  });

  it('returns a StatusError as it is', async () => {
    @ValidatingWebhook(Site)
    class Conflicts {
      @Admit() check(): void {
        throw new StatusError({
          ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' },
          ...{ code: 409, reason: 'Conflict', message: 'is in use' },
        });
      }
    }
    expect((await review(Conflicts)).response.status).toMatchObject({ code: 409, message: 'is in use' });
  });

  it('rejects with 500 if a method throws, and logs the line of the user but tells the caller only the type', async () => {
    @ValidatingWebhook(Site)
    class Throws {
      @Admit() async check(site: Site): Promise<void> {
        const list = site.spec.host as unknown as string[];
        if (list.length > 0) throw new Error('secret');
      }
    }
    const { status, response } = await review(Throws);
    expect(status).toBe(200);
    expect(response.allowed).toBe(false);
    expect(response.status).toMatchObject({
      code: 500,
      reason: 'InternalError',
      message: 'Throws failed with TypeError; the log of the operator has the details',
    });
    expect(lines.join('\n')).toMatch(/error a webhook threw.*Cannot read prop.*admission-route\.test\.ts:\d+/s);
  });

  it('rejects with 500 if a method returns a value', async () => {
    @ValidatingWebhook(Site)
    class Returns {
      @Admit() check(): void {
        // biome-ignore lint/correctness/noVoidTypeReturn: the mistake of a program without type checks
        return true as never;
      }
    }
    expect((await review(Returns)).response.status).toMatchObject({ code: 500 });
    expect(lines.join('\n')).toContain('Returns.check returned a value, which has no effect');
  });

  it('rejects with 500 if a method changes the object, and logs the method, its line and the fix', async () => {
    @ValidatingWebhook(Site)
    class Changes {
      @Admit('create') async add(site: Site): Promise<void> {
        site.spec.host = 'a';
      }
      @Admit('delete') remove(site: Site): void {
        delete (site.spec as Partial<SiteSpec>).size;
      }
    }
    expect((await review(Changes)).response.status).toMatchObject({
      code: 500,
      message: 'Changes failed with EvenkeelError; the log of the operator has the details',
    });
    expect(lines.join('\n')).toMatch(
      /Changes\.add \(\S*admission-route\.test\.ts:\d+\) cannot change "host": the objects of a validating webhook are frozen; use @MutatingWebhook\(Site\) to change them, or change a copy/s,
    );
    const site = { apiVersion: 'web.example.com/v1', kind: 'Site', metadata: { name: 'blog' }, spec: { size: 9 } };
    await review(Changes, siteReview({ operation: 'DELETE', object: null, oldObject: site }));
    expect(lines.join('\n')).toContain('cannot change "size": an object that is deleted is frozen; change a copy');
  });

  it('calls only the methods of the operation; a deletion has the old object', async () => {
    const seen: string[] = [];
    @ValidatingWebhook(Site)
    class Operations {
      @Admit('delete') gone(site: Site, { oldObject, operation }: AdmissionReview<Site>): void {
        seen.push(`${operation} ${site.metadata.name} ${site === oldObject}`);
      }
      @Admit('update') changed(site: Site, { oldObject, dryRun }: AdmissionReview<Site>): void {
        seen.push(`${oldObject?.spec.size} ${site.spec.size} ${dryRun} ${Object.isFrozen(oldObject?.spec)}`);
      }
    }
    const site = { apiVersion: 'web.example.com/v1', kind: 'Site', metadata: { name: 'blog' }, spec: { size: 9 } };
    await review(Operations, siteReview({ operation: 'DELETE', object: null, oldObject: site }));
    await review(Operations, siteReview({ operation: 'UPDATE', oldObject: site, dryRun: true }));
    await review(Operations, siteReview());
    expect(seen).toEqual(['delete blog true', '9 1 true true']);
  });

  it('responds with 400 to what is not a review of its kind', async () => {
    @ValidatingWebhook(Site)
    class Accepts {
      @Admit() check(): void {}
    }
    const other = siteReview({ kind: { group: 'web.example.com', version: 'v2', kind: 'Site' } });
    expect((await review(Accepts, other)).status).toBe(400);
    expect((await review(Accepts, 'no json')).status).toBe(400);
    const text = await routeOf(Accepts).handle(callOf(siteReview(), { contentType: 'text/plain' }));
    expect(text.status).toBe(400);
  });

  it('gives the object of scale and of exec without a class', async () => {
    const seen: unknown[] = [];
    @ValidatingWebhook(Site, { subresource: 'scale' })
    class Scales {
      @Admit() check(scale: { spec?: { replicas?: number } }, it: AdmissionReview): void {
        seen.push(scale.spec?.replicas, it.subresource, it.kind.kind);
      }
    }
    const kind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
    const object = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'blog' }, spec: { replicas: 3 } };
    const { response } = await review(
      Scales,
      siteReview({ operation: 'UPDATE', subResource: 'scale', kind, object, oldObject: object }),
    );
    expect(response.allowed).toBe(true);
    expect(seen).toEqual([3, 'scale', 'Scale']);
  });
});

describe('a mutating webhook', () => {
  it('sends the smallest patch, and leaves fields alone that the class does not know', async () => {
    @MutatingWebhook(Site)
    class Defaults {
      @Admit() set(site: Site): void {
        site.spec.host ??= 'example.com';
        site.metadata.labels = { 'app/x~y': 'z' };
      }
    }
    expect((await review(Defaults)).response).toEqual({
      uid: 'u-1',
      allowed: true,
      patchType: 'JSONPatch',
      patch: [
        { op: 'add', path: '/metadata/labels', value: { 'app/x~y': 'z' } },
        { op: 'add', path: '/spec/host', value: 'example.com' },
      ],
    });
  });

  it('explains that the old object is frozen', async () => {
    @MutatingWebhook(Site)
    class Changes {
      @Admit() set(_site: Site, { oldObject }: AdmissionReview<Site>): void {
        if (oldObject !== undefined) oldObject.spec.size = 2;
      }
    }
    const site = { apiVersion: 'web.example.com/v1', kind: 'Site', metadata: { name: 'blog' }, spec: { size: 9 } };
    await review(Changes, siteReview({ operation: 'UPDATE', oldObject: site }));
    expect(lines.join('\n')).toContain(
      'cannot change "size": the old object is frozen; change the object that the method gets first, or a copy',
    );
  });

  it('sends no patch without a change, and none with a rejection', async () => {
    @MutatingWebhook(Site)
    class Same {
      @Admit() set(site: Site, it: AdmissionReview<Site>): void {
        site.spec.size = Number(site.spec.size);
        if (it.dryRun) {
          site.spec.size = 7;
          it.invalid('spec.size', 7, 'is odd');
        }
      }
    }
    expect((await review(Same)).response).toEqual({ uid: 'u-1', allowed: true });
    const rejected = await review(Same, siteReview({ dryRun: true }));
    expect([rejected.response.allowed, rejected.response.patch]).toEqual([false, undefined]);
  });

  it('has a status to write to, which is in the patch only if it was written', async () => {
    @MutatingWebhook(Site)
    class Writes {
      @Admit() set(site: Site): void {
        site.status.ready = true;
      }
    }
    const patch = [{ op: 'add', path: '/status', value: { ready: true } }];
    expect((await review(Writes)).response.patch).toEqual(patch);
  });

  it('rejects with 500 if the change is no JSON', async () => {
    @MutatingWebhook(Site)
    class Circle {
      @Admit() set(site: Site): void {
        Object.assign(site.spec, { self: { site } });
      }
    }
    expect((await review(Circle)).response.status).toMatchObject({ code: 500 });
  });
});

describe('a webhook with schema', () => {
  @ValidatingWebhook(Site, { schema: true })
  class Rules {}

  const validator: ObjectValidator = {
    validate: (object) => {
      const { size } = (object as Site).spec;
      return size > 5 ? [{ path: 'spec.size', message: 'must not be greater than 5' }] : [];
    },
  };
  const site = (size: number, metadata: object = {}) => ({
    apiVersion: 'web.example.com/v1',
    kind: 'Site',
    metadata: { name: 'blog', ...metadata },
    spec: { size },
  });
  const update = (size: number, oldSize: number, metadata?: object) =>
    siteReview({ operation: 'UPDATE', object: site(size, metadata), oldObject: site(oldSize) });

  it("enforces the validator's findings with the field errors of the API server", async () => {
    const { response } = await review(Rules, siteReview({ object: site(6) }), validator);
    expect(response.status).toMatchObject({
      code: 422,
      message: 'Site.web.example.com "blog" is invalid: spec.size: Invalid value: 6: must not be greater than 5',
    });
    expect((await review(Rules, siteReview({ object: site(5) }), validator)).response.allowed).toBe(true);
  });

  it('keeps the messages that are in the form of the API server already', async () => {
    const formatted = (message: string): ObjectValidator => ({ validate: () => [{ path: 'spec.host', message }] });
    for (const [message, reason] of [
      ['Required value', 'FieldValueRequired'],
      ['Invalid value: "x": is bad', 'FieldValueInvalid'],
      ['Unsupported value: "x": supported values: "a"', 'FieldValueNotSupported'],
    ] as const) {
      const { response } = await review(Rules, siteReview(), formatted(message));
      expect(response.status?.['details']).toMatchObject({ causes: [{ reason, message, field: 'spec.host' }] });
    }
  });

  it('tolerates what the stored object has too, and objects that are being deleted', async () => {
    expect((await review(Rules, update(6, 6), validator)).response.allowed).toBe(true);
    expect((await review(Rules, update(6, 5), validator)).response.allowed).toBe(false);
    const deleting = { deletionTimestamp: '2026-01-01T00:00:00Z' };
    expect((await review(Rules, update(6, 5, deleting), validator)).response.allowed).toBe(true);
  });

  it('rejects with 500 if the validator throws', async () => {
    const broken: ObjectValidator = {
      validate: () => {
        throw new Error('broken');
      },
    };
    expect((await review(Rules, siteReview(), broken)).response.status).toMatchObject({ code: 500 });
    expect(lines.join('\n')).toContain('cannot validate Site blog: the validator threw: broken');
  });
});
