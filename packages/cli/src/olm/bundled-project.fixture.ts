/** The members that a bundle needs, as code. */
export const bundleMetadata = `displayName: 'Sites',
    description: 'Serves web sites from ConfigMaps. It needs nothing else.',
    provider: { name: 'Example Inc.' },
    maintainers: [{ name: 'Jane Doe', email: 'jane@example.com' }],
    links: [{ name: 'Documentation', url: 'https://example.com/docs' }],
    icon: './icon.svg',`;

export interface BundledProjectOptions {
  /** Members of the configuration. */
  readonly config?: string;
  /** Members of its option `bundle`. */
  readonly bundle?: string;
  /** Members of the operator. */
  readonly operator?: string;
  /** The source of other modules, with which the operator's module starts. */
  readonly head?: string;
}

/** A project whose operator can have a bundle without findings, except for the digests of its images. */
export function bundledProject(options: BundledProjectOptions = {}): Readonly<Record<string, string>> {
  const { config = '', bundle = bundleMetadata, operator = '', head = '' } = options;
  return {
    'package.json':
      '{ "name": "sites", "version": "1.2.0", "type": "module", "keywords": ["web"], "repository": "example/sites" }',
    'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
    'tsconfig.json':
      '{ "compilerOptions": { "experimentalDecorators": true, "emitDecoratorMetadata": true, "rewriteRelativeImportExtensions": true } }',
    'evenkeel.config.ts': `export default {
  apis: ['./src/site.ts'],
  operator: './src/operator.ts',
  ${config}
  bundle: {
    ${bundle}
  },
};
`,
    'src/site.ts': `import { IsIn, IsInt, IsOptional, IsString } from 'class-validator';
import { Conditions, CustomResource, KubernetesObject, Scale, Spec, Status, Title } from 'evenkeel';
export class CacheSpec {
  /** How long pages are kept. */
  @IsOptional() @IsInt() seconds?: number;
}
export class SiteSpec {
  /** The number of servers. */
  @IsInt() replicas = 1;
  @Title('Public host name') @IsOptional() @IsString() host?: string;
  @IsOptional() @IsIn(['fast', 'slow']) speed?: string;
  @IsOptional() @IsString() tlsSecretName?: string;
  @IsOptional() cache?: CacheSpec;
}
export class SiteStatus {
  @IsOptional() @IsInt() readyReplicas?: number;
  @Conditions() conditions?: import('evenkeel').Condition[];
}
/** A web site. */
@CustomResource({ group: 'web.example.com', version: 'v1' })
@Scale({ specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.readyReplicas' })
export class Site extends KubernetesObject {
  @Spec() spec!: SiteSpec;
  @Status() status!: SiteStatus;
}
`,
    'src/operator.ts': `import { controllerFor, defineOperator, Deployment } from 'evenkeel';
import { Site } from './site.ts';
${head}
export const operator = defineOperator({
  name: 'sites',
  controllers: [controllerFor(Site, { name: 'site' }).owns(Deployment).reconcile(async () => {})],
  ${operator}
});
`,
  };
}
