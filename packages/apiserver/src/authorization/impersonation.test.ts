import type { AccessAttributes, Authorizer } from './authorizer.ts';
import { impersonate, impersonatedUser } from './impersonation.ts';

const sender = { name: 'ann', groups: ['system:authenticated'] };
const access: AccessAttributes = {
  user: sender,
  verb: 'list',
  isResource: true,
  group: '',
  version: 'v1',
  namespace: 'demo',
  resource: 'pods',
  subresource: '',
  name: '',
  path: '',
};

/** Allows the listed accesses, as `VERB RESOURCE NAME`, and records the checks. */
class ListAuthorizer implements Authorizer {
  readonly asked: string[] = [];
  readonly #allowed: readonly string[];

  constructor(...allowed: string[]) {
    this.#allowed = allowed;
  }

  authorize({ verb, resource, subresource, name }: AccessAttributes): { allowed: boolean; reason: string } {
    const asked = [verb, subresource === '' ? resource : `${resource}/${subresource}`, name].join(' ').trim();
    this.asked.push(asked);
    return { allowed: this.#allowed.includes(asked), reason: '' };
  }
}

describe('impersonation', () => {
  it('is not requested without headers, and is rejected without a user name', () => {
    expect(impersonatedUser({ 'user-agent': 'x' })).toBeUndefined();
    expect(() => impersonatedUser({ 'impersonate-group': 'a' })).toThrow('without impersonating a user name');
  });

  it('adds the groups of a service account', () => {
    const authorizer = new ListAuthorizer('impersonate serviceaccounts robot');
    const asked = impersonatedUser({ 'impersonate-user': 'system:serviceaccount:demo:robot' });
    if (asked === undefined) throw new Error('no impersonation was requested');
    expect(impersonate(asked, access, authorizer).user).toEqual({
      name: 'system:serviceaccount:demo:robot',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:demo', 'system:authenticated'],
    });
  });

  it('checks every attribute of the user', () => {
    const headers = {
      'impersonate-user': 'bob',
      'impersonate-uid': '7',
      'impersonate-group': 'a, system:masters',
      'impersonate-extra-acme.io%2fkey': 'x, y',
    };
    const asked = impersonatedUser(headers);
    if (asked === undefined) throw new Error('no impersonation was requested');
    const attributes = [
      'users bob',
      'uids 7',
      'groups a',
      'groups system:masters',
      'userextras/acme.io/key x',
      'userextras/acme.io/key y',
    ];
    const older = attributes.map((what) => `impersonate ${what}`);
    for (const missing of older) {
      const authorizer = new ListAuthorizer(...older.filter((what) => what !== missing));
      expect(() => impersonate(asked, access, authorizer)).toThrow('forbidden');
      expect(authorizer.asked).toContain(missing);
    }
    expect(impersonate(asked, access, new ListAuthorizer(...older)).user.groups).toEqual([
      'a',
      'system:masters',
      'system:authenticated',
    ]);
    const newer = attributes.map((what) => `impersonate:user-info ${what}`);
    expect(() => impersonate(asked, access, new ListAuthorizer(...newer))).toThrow('impersonate-on:user-info:list');
    expect(
      impersonate(asked, access, new ListAuthorizer('impersonate-on:user-info:list pods', ...newer)).user.name,
    ).toBe('bob');
  });

  it('rejects a sender who may impersonate for this request, but not this user', () => {
    const asked = { name: 'bob', groups: [] };
    const authorizer = new ListAuthorizer('impersonate-on:user-info:list pods', 'impersonate users alice');
    expect(() => impersonate(asked, access, authorizer)).toThrow(
      'users.authentication.k8s.io "bob" is forbidden: User "ann" cannot impersonate:user-info resource "users"',
    );
  });
});
