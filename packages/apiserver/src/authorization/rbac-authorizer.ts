import { type Access, goQuote, type PolicyRule, ruleAllows } from '../apimachinery/index.ts';
import type { UserInfo } from '../request/user-info.ts';
import type { AccessAttributes, AccessDecision, Authorizer } from './authorizer.ts';

export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

export interface Role {
  readonly rules?: readonly PolicyRule[] | null;
}

export interface RoleReference {
  readonly kind: string;
  readonly name: string;
}

export interface Binding {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly roleRef: RoleReference;
  readonly subjects?: readonly Subject[];
}

/** The source of roles and bindings. Reads return the present state and are cheap. */
export interface PolicySource {
  clusterRole(name: string): Role | undefined;
  role(namespace: string, name: string): Role | undefined;
  clusterRoleBindings(): readonly Binding[];
  roleBindings(namespace: string): readonly Binding[];
}

/** The rules that apply to a user, with the names of the roles that bindings refer to and that do not exist. */
export interface ResolvedRules {
  readonly rules: readonly PolicyRule[];
  readonly missingRoles: readonly string[];
}

/**
 * Role-based access control over stored roles. `system:masters` may do everything, as in upstream's `privilegedGroup`
 * authorizer, so that an administrator cannot be locked out.
 */
export class RbacAuthorizer implements Authorizer {
  readonly #source: PolicySource;

  constructor(source: PolicySource) {
    this.#source = source;
  }

  authorize(access: AccessAttributes): AccessDecision {
    if (access.user.groups.includes('system:masters')) return { allowed: true, reason: '' };
    const asked = accessOf(access);
    const errors: string[] = [];
    for (const binding of this.#source.clusterRoleBindings()) {
      const subject = subjectOf(binding, access.user);
      if (subject !== undefined && this.#allows(binding, asked, errors)) {
        return {
          allowed: true,
          reason: `RBAC: allowed by ClusterRoleBinding ${goQuote(binding.metadata.name)} of ${describeRole(binding)} to ${describeSubject(subject, '')}`,
        };
      }
    }
    if (access.namespace !== '') {
      for (const binding of this.#source.roleBindings(access.namespace)) {
        const subject = subjectOf(binding, access.user);
        if (subject !== undefined && this.#allows(binding, asked, errors)) {
          const name = goQuote(`${binding.metadata.name}/${access.namespace}`);
          return {
            allowed: true,
            reason: `RBAC: allowed by RoleBinding ${name} of ${describeRole(binding)} to ${describeSubject(subject, access.namespace)}`,
          };
        }
      }
    }
    const reason = errors.length === 0 ? '' : `RBAC: ${errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`}`;
    return { allowed: false, reason, ...(errors.length === 0 ? {} : { evaluationError: reason }) };
  }

  /** Every rule that applies to a user in a namespace. */
  rulesFor(user: UserInfo, namespace: string): ResolvedRules {
    const missingRoles: string[] = [];
    const bindings = [...this.#source.clusterRoleBindings(), ...this.#source.roleBindings(namespace)];
    const rules = bindings
      .filter((binding) => subjectOf(binding, user) !== undefined)
      .flatMap(({ roleRef, metadata }) => {
        const found = this.rulesOfRole(roleRef, metadata.namespace ?? '');
        if (found === undefined) missingRoles.push(roleRef.name);
        return found ?? [];
      });
    return { rules, missingRoles };
  }

  /** The rules of a role that a binding in a namespace refers to; undefined if the role does not exist. */
  rulesOfRole({ kind, name }: RoleReference, namespace: string): readonly PolicyRule[] | undefined {
    const role = kind === 'Role' ? this.#source.role(namespace, name) : this.#source.clusterRole(name);
    return role && (role.rules ?? []);
  }

  #allows(binding: Binding, access: Access, errors: string[]): boolean {
    return this.#rulesOf(binding, errors).some((rule) => ruleAllows(rule, access));
  }

  #rulesOf({ roleRef, metadata }: Binding, errors: string[]): readonly PolicyRule[] {
    const rules = this.rulesOfRole(roleRef, metadata.namespace ?? '');
    if (rules !== undefined) return rules;
    errors.push(`${roleRef.kind.toLowerCase()}.rbac.authorization.k8s.io ${goQuote(roleRef.name)} not found`);
    return [];
  }
}

function accessOf({ isResource, verb, path, group, resource, subresource, namespace, name }: AccessAttributes): Access {
  return isResource ? { verb, group, resource, subresource, namespace, name } : { verb, path };
}

function describeRole({ roleRef }: Binding): string {
  return `${roleRef.kind} ${goQuote(roleRef.name)}`;
}

function describeSubject(subject: Subject, namespace: string): string {
  if (subject.kind !== 'ServiceAccount') return `${subject.kind} ${goQuote(subject.name)}`;
  return `ServiceAccount ${goQuote(`${subject.name}/${subject.namespace ?? namespace}`)}`;
}

/** The subject of a binding that matches the user, by `rbac.appliesToUser`. */
function subjectOf(binding: Binding, user: UserInfo): Subject | undefined {
  return binding.subjects?.find((subject) => {
    switch (subject.kind) {
      case 'User':
        return user.name === subject.name;
      case 'Group':
        return user.groups.includes(subject.name);
      case 'ServiceAccount':
        return (
          user.name === `system:serviceaccount:${subject.namespace ?? binding.metadata.namespace ?? ''}:${subject.name}`
        );
      default:
        return false;
    }
  });
}
