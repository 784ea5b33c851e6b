/** An operator with everything that changes its manifests. */
export const siteSource = `
import { Admit, Controller, CustomResource, KubernetesObject, Reconcile, ValidatingWebhook } from 'evenkeel';
@CustomResource({ group: 'example.com', version: 'v1' })
export class Site extends KubernetesObject {}
@Controller(Site)
export class SiteController {
  @Reconcile() reconcile(): void {}
}
@ValidatingWebhook(Site)
export class SiteValidator {
  @Admit('create') check(_site: Site): void {}
}
`;

/** Its module `src/operator.ts`. */
export const siteDeclaration = (options: string): string => `
import { defineOperator } from 'evenkeel';
import { SiteController, SiteValidator } from './site.ts';
export const operator = defineOperator({ name: 'sites', controllers: [SiteController], ${options} });
`;

/** Its configuration, with options of `deployment` and others. */
export const siteConfig = (deployment: string, more: string): string =>
  `export default { apis: ['./src/site.ts'], operator: './src/operator.ts', ${more}, deployment: { namespace: 'web', ${deployment} } };`;
