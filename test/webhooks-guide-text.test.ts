import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AdmissionReview,
  Admit,
  type ConcreteClass,
  MutatingWebhook,
  type ObjectValidator,
  StatusError,
  ValidatingWebhook,
} from '@evenkeel/core';
import { planWebhooks } from '@evenkeel/core/webhook';
import { operatorMistakes } from '@evenkeel/runtime';
import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { admit } from '@evenkeel/testing';
import { ConfigMap, createManager } from 'evenkeel';
import { runSettings } from '../packages/runtime/src/process/run-settings.ts';
import { webhookDefaults } from '../packages/runtime/src/wiring/wire-webhooks.ts';
import { root } from './imports.fixture.ts';
import { showsFiles } from './shown-files.fixture.ts';
import { hostIsFree } from './webhooks-guide-function.fixture.ts';
import { operator, SiteRules } from './webhooks-guide-rules.fixture.ts';
import { Site } from './webhooks-guide-site.fixture.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const guide = read('docs/webhooks.md');

/** The TypeScript of the page, and the files of this folder that run. */
const shown = {
  'src/site.ts': 'test/webhooks-guide-site.fixture.ts',
  'src/site.webhooks.ts': 'test/webhooks-guide-webhooks.fixture.ts',
  'src/site.rules.ts': 'test/webhooks-guide-rules.fixture.ts',
  'src/host-is-free.ts': 'test/webhooks-guide-function.fixture.ts',
  'src/site.webhooks.test.ts': 'test/webhooks-guide.test.ts',
};
/** test/guides.test.ts compiles these, and runs them with `evenkeel dev`. The operator has a second version, with policies. */
const playedOnly = [
  'evenkeel.config.ts',
  'src/operator.ts',
  'src/operator.ts',
  'src/site.host.ts',
  'src/site.policies.ts',
];

const codes = (text = ''): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
const object = { metadata: { name: 'blog', namespace: 'default' } };

/** Calls a webhook for ConfigMaps with one method. */
function answerOf(
  check: (review: AdmissionReview<ConfigMap>) => void | Promise<void>,
  operation: 'create' | 'update' = 'create',
) {
  @ValidatingWebhook(ConfigMap)
  class Checks {
    @Admit() check(_map: ConfigMap, review: AdmissionReview<ConfigMap>): void | Promise<void> {
      return check(review);
    }
  }
  return admit(createManager, Checks, { operation, object, ...(operation === 'update' ? { oldObject: object } : {}) });
}

