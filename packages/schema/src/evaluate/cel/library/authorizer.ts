import { dns1123LabelErrors, dns1123SubdomainErrors } from '../../apimachinery.ts';
import { type Library, memberOverload } from '../value/declaration.ts';
import { EvaluationFault, noSuchOverload } from '../value/fault.ts';
import { boolType, type CelType, objectType, stringType } from '../value/type.ts';
import { CelObject, type CelValue, stringOf } from '../value/value.ts';

export const authorizerType: CelType = objectType('kubernetes.authorization.Authorizer');
export const resourceCheckType: CelType = objectType('kubernetes.authorization.ResourceCheck');
const pathCheckType = objectType('kubernetes.authorization.PathCheck');
const groupCheckType = objectType('kubernetes.authorization.GroupCheck');
const decisionType = objectType('kubernetes.authorization.Decision');

/** The access that an expression asks for. */
export interface AccessCheck {
  /** Default: the sender of the request. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
  readonly verb: string;
  /** Of a path of the server, or of a resource. */
  readonly access: PathAccess | ResourceAccess;
}

export interface PathAccess {
  readonly path: string;
}

/** Empty strings where the expression names nothing. */
export interface ResourceAccess {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

export interface AccessDecision {
  readonly allowed: boolean;
  readonly reason: string;
}

/** Decides about accesses; must be synchronous. */
export type Authorize = (check: AccessCheck) => AccessDecision;

type ServiceAccount = AccessCheck['serviceAccount'];

/** A value that only has methods: it equals nothing. */
abstract class ReceiverOnly extends CelObject {
  equals(): boolean {
    throw noSuchOverload();
  }
}

/** The variable `authorizer`. */
export class AuthorizerValue extends ReceiverOnly {
  readonly celType = authorizerType;
  readonly authorize: Authorize;
  readonly serviceAccount: ServiceAccount;

  constructor(authorize: Authorize, serviceAccount?: ServiceAccount) {
    super();
    this.authorize = authorize;
    this.serviceAccount = serviceAccount;
  }

  decide(verb: string, access: PathAccess | ResourceAccess): DecisionValue {
    const { serviceAccount } = this;
    return new DecisionValue(this.authorize({ verb, access, ...(serviceAccount !== undefined && { serviceAccount }) }));
  }
}

class PathCheckValue extends ReceiverOnly {
  readonly celType = pathCheckType;
  readonly authorizer: AuthorizerValue;
  readonly path: string;

  constructor(authorizer: AuthorizerValue, path: string) {
    super();
    this.authorizer = authorizer;
    this.path = path;
  }
}

class GroupCheckValue extends ReceiverOnly {
  readonly celType = groupCheckType;
  readonly authorizer: AuthorizerValue;
  readonly group: string;

  constructor(authorizer: AuthorizerValue, group: string) {
    super();
    this.authorizer = authorizer;
    this.group = group;
  }
}

/** The variable `authorizer.requestResource`, and the result of `resource()`. */
export class ResourceCheckValue extends ReceiverOnly {
  readonly celType = resourceCheckType;
  readonly authorizer: AuthorizerValue;
  readonly access: ResourceAccess;

  constructor(authorizer: AuthorizerValue, access: ResourceAccess) {
    super();
    this.authorizer = authorizer;
    this.access = access;
  }

  with(part: Partial<ResourceAccess>): ResourceCheckValue {
    return new ResourceCheckValue(this.authorizer, { ...this.access, ...part });
  }
}

class DecisionValue extends ReceiverOnly {
  readonly celType = decisionType;
  readonly decision: AccessDecision;

