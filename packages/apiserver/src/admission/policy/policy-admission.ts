import type { Authorizer } from '../../authorization/authorizer.ts';
import type { KindCatalog } from '../../catalog/kind-catalog.ts';
import type { AdmissionRequest } from '../../registry/write-request.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { attributesOf } from '../admitted-request.ts';
import { loadEvaluator } from '../evaluator.ts';
import type { MutatingTurn } from '../mutating-turn.ts';
import type { RequestSelection } from '../request-selection.ts';
import { MutatingPolicies } from './mutating-policies.ts';
import { PolicyParams } from './policy-params.ts';
import { PolicyRequest } from './policy-request.ts';
import { ValidatingPolicies } from './validating-policies.ts';

/** The server's parts that policies use. */
export interface PolicyAdmissionOptions {
  readonly store: ObjectStore;
  readonly catalog: KindCatalog;
  readonly selection: RequestSelection;
  readonly authorizer: Authorizer;
}

/** Resources that no policy is evaluated for, so that it cannot block its own repair, or break the cluster. */
const exempt: Readonly<Record<string, readonly string[]>> = {
  'admissionregistration.k8s.io': [
    'validatingadmissionpolicies',
    'validatingadmissionpolicybindings',
    'mutatingadmissionpolicies',
    'mutatingadmissionpolicybindings',
  ],
  'authentication.k8s.io': ['selfsubjectreviews', 'tokenreviews'],
  'authorization.k8s.io': [
    'localsubjectaccessreviews',
    'selfsubjectaccessreviews',
    'selfsubjectrulesreviews',
    'subjectaccessreviews',
  ],
};

/**
 * Evaluates ValidatingAdmissionPolicies and MutatingAdmissionPolicies. They take effect as soon as they and a binding are
 * stored.
 */
export class PolicyAdmission {
  readonly #options: PolicyAdmissionOptions;
  readonly #validating: ValidatingPolicies;
  readonly #mutating: MutatingPolicies;

  constructor(options: PolicyAdmissionOptions) {
    const { store, catalog, selection } = options;
    const params = new PolicyParams(store, catalog);
    this.#options = options;
    this.#validating = new ValidatingPolicies(store, selection, params);
    this.#mutating = new MutatingPolicies(store, selection, params);
  }

  /** Whether no policy is bound. */
  get none(): boolean {
    return this.#validating.hooks.hooks.length === 0 && this.#mutating.hooks.hooks.length === 0;
  }

  /** The mutating policies' turns for one request; undefined if there is no policy. */
  mutation(admission: AdmissionRequest): MutatingTurn | undefined {
    if (this.#mutating.hooks.hooks.length === 0 || admission.operation === 'DELETE') return undefined;
    return isExempt(admission) ? undefined : this.#mutating.turn((current) => this.#requestOf(current));
  }

  /** Lets validating policies reject the request with a StatusError. Returns undefined if there is no policy. */
  validate(admission: AdmissionRequest): Promise<void> | undefined {
    if (this.#validating.hooks.hooks.length === 0 || isExempt(admission)) return undefined;
    return loadEvaluator().then((evaluator) => this.#validating.validate(evaluator, this.#requestOf(admission)));
  }

  #requestOf(admission: AdmissionRequest): PolicyRequest {
    return new PolicyRequest(admission, attributesOf(admission), this.#options);
  }
}

function isExempt({ request }: AdmissionRequest): boolean {
  const { group, plural } = request.kind.names;
  return Object.hasOwn(exempt, group) && exempt[group]?.includes(plural) === true;
}
