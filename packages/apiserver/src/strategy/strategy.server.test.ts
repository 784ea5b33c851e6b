import { statusCauseOf } from '@evenkeel/apimachinery/field-error';
import {
  describeWithRealServer,
  type RealAnswer,
  type RealServer,
  startRealServer,
} from '../../../../test/real-server.fixture.ts';
import type { ApiObject } from '../kind/api-object.ts';
import { admitCreate, admitUpdate, testContext } from './admission.fixture.ts';
import { invalidObjects } from './invalid-objects.fixture.ts';
import { changedObjects } from './update-objects.fixture.ts';
import { validObjects } from './valid-objects.fixture.ts';

const ofPipeline = ['managedFields', 'uid', 'resourceVersion', 'creationTimestamp', 'generation', 'namespace'];

/** Leaves out what the pipeline sets, what a clock says, and which address or port was free. */
function comparable(body: unknown): unknown {
  const object = JSON.parse(JSON.stringify(body).replaceAll(/"10\.0\.0\.\d+"/g, '"10.0.0.N"'), (key, value) =>
    clocked.has(key) ? 'TIME' : key === 'nodePort' || key === 'healthCheckNodePort' ? 'PORT' : value,
  );
  for (const field of ofPipeline) delete object.metadata[field];
  return object;
}

const clocked = new Set(['lastTransitionTime', 'lastPhaseTransitionTime']);

/** Go's structs have no likeness here: neither the diff of two at the end of a message, nor a whole template. */
function causeText({ field, message }: { field?: string; message?: string }): string {
  const text = `${field}: ${message?.split('\n')[0]}`;
  return text.startsWith('spec.template: Invalid value:') ? text.replace(/\{.*\}/, 'TEMPLATE') : text;
}

/** Warnings of the kind; those of the group and version are not a strategy's. */
function warningsOf({ headers }: RealAnswer): string[] {
  const all = [...String(headers['warning'] ?? '').matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)];
  return all
    .map(([, text = '']) => text.replaceAll(/\\(.)/g, '$1'))
    .filter((text) => !text.includes('is deprecated in'));
}

describeWithRealServer('strategies of built-in kinds', () => {
  let server: RealServer;
  beforeAll(async () => {
    server = await startRealServer();
  });
  afterAll(() => server.stop());

  it.each(validObjects.map((one) => [one.title, one] as const))('fills in %s as the server does', async (_, one) => {
    const answer = await server.send('POST', `${one.path}?dryRun=All`, { body: one.object });
    expect({ status: answer.status, message: answer.status < 300 ? '' : answer.body.message }).toEqual({
      status: 201,
      message: '',
    });
    const { uid, namespace } = answer.body.metadata;
    const { object, errors, warnings } = await admitCreate(one.object, {
      uid,
      ...(namespace === undefined ? {} : { namespace }),
    });
    expect(errors).toEqual([]);
    expect(comparable(object)).toEqual(comparable(answer.body));
    expect(warnings).toEqual(warningsOf(answer));
  });

  it.each(invalidObjects.map((one) => [one.title, one] as const))('refuses %s as the server does', async (_, one) => {
    const answer = await server.send('POST', `${one.path}?dryRun=All`, { body: one.object });
    expect({ status: answer.status, reason: answer.body.reason }).toEqual({ status: 422, reason: 'Invalid' });
    const { errors } = await admitCreate(one.object, { uid: 'uid', namespace: 'default' });
    const causes = (list: readonly { field?: string; message?: string }[]): string[] =>
      [
        ...new Set(
          list.map(({ field, message }) => `${field}: ${message}`.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'uid')),
        ),
      ].sort();
    expect(causes(errors.map(statusCauseOf))).toEqual(causes(answer.body.details.causes));
  });

  it.each(changedObjects.map((one) => [one.title, one] as const))(
    'answers an update that %s as the server does',
    async (_, one) => {
      const created = await server.send('POST', one.path, { body: one.before });
      expect({ status: created.status, message: created.body.message }).toEqual({ status: 201, message: undefined });
      const stored = created.body as ApiObject;
      // What the server generated is generated again for an update that does not say it.
      const answer = await server.send('PUT', `${one.path}/${stored.metadata.name}`, { body: one.after });
      const context = testContext();
      for (const address of (stored['spec'] as { clusterIPs?: string[] } | undefined)?.clusterIPs ?? []) {
        context.allocator.takeClusterIp(address);
      }
      const { object, errors } = await admitUpdate(one.after, stored, context);
      if (answer.status === 200) {
        expect(errors).toEqual([]);
        expect(comparable(object)).toEqual(comparable(answer.body));
        return;
      }
      expect(answer.status).toBe(422);
      expect(errors.map(statusCauseOf).map(causeText).sort()).toEqual(answer.body.details.causes.map(causeText).sort());
    },
  );
});
