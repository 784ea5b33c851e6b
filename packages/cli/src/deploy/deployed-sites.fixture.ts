import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiServer, type ApiServerOptions } from '@evenkeel/apiserver';
import { type Client, createClient } from '@evenkeel/client';
import { ValidatingWebhookConfiguration } from '@evenkeel/kinds';
import { eventually } from '@evenkeel/testing';
import { Project } from '../project.fixture.ts';

/** What a test changes in the project. */
export interface SitesOptions {
  /** More options of the declaration. */
  readonly declares?: string;
  /** More options of `deployment`. */
  readonly deployment?: string;
  /** The fields of the spec. */
  readonly spec?: string;
  /** Whether the operator has a webhook. */
  readonly hasWebhook?: boolean;
}

export function siteFiles(options: SitesOptions = {}): Record<string, string> {
  const { declares = '', deployment = '', spec = "host: string = 'example.com';", hasWebhook = false } = options;
  const webhook = `
@ValidatingWebhook(Site)
export class SiteValidator {
  @Admit('create') check(_site: Site): void {}
}
`;
  return {
    'package.json': '{ "name": "sites", "version": "1.2.0", "type": "module" }',
    'evenkeel.config.ts': `
import { defineConfig } from '@evenkeel/cli/config';
export default defineConfig({ apis: ['./src/site.ts'], operator: './src/operator.ts', deployment: { ${deployment} } });
`,
    'src/site.ts': `
import { Admit, Controller, CustomResource, KubernetesObject, Reconcile, Spec, ValidatingWebhook } from 'evenkeel';
export class SiteSpec { ${spec} }
@CustomResource({ group: 'example.com', version: 'v1' })
export class Site extends KubernetesObject { @Spec() spec!: SiteSpec; }
@Controller(Site)
export class SiteController { @Reconcile() reconcile(): void {} }
${hasWebhook ? webhook : ''}
`,
    'src/operator.ts': `
import { defineOperator } from 'evenkeel';
import * as site from './site.ts';
export const operator = defineOperator({
  name: 'sites', controllers: [site.SiteController], ${hasWebhook ? 'webhooks: [site.SiteValidator],' : ''} ${declares}
});
`,
  };
}

export const siteKind = { group: 'example.com', version: 'v1', kind: 'Site', plural: 'sites', namespaced: true };
export const namespace = 'sites-system';

/** A cluster, and a project that is deployed to it. */
export class DeployedSites {
  readonly server: ApiServer;
  readonly client: Client;
  readonly project: Project;

  private constructor(server: ApiServer, project: Project) {
    this.server = server;
    this.project = project;
    this.client = createClient(server.transport(), { fieldManager: 'somebody' });
  }

  static async create(options: SitesOptions = {}, server: ApiServerOptions = {}): Promise<DeployedSites> {
    const sites = new DeployedSites(
      await ApiServer.create({ controllerDelayMs: 0, ...server }),
      await Project.create(siteFiles(options)),
    );
    await sites.server.listen();
    await sites.server.writeKubeconfig(join(sites.project.folder, 'kubeconfig'));
    return sites;
  }

  /** Changes the project. */
  change(options: SitesOptions): Promise<void> {
    return this.project.write(siteFiles(options));
  }

  /** Runs a command on the cluster, from this process. */
  run(...words: string[]) {
    return this.project.run(...words, '--kubeconfig', 'kubeconfig');
  }

  /** Deploys an operator with a webhook, and sets the `caBundle` as the operator does. */
  async deployWithWebhook(caBundle: string, ...words: string[]): ReturnType<DeployedSites['run']> {
    const running = this.run('deploy', ...words);
    await eventually(() => this.trust(caBundle), { timeout: '60s' });
    return running;
  }

  /** Sets the `caBundle` of the webhook, once it exists. */
  async trust(caBundle: string): Promise<void> {
    const metadata = { name: 'sites' };
    await this.client.get(ValidatingWebhookConfiguration, metadata.name);
    const webhooks = [{ name: 'vsite-v1.example.com', clientConfig: { caBundle } }];
    await this.client.apply(ValidatingWebhookConfiguration, { metadata, webhooks } as never, { force: true });
  }

  /** Writes a kubeconfig with another token. */
  async writeToken(file: string, token: string): Promise<void> {
    const text = await readFile(join(this.project.folder, 'kubeconfig'), 'utf8');
    await writeFile(join(this.project.folder, file), text.replace(/token: .*/, `token: ${token}`));
  }

  async close(): Promise<void> {
    await this.server.close();
    await this.project.remove();
  }
}

/** Returns the lines of a printed result that describe changes. */
export function changedLines(out: string): string[] {
  return out.split('\n').filter((line) => !/ unchanged$/.test(line));
}