describe('the guide to webhooks', () => {
  showsFiles(guide, shown);

  it('has no other TypeScript', () => {
    const blocks = [...guide.matchAll(/^```ts(.*)$/gm)].map(([, path = '']) => path.trim());
    expect(blocks.sort()).toEqual([...Object.keys(shown), ...playedOnly].sort());
  });

  it('shows a webhook that only enforces the rules of its class, and one in the function form', async () => {
    expect(operatorMistakes(operator)).toEqual([]);
    expect(planWebhooks(operator.webhooks ?? []).plans).toMatchObject([
      { webhookClass: SiteRules, schema: true, operations: ['create', 'update'] },
    ]);
    const validator: ObjectValidator = { validate: () => [{ path: 'spec.host', message: 'must be free' }] };
    const spec = { host: 'blog.example.com', replicas: 1 };
    const rules = await admit(createManager, SiteRules, { object: { ...object, spec }, validator });
    expect(rules.status?.details?.causes).toMatchObject([{ field: 'spec.host' }]);

    const definition = await customResourceDefinitionOf(Site, await readSources(`${root}/${shown['src/site.ts']}`));
    const taken = await admit(createManager, hostIsFree as ConcreteClass, {
      object: { ...object, spec },
      definitions: [definition],
      setUp: (client) => client.create(Site, { metadata: { name: 'other', namespace: 'default' }, spec }),
    });
    expect(taken.status?.details?.causes).toMatchObject([{ reason: 'FieldValueDuplicate', field: 'spec.host' }]);
  });

  describe('has a table of responses', () => {
    const table = guide.slice(guide.indexOf('| in the method |')).split('\n\n')[0] ?? '';
    const rows = table.split('\n').slice(2);

    it('with every method of the review', () => {
      const [first = '', ...others] = rows;
      expect(codes(first.split('|')[1])).toEqual([
        'review.invalid(path, value, detail)',
        'required',
        'forbidden',
        'notSupported',
        'duplicate',
        'reject(fieldError)',
      ]);
      expect(others.map((row) => row.split('|')[1]?.trim())).toEqual([
        '`review.deny(message)`',
        'throws a `StatusError`, for example of a request that failed',
        'throws anything else, or returns a value',
        '`review.warn(message)`',
        '`review.audit(key, value)`',
      ]);
    });

    it('in which field errors are 422, and all of them causes', async () => {
      expect(rows[0]).toContain('| 422 `Invalid`, with all causes |');
      const { status } = await answerOf((review) => {
        review.invalid('data', 1, 'wrong');
        review.required('data');
        review.forbidden('data', 'no');
        review.notSupported('data', 'a', ['b']);
        review.duplicate('data', 'a');
        review.reject({ type: 'TooLong', field: 'data', detail: 'too long' });
      });
      expect(status).toMatchObject({ code: 422, reason: 'Invalid' });
      expect(status?.details?.causes).toHaveLength(6);
    });

    it('in which deny() is 403 and ends the method', async () => {
      expect(rows[1]).toContain('| 403 `Forbidden`; ends the method |');
      let isContinued = false;
      const { status } = await answerOf((review) => {
        review.deny('no');
        isContinued = true;
      });
      expect({ isContinued, status }).toMatchObject({ isContinued: false, status: { code: 403, reason: 'Forbidden' } });
    });

    it('in which a StatusError is its Status', async () => {
      const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 429, reason: 'TooManyRequests' };
      const answer = await answerOf(() => {
        throw new StatusError(status as never);
      });
      expect(answer.status).toMatchObject({ code: 429, reason: 'TooManyRequests' });
    });

    it('in which other errors, and values, are 500, and the client gets only the type', async () => {
      expect(rows[3]).toContain('| 500; the log has the error and its line, the client only its type |');
      const thrown = await answerOf(() => {
        throw new RangeError('a secret');
      });
      expect(thrown.status).toMatchObject({ code: 500, message: expect.stringContaining('RangeError') });
      expect(thrown.status?.message).not.toContain('a secret');
      expect(thrown.error).toMatchObject({ message: 'a secret' });
      expect((await answerOf(() => true as never)).status).toMatchObject({ code: 500 });
    });

    it('in which warnings and audit annotations are not rejections', async () => {
      const answer = await answerOf((review) => {
        review.warn('careful');
        review.audit('seen', 'yes');
      });
      expect(answer).toMatchObject({ allowed: true, warnings: ['careful'], auditAnnotations: { seen: 'yes' } });
    });
  });

  it('lists properties that the review has', async () => {
    const [, list = ''] = /^The review also has (.*?)\.$/ms.exec(guide) ?? [];
    const names = codes(list);
    expect(names).toHaveLength(10);
    const { allowed } = await answerOf((review) => {
      for (const name of names) expect(review).toHaveProperty(name);
    }, 'update');
    expect(allowed).toBe(true);
  });

  it('lists all options', () => {
    const [, list = ''] = /^The options are (.*?)\. For a$/ms.exec(guide) ?? [];
    const shownElsewhere = {
      subresource: "{ subresource: 'status' }",
      schema: '`schema: true` also enforces',
      policy: 'set `policy: true`',
      operations: 'The option `operations` sets others.',
      params: 'With `params: {',
      variables: 'the option `variables: [',
    };
    for (const text of Object.values(shownElsewhere))
      expect(guide.replaceAll('\n', ' ').replaceAll('  ', ' ')).toContain(text);
    const documented = [...codes(list), ...Object.keys(shownElsewhere)];
    const known = [ValidatingWebhook, MutatingWebhook].flatMap((decorator) => {
      class Webhook {}
      decorator(Site, { unknown: true } as object)(Webhook);
      const { mistakes } = planWebhooks([Webhook]);
      return /unknown option "unknown"; use one of (.*)$/.exec(mistakes[0]?.message ?? '')?.[1]?.split(', ') ?? [];
    });
    expect(new Set(known)).toEqual(new Set(documented));
  });

  it('states the defaults of a run', () => {
    const { address, maxConcurrent, maxBodyBytes, maxBytesInFlight, stopDelay } = webhookDefaults;
    const mib = (bytes: number): string => `${bytes / 1024 / 1024} MiB`;
    expect(guide).toContain(`serves webhooks at \`${address}\` over HTTPS`);
    expect(guide).toContain(`for \`webhook.stopDelay\` (${stopDelay.replace('s', ' s')})`);
    expect(guide).toContain(`At most ${maxConcurrent} calls run at the same time (\`webhook.maxConcurrent\`)`);
    expect(guide).toContain(
      `A review may have ${mib(maxBodyBytes)} (\`webhook.maxBodyBytes\`), and all bodies together ${mib(maxBytesInFlight)} (\`webhook.maxBytesInFlight\`)`,
    );
    const settings = runSettings.filter(({ name }) => /^webhook\.(address|certificates|stopDelay)$/.test(name));
    expect(settings.map((setting) => setting.default)).toEqual([
      `${address} if the operator has webhooks`,
      webhookDefaults.certificates,
      stopDelay,
    ]);
  });
});
