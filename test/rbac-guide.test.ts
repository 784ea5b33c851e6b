import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Controller,
  CustomResource,
  Finalizer,
  KubernetesObject,
  Metadata,
  Owns,
  planControllers,
  Rbac,
  Reconcile,
  Rule,
  resourceOf,
  Status,
  ValidatingWebhook,
  Watches,
} from '@evenkeel/core';
import { certificateObjects } from '@evenkeel/core/certificates';
import { deriveRoles, type OperatorOptions, planRbac } from '@evenkeel/core/rbac';
import { planWebhooks } from '@evenkeel/core/webhook';
import * as evenkeel from 'evenkeel';
import { root } from './imports.fixture.ts';

const guide = readFileSync(join(root, 'docs/rbac.md'), 'utf8');

@CustomResource({ group: 'example.com', version: 'v1' })
class Site extends KubernetesObject {}

class SiteStatus {}

@CustomResource({ group: 'example.com', version: 'v1', kind: 'Site' })
class SiteWithStatus extends KubernetesObject {
  @Status() status!: SiteStatus;
}

@CustomResource({ group: 'example.com', version: 'v1' })
class Page extends KubernetesObject {}

@CustomResource({ group: 'example.com', version: 'v1' })
class Theme extends KubernetesObject {}

@Controller(Site)
class Plain {
  @Reconcile() reconcile(): void {}
}

@Controller(SiteWithStatus)
class WithStatus {
  @Reconcile() reconcile(): void {}
}

@Controller(Site)
class WithFinalizer extends Plain {
  @Finalizer('example.com/x') finalize(): void {}
}

@Controller(Site)
@Owns(Page)
class WithChildren extends Plain {}

@Controller(Site)
class WithWatch extends Plain {
  @Watches(Theme) onTheme(): [] {
    return [];
  }
}

@Controller(Site)
class WithMetadataWatch extends Plain {
  @Watches(Metadata(Theme)) onTheme(): [] {
    return [];
  }
}

@CustomResource({ group: 'example.com', version: 'v1' })
class Limit extends KubernetesObject {}

@ValidatingWebhook(Site, { params: { kind: Limit, name: 'limit' } })
@Rule('object.spec.size < params.spec.most')
class WithParams {}

@ValidatingWebhook(Site)
@Rule('namespaceObject.metadata.name != "x"')
class WithNamespace {}

type Said = Omit<OperatorOptions, 'plans'> & { readonly controllers: readonly (new () => object)[] };

/** The values of the table's first column, each with an example. */
const declarations: Readonly<Record<string, Said>> = {
  '`@Controller(Site)`': { controllers: [Plain] },
  '`@Status()` in the class': { controllers: [WithStatus] },
  "`@Finalizer('example.com/x')`": { controllers: [WithFinalizer] },
  '`@Owns(Page)`': { controllers: [WithChildren] },
  '`@Watches(Theme)`': { controllers: [WithWatch] },
  '`params: { kind: Limit, name }` of a webhook with `@Rule` or `@Mutation`': {
    controllers: [],
    webhooks: planWebhooks([WithParams]).plans,
  },
  '`namespaceObject` in such an expression': { controllers: [], webhooks: planWebhooks([WithNamespace]).plans },
  '`leaderElection`': { controllers: [], leaderElection: { name: 'sites', namespace: 'default' } },
  'built-in [certificates](certificates.md#permissions)': {
    controllers: [],
    certificates: certificateObjects({
      name: 'sites',
      namespace: 'default',
      webhooks: [{ type: 'mutating' }, { type: 'validating' }],
      conversions: [resourceOf(Site)],
    }),
  },
  '`metricsAuthentication`': { controllers: [], metricsAuthentication: true },
};

/** Returns `verb resource` of all derived permissions; with `of that name` if limited to one object. */
function derived({ controllers, ...options }: Said): string[] {
  const { plans, mistakes } = planControllers(controllers);
  expect(mistakes).toEqual([]);
  const rules = deriveRoles({ plans, ...options }).flatMap((role) => role.rules);
  return rules.flatMap((rule) =>
    'path' in rule
      ? []
      : rule.verbs.map((verb) => `${verb} \`${rule.resource}\`${rule.names.length > 0 ? ' of that name' : ''}`),
  );
}

/** Returns the rows of the table; those without a declaration belong to the previous one. */
function rows(): Map<string, string[]> {
  const table = guide.slice(guide.indexOf('| declaration |')).split('\n\n')[0] ?? '';
  const found = new Map<string, string[]>();
  let declaration = '';
  for (const line of table.split('\n').slice(2)) {
    const [, said = '', on = '', verbs = ''] = line.split('|').map((cell) => cell.trim());
    if (said !== '') declaration = said;
    const pairs = [...verbs.matchAll(/`(\w+)`/g)].map(([, verb]) => `${verb} ${on}`);
    found.set(declaration, [...(found.get(declaration) ?? []), ...pairs]);
  }
  return found;
}

describe('the guide to permissions', () => {
  it('has a row for each declaration from which roles are derived', () => {
    expect([...rows().keys()]).toEqual(Object.keys(declarations));
  });

  it.each(Object.entries(declarations))('lists exactly what is derived from %s', (declaration, said) => {
    // Permissions of all controllers are only in the first row.
    const hasCommon = declaration !== '`@Controller(Site)`' && said.controllers.length > 0;
    const common = hasCommon ? derived({ controllers: [Plain] }) : [];
    const more = derived(said).filter((pair) => !common.includes(pair));
    expect(rows().get(declaration)?.toSorted()).toEqual(more.sort());
  });

  it('states that metadata needs the same permissions', () => {
    expect(derived({ controllers: [WithMetadataWatch] })).toEqual(derived({ controllers: [WithWatch] }));
  });

  it('shows valid forms of @Rbac', () => {
    const forms = [...guide.matchAll(/^\| `(@Rbac\([^`]*\))` \|/gm)].map(([, form = '']) => form);
    expect(forms).toHaveLength(6);
    for (const form of forms) {
      class Service {}
      const { Pod, Secret, ConfigMap } = evenkeel;
      const decorate = new Function('Rbac', 'Pod', 'Secret', 'ConfigMap', `return ${form.slice(1)}`);
      decorate(Rbac, Pod, Secret, ConfigMap)(Service);
      const mistakes: string[] = [];
      expect(planRbac(Service, ({ message }) => mistakes.push(message))).toHaveLength(1);
      expect(mistakes).toEqual([]);
    }
  });

  it('shows the test that runs in this folder', () => {
    const [, block] = /^```ts\n(import .*?)^```$/ms.exec(guide) ?? [];
    const test = readFileSync(join(root, 'test/rbac-audit-guide.test.ts'), 'utf8');
    expect(block).toBe(
      test.replace('test/greeting.fixture.ts', 'src/greeting.ts').replace('./greeting.fixture.ts', './greeting.ts'),
    );
  });
});
