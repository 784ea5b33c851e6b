import { isJsonObject, type JsonObject } from '@evenkeel/apimachinery/json';
import { schemaOf } from '@evenkeel/kinds/schemas';
import type { RealServer } from '../../../../test/real-server.fixture.ts';
import { applyMergePatch } from '../patch/merge-patch.ts';
import { applyObject } from './apply-object.ts';
import { emptyBuiltIn, managedFieldsOf, withManagedFields } from './managed-object.ts';
import { parentManagedFields, scaleManagedFields } from './scale-managed-fields.ts';
import type { ScaleStep } from './scale-steps.fixture.ts';
import { masked } from './server-comparison.fixture.ts';
import { updateManagedFields } from './update-managed-fields.ts';

const collection = '/apis/apps/v1/namespaces/default/deployments';
const replicasPaths = new Map([['apps/v1', ['spec', 'replicas']]]);

/** Sends requests to a Deployment and its Scale, and does to its managedFields what those to the Scale do. */
export class ScaleComparison {
  readonly #server: RealServer;
  readonly #name: string;

  constructor(server: RealServer, name: string) {
    this.#server = server;
    this.#name = name;
  }

  async step(step: ScaleStep): Promise<void> {
    const path = `${collection}/${this.#name}`;
    const query = `?fieldManager=${step.by}${step.force ? '&force=true' : ''}`;
    const types = step.scale ? ['autoscaling/v1', 'Scale'] : ['apps/v1', 'Deployment'];
    const whole = { apiVersion: types[0], kind: types[1], metadata: { name: this.#name }, spec: step.spec };
    if (step.do === 'create') {
      await this.#server.send('POST', `${collection}${query}`, { body: whole });
      return;
    }
    const parent = (await this.#server.send('GET', path)).body;
    const scale = (await this.#server.send('GET', `${path}/scale`)).body;
    const target = step.scale ? `${path}/scale` : path;
    const body = step.do === 'apply' ? whole : { spec: step.spec };
    const contentType = step.do === 'apply' ? 'application/apply-patch+yaml' : 'application/merge-patch+json';
    const answer = await this.#server.send('PATCH', `${target}${query}`, { body, contentType });
    if (step.scale !== true) return;

    const entries = await this.#entriesOfScale(step, parent, scale, whole);
    if (typeof entries === 'string') {
      expect(entries).toBe(answer.body['message']);
      return;
    }
    const expected = managedFieldsOf((await this.#server.send('GET', path)).body);
    const actual = parentManagedFields(managedFieldsOf(parent), entries, 'apps/v1', replicasPaths);
    expect(masked(actual)).toEqual(masked(expected));
  }

  /** The Scale's managedFields after the request, or why it is refused. */
  async #entriesOfScale(step: ScaleStep, parent: JsonObject, scale: JsonObject, whole: JsonObject): Promise<unknown> {
    const schema = await schemaOf('io.k8s.api.autoscaling.v1.Scale');
    const live = withManagedFields(scale, scaleManagedFields(managedFieldsOf(parent), replicasPaths));
    const context = { schema, apiVersion: 'autoscaling/v1', manager: step.by, subresource: 'scale', now: new Date() };
    if (step.do === 'merge') {
      return updateManagedFields({ ...context, live, updated: applyMergePatch(live, { spec: step.spec }) });
    }
    const empty = emptyBuiltIn('autoscaling/v1', 'Scale', schema);
    const force = step.force === true;
    const outcome = applyObject({ ...context, kind: 'Scale', empty, live, applied: whole, force });
    if (outcome.kind === 'conflict') return outcome.error.message;
    expect(isJsonObject(outcome.object['spec'])).toBe(true);
    return outcome.managedFields;
  }
}
