import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@evenkeel/testing';
import { ConfigMap, type CustomResourceDefinition } from 'evenkeel';
import { parse } from 'yaml';
import { Project } from '../packages/cli/src/project.fixture.ts';
import { root } from './imports.fixture.ts';
import { withOperatorProcess } from './operator-process.fixture.ts';

// A bundler puts all modules into one scope, renames names that occur twice, and removes code that it considers unused.
// This operator therefore contains what could break: services that are injected by their types, two versions of a kind
// in classes of one name, and classes with the names of some of ours.
const page = readFileSync(join(root, 'docs/own-project.md'), 'utf8');
const fileOf = (name: string): string => page.match(new RegExp(`^\`\`\`\\w+ ${name}\n(.*?)^\`\`\``, 'ms'))?.[1] ?? '';

const version = (name: string, storage: boolean): string => `import { IsString } from 'class-validator';
import { CustomResource, KubernetesObject, Spec } from 'evenkeel';
export class EventSpec {
  @IsString() text = '${name}';
}
@CustomResource({ group: 'names.example.com', version: '${name}', storage: ${storage} })
export class Event extends KubernetesObject {
  @Spec() spec!: EventSpec;
}`;

const files = {
  'package.json': '{ "type": "module" }',
  'tsconfig.json': fileOf('tsconfig.json'),
  'evenkeel.config.ts': "export default { apis: ['./src/v1.ts', './src/v2.ts'], operator: './src/operator.ts' };",
  'src/v1.ts': version('v1', false),
  'src/v2.ts': version('v2', true),
  'src/logger.ts': `export class Logger {
  readonly prefix = 'said';
}`,
  'src/words.ts': `import { Client, ConfigMap, Logger as OperatorLogger } from 'evenkeel';
import { injectable } from 'inversify';
import { Logger } from './logger.ts';
@injectable()
export class Words {
  constructor(
    private readonly client: Client,
    private readonly logger: Logger,
    private readonly log: OperatorLogger,
  ) {}
  async of(text: string): Promise<string> {
    this.log.info('words');
    const { items } = await this.client.list(ConfigMap, { namespace: 'default' });
    return [this.logger.prefix, text, Array.isArray(items), Logger.name, OperatorLogger.name].join();
  }
}`,
  'src/controller.ts': `import { ConfigMap, Controller, Lister, ListerOf, Owns, Reconcile, ReconcileContext } from 'evenkeel';
import { Event as OldEvent } from './v1.ts';
import { Event } from './v2.ts';
import { Words } from './words.ts';
@Controller(Event)
@Owns(ConfigMap)
export class EventController {
  constructor(
    private readonly words: Words,
    @ListerOf(Event) private readonly events: Lister<Event>,
  ) {}
  @Reconcile()
  async reconcile(event: Event, context: ReconcileContext): Promise<void> {
    await context.apply<ConfigMap>({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: event.metadata.name },
      data: {
        text: await this.words.of(event.spec.text),
        names: [Event.name, OldEvent.name, EventController.name, event.constructor.name].join(),
        known: String(this.events.list({ namespace: event.metadata.namespace }).length),
      },
    });
  }
}`,
  'src/operator.ts': `import { defineOperator } from 'evenkeel';
import { EventController } from './controller.ts';
import { Logger } from './logger.ts';
import { Words } from './words.ts';
export const operator = defineOperator({ name: 'events', controllers: [EventController], services: [Words, Logger] });`,
  'src/main.ts': `import { Manager } from 'evenkeel';
import { operator } from './operator.ts';
await Manager.run(operator);`,
};

const isBuilt = existsSync(join(root, 'packages/evenkeel/dist/index.js'));
if (!isBuilt) console.log('skipped: the packages are not built, so they cannot be bundled');

(isBuilt ? describe : describe.skip)('an operator bundled into one file', () => {
  it('keeps the names of its classes and their injection, in an otherwise empty folder', async () => {
    const project = await Project.create(files);
    const alone = await mkdtemp(join(tmpdir(), 'evenkeel-one-file-'));
    try {
      expect(await project.run('generate')).toMatchObject({ exitCode: 0, err: '' });
      const crd = parse(await project.read('config/crd/names.example.com_events.yaml')) as CustomResourceDefinition;
      expect(await project.process('build')).toMatchObject({ exitCode: 0 });
      await cp(join(project.folder, 'dist/operator.mjs'), join(alone, 'operator.mjs'));

      const exitCode = await withOperatorProcess(['operator.mjs'], alone, [crd], async (client) => {
        const resource = {
          group: 'names.example.com',
          version: 'v1',
          kind: 'Event',
          plural: 'events',
          namespaced: true,
        };
        await client.create(resource, { metadata: { name: 'a', namespace: 'default' }, spec: { text: 'hello' } });
        const map = await eventually(() => client.get(ConfigMap, 'default/a'), { timeout: '90s' });
        expect(map.data).toEqual({
          text: 'said,hello,true,Logger,Logger',
          names: 'Event,Event,EventController,Event',
          known: '1',
        });
      });
      expect(exitCode).toBe(0);
    } finally {
      await rm(alone, { recursive: true });
      await project.remove();
    }
  });
});