  constructor(decision: AccessDecision) {
    super();
    this.decision = decision;
  }
}

/**
 * Access checks. Source: k8s.io/apiserver v0.36 `pkg/cel/library/authz.go`. Field and label selectors are accepted and do not
 * narrow a check, because role-based access control does not know them; a decision is never an error for the same reason.
 */
export const authorizerLibrary: Library = {
  types: [authorizerType, pathCheckType, groupCheckType, resourceCheckType, decisionType],
  functions: [
    method('path', 'authorizer_path', [authorizerType, stringType], pathCheckType, (authorizer, path) => {
      const text = stringOf(path);
      if (text.trim() === '') throw new EvaluationFault('path must not be empty');
      return new PathCheckValue(receiverOf(AuthorizerValue, authorizer), text);
    }),
    method('group', 'authorizer_group', [authorizerType, stringType], groupCheckType, (authorizer, group) => {
      return new GroupCheckValue(receiverOf(AuthorizerValue, authorizer), stringOf(group));
    }),
    method(
      'serviceAccount',
      'authorizer_serviceaccount',
      [authorizerType, stringType, stringType],
      authorizerType,
      (authorizer, namespace, name) => {
        const account = { namespace: stringOf(namespace), name: stringOf(name) };
        if (dns1123SubdomainErrors(account.name).length > 0) throw new EvaluationFault('Invalid service account name');
        if (dns1123LabelErrors(account.namespace).length > 0) {
          throw new EvaluationFault('Invalid service account namespace');
        }
        return new AuthorizerValue(receiverOf(AuthorizerValue, authorizer).authorize, account);
      },
    ),
    method('resource', 'groupcheck_resource', [groupCheckType, stringType], resourceCheckType, (check, resource) => {
      const text = stringOf(resource);
      if (text.trim() === '') throw new EvaluationFault('resource must not be empty');
      const { authorizer, group } = receiverOf(GroupCheckValue, check);
      return new ResourceCheckValue(authorizer, { group, resource: text, subresource: '', namespace: '', name: '' });
    }),
    narrowing('subresource', 'resourcecheck_subresource', (subresource) => ({ subresource })),
    narrowing('namespace', 'resourcecheck_namespace', (namespace) => ({ namespace })),
    narrowing('name', 'resourcecheck_name', (name) => ({ name })),
    narrowing('fieldSelector', 'authorizer_fieldselector', () => ({})),
    narrowing('labelSelector', 'authorizer_labelselector', () => ({})),
    {
      name: 'check',
      overloads: [
        memberOverload('pathcheck_check', [pathCheckType, stringType], decisionType, (check, verb) => {
          const { authorizer, path } = receiverOf(PathCheckValue, check);
          return authorizer.decide(stringOf(verb), { path });
        }),
        memberOverload('resourcecheck_check', [resourceCheckType, stringType], decisionType, (check, verb) => {
          const { authorizer, access } = receiverOf(ResourceCheckValue, check);
          return authorizer.decide(stringOf(verb), access);
        }),
      ],
    },
    method('errored', 'decision_errored', [decisionType], boolType, () => false),
    method('error', 'decision_error', [decisionType], stringType, () => ''),
    method('allowed', 'decision_allowed', [decisionType], boolType, (decision) => {
      return receiverOf(DecisionValue, decision).decision.allowed;
    }),
    method('reason', 'decision_reason', [decisionType], stringType, (decision) => {
      return receiverOf(DecisionValue, decision).decision.reason;
    }),
  ],
};

function method(
  name: string,
  id: string,
  args: readonly CelType[],
  result: CelType,
  invoke: (...values: CelValue[]) => CelValue,
) {
  return { name, overloads: [memberOverload(id, args, result, invoke)] };
}

function narrowing(name: string, id: string, part: (text: string) => Partial<ResourceAccess>) {
  return method(name, id, [resourceCheckType, stringType], resourceCheckType, (check, text) =>
    receiverOf(ResourceCheckValue, check).with(part(stringOf(text))),
  );
}

function receiverOf<T extends ReceiverOnly>(
  type: abstract new (...args: never[]) => T,
  value: CelValue | undefined,
): T {
  if (!(value instanceof type)) throw noSuchOverload();
  return value;
}
