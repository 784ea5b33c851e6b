import { customResourceDefinitionOf } from '@evenkeel/schema';
import type { Environment } from '@evenkeel/testing';
import { IsString } from 'class-validator';
import { CustomResource, KubernetesObject, Spec } from 'evenkeel';

/** The module of an operator with some options. */
export function operatorOf(options: string): string {
  return `import { controllerFor, defineOperator } from 'evenkeel';
import { Site } from './site.ts';
export const operator = defineOperator({
  name: 'sites',
  controllers: [controllerFor(Site, { name: 'site' }).reconcile(async () => {})],
  ${options}
});
`;
}

/** A project with an operator that does nothing, but leads. */
export const siteProject: Readonly<Record<string, string>> = {
  'tsconfig.json':
    '{ "compilerOptions": { "experimentalDecorators": true, "emitDecoratorMetadata": true, "rewriteRelativeImportExtensions": true } }',
  'evenkeel.config.ts':
    "export default { apis: ['./src/site.ts'], operator: './src/operator.ts', deployment: { namespace: 'default' } };",
  'src/site.ts': `import { IsString } from 'class-validator';
import { CustomResource, KubernetesObject, Spec } from 'evenkeel';
export class SiteSpec {
  @IsString() host = 'a.example.com';
}
@CustomResource({ group: 'run.example.com', version: 'v1' })
export class Site extends KubernetesObject {
  @Spec() spec!: SiteSpec;
}
`,
  'src/operator.ts': operatorOf("leaderElection: { leaseDuration: '15s', retryPeriod: '200ms' },"),
  'src/main.ts': `import { Manager } from 'evenkeel';
import { operator } from './operator.ts';
await Manager.run(operator);
`,
};

class SiteSpec {
  @IsString() host = 'a.example.com';
}

@CustomResource({ group: 'run.example.com', version: 'v1' })
class Site extends KubernetesObject {
  @Spec() spec!: SiteSpec;
}

/** Installs the CRD of the project. */
export async function installSite(environment: Environment): Promise<void> {
  await environment.install(await customResourceDefinitionOf(Site));
}
