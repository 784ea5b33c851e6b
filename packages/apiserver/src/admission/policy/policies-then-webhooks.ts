import { copyJson, jsonEqual } from '../../apimachinery/index.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { AdmissionRequest, DynamicAdmission } from '../../registry/write-request.ts';
import type { MutatingTurn } from '../mutating-turn.ts';
import type { WebhookAdmission } from '../webhook-admission.ts';
import type { PolicyAdmission } from './policy-admission.ts';

/** Policies, then webhooks, as the plugins of upstream are ordered (`pkg/kubeapiserver/options/plugins.go`). */
export class PoliciesThenWebhooks implements DynamicAdmission {
  readonly #policies: PolicyAdmission;
  readonly #webhooks: WebhookAdmission;

  constructor(policies: PolicyAdmission, webhooks: WebhookAdmission) {
    this.#policies = policies;
    this.#webhooks = webhooks;
  }

  get none(): boolean {
    return this.#policies.none && this.#webhooks.none;
  }

  mutate(admission: AdmissionRequest, reinvoke: (object: ApiObject) => void): Promise<ApiObject> | undefined {
    const turns = [this.#policies.mutation(admission), this.#webhooks.mutation(admission)].filter(
      (turn) => turn !== undefined,
    );
    return turns.length === 0 ? undefined : mutated(admission, turns, reinvoke);
  }

  validate(admission: AdmissionRequest): Promise<void> | undefined {
    const judging = this.#policies.validate(admission);
    if (judging === undefined) return this.#webhooks.validate(admission);
    return judging.then(() => this.#webhooks.validate(admission));
  }
}

/** Source: `reinvoker.Admit` of apiserver `pkg/admission/reinvocation.go`. */
async function mutated(
  admission: AdmissionRequest,
  turns: readonly MutatingTurn[],
  reinvoke: (object: ApiObject) => void,
): Promise<ApiObject> {
  let current = admission;
  let changed = false;
  const runAll = async (reinvocation: boolean): Promise<void> => {
    for (const turn of turns) {
      const result = await turn.run(current, reinvocation);
      if (result.object !== undefined) current = { ...current, object: result.object };
      changed ||= result.changed;
    }
  };
  await runAll(false);
  if (changed && current.object !== undefined) {
    const again = copyJson(current.object);
    reinvoke(again);
    if (!jsonEqual(again, current.object)) current = { ...current, object: again };
    await runAll(true);
  }
  return current.object as ApiObject;
}
