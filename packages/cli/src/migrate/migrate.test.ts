import { join } from 'node:path';
import { ApiServer } from '@evenkeel/apiserver';
import { type Client, createClient } from '@evenkeel/client';
import { CustomResourceDefinition } from '@evenkeel/kinds';
import { Project } from '../project.fixture.ts';

const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
const v1beta1 = {
  group: 'docs.example.com',
  version: 'v1beta1',
  kind: 'Shop',
  plural: 'shops',
  namespaced: true,
};

let server: ApiServer;
let client: Client;
let project: Project;

beforeEach(async () => {
  server = await ApiServer.create({ controllers: false });
  await server.listen();
  client = createClient(server.transport(), { fieldManager: 'shopkeeper' });
  project = await Project.create({});
  await server.writeKubeconfig(join(project.folder, 'kubeconfig'));
});
afterEach(async () => {
  await server.close();
  await project.remove();
});

/** Installs a kind with the storage version v1beta1, `count` objects of it, and then makes v1 the storage version. */
async function install(count: number, group = v1beta1.group): Promise<void> {
  const versions = (storage: string) =>
    ['v1', 'v1beta1'].map((name) => ({ name, served: true, storage: name === storage, schema }));
  const definition = (storage: string) => ({
    metadata: { name: `shops.${group}` },
    spec: {
      group,
      names: { kind: 'Shop', plural: 'shops', shortNames: ['sh'] },
      scope: 'Namespaced' as const,
      versions: versions(storage),
    },
  });
  await client.create(CustomResourceDefinition, definition('v1beta1'));
  for (let at = 0; at < count; at++) {
    await client.create(
      { ...v1beta1, group },
      {
        metadata: { name: `shop-${at}`, namespace: 'default' },
        spec: { color: 'blue' },
      },
    );
  }
  await client.apply(CustomResourceDefinition, definition('v1'), { fieldManager: 'shopkeeper', force: true });
}

const run = (...words: string[]) => project.run(...words, '--kubeconfig', 'kubeconfig');

describe('evenkeel migrate', () => {
  it.each(['Shop', 'shops', 'shop', 'sh', 'shops.docs.example.com'])('finds the CRD of %s', async (name) => {
    await install(1);
    expect(await run('migrate', name, '--dry-run')).toEqual({
      exitCode: 0,
      out: 'shops.docs.example.com: 1 object would be stored in v1; nothing was written',
      err: '',
    });
  });

  it('prints what it has done, and nothing to do the second time', async () => {
    await install(3);
    expect(await run('migrate', 'shops', 'Shop')).toEqual({
      exitCode: 0,
      out: 'shops.docs.example.com: stored 3 objects in v1; removed v1beta1 from status.storedVersions',
      err: '',
    });
    expect((await run('migrate', 'shops')).out).toBe('shops.docs.example.com: all objects are stored in v1');
  });

  it('prints a report for programs, with the errors of each CRD', async () => {
    await install(2);
    const { exitCode, out, err } = await run('migrate', 'shops.docs.example.com', 'x.docs.example.com', '-o', 'json');
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: '' });
    expect(JSON.parse(out)).toEqual({
      version: 1,
      command: 'migrate',
      ok: false,
      migrations: [
        {
          definition: 'shops.docs.example.com',
          kind: 'Shop',
          storageVersion: 'v1',
          storedVersions: { before: ['v1beta1', 'v1'], after: ['v1'] },
          outcome: 'migrated',
          by: 'evenkeel',
          resumed: false,
          rewritten: 2,
          gone: 0,
          failed: 0,
          failures: [],
          losses: [],
          unchecked: 0,
        },
      ],
      findings: [
        {
          level: 'error',
          object: 'x.docs.example.com',
          code: 'unknown-kind',
          message:
            'migrate x.docs.example.com: the cluster has no CRD of this name; install it first, or check the name with "kubectl get crd"',
          fix: 'install it first, or check the name with "kubectl get crd"',
        },
      ],
    });
  });

  it('lists the objects that fail, without control characters, and exits with 1', async () => {
    await install(22);
    server.registerWebhook('https://rejects.example.com', async ({ body }) => {
      const { request, ...review } = JSON.parse(Buffer.from(body).toString()) as { request: { uid: string } };
      const status = { message: 'closed\u001b[31m\nfor good' };
      const answer = { ...review, response: { uid: request.uid, allowed: false, status } };
      return { status: 200, body: Buffer.from(JSON.stringify(answer)) };
    });
    await client.create(
      {
        group: 'admissionregistration.k8s.io',
        version: 'v1',
        kind: 'ValidatingWebhookConfiguration',
        plural: 'validatingwebhookconfigurations',
        namespaced: false,
      },
      {
        metadata: { name: 'rejects' },
        webhooks: [
          {
            name: 'rejects.example.com',
            clientConfig: { url: 'https://rejects.example.com' },
            rules: [
              { apiGroups: ['docs.example.com'], apiVersions: ['*'], operations: ['UPDATE'], resources: ['shops'] },
            ],
            admissionReviewVersions: ['v1'],
            sideEffects: 'None',
          },
        ],
      } as never,
    );
    const { exitCode, err } = await run('migrate', 'shops');
    expect(exitCode).toBe(1);
    // On a slow machine, lines of progress come before it.
    expect(err).toMatch(/^error: /m);
    expect(err).not.toContain('\u001b');
    expect(err).toContain('status.storedVersions remains [v1beta1, v1]; fix the objects and run the command again');
    expect(err).toContain('  and 2 more');
  });

  it('exits with 1 if objects would lose fields, and names them', async () => {
    await install(2);
    const closed = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } };
    const definition = await client.get(CustomResourceDefinition, 'shops.docs.example.com');
    for (const version of definition.spec.versions) if (version.storage) version.schema = closed;
    await client.update(CustomResourceDefinition, definition);
    const list = '  spec.color of 2 objects, such as default/shop-N';
    const fix =
      'add the fields to v1, declare a conversion, or copy the values first; if nobody needs these fields, pass --allow-data-loss [lossy-migration]';
    const lossy = async (...options: string[]) => {
      const { err, ...others } = await run('migrate', 'shops', ...options);
      return { ...others, err: err.replace(/shop-[01]/, 'shop-N') };
    };
    expect(await lossy()).toEqual({
      exitCode: 1,
      out: '',
      err: `error: shops.docs.example.com: objects would lose fields permanently, because v1 does not have them; nothing was written; ${fix}\n${list}`,
    });
    expect(await lossy('--dry-run')).toEqual({
      exitCode: 1,
      out: 'shops.docs.example.com: 2 objects would be stored in v1; nothing was written',
      err: `error: shops.docs.example.com: objects would lose fields permanently, because v1 does not have them; ${fix}\n${list}`,
    });
    expect((await run('versions', 'shops')).out).toContain(
      'before you remove v1beta1: objects may be stored in it; run "evenkeel migrate shops.docs.example.com", which drops fields that v1 does not have ("--dry-run" lists them)',
    );
    expect(await lossy('--allow-data-loss')).toEqual({
      exitCode: 0,
      out: 'shops.docs.example.com: stored 2 objects in v1; removed v1beta1 from status.storedVersions',
      err: `notice: shops.docs.example.com: objects lost fields permanently, because v1 does not have them [lossy-migration]\n${list}`,
    });
  });

  it('compares objects as a conversion webhook stores them, not the schemas', async () => {
    await install(2);
    let isLossy = true;
    // It moves color to colour.
    server.registerWebhook('https://converts.example.com', async ({ body }) => {
      const { request, ...review } = JSON.parse(Buffer.from(body).toString()) as {
        request: { uid: string; desiredAPIVersion: string; objects: { spec: { color?: string; colour?: string } }[] };
      };
      const convertedObjects = request.objects.map(({ spec, ...object }) => {
        const toCurrent = isLossy ? {} : { colour: spec.color };
        const isCurrent = request.desiredAPIVersion.endsWith('/v1');
        return {
          ...object,
          apiVersion: request.desiredAPIVersion,
          spec: isCurrent ? toCurrent : { color: spec.colour },
        };
      });
      const response = { uid: request.uid, result: { status: 'Success' }, convertedObjects };
      return { status: 200, body: Buffer.from(JSON.stringify({ ...review, response })) };
    });
    const definition = await client.get(CustomResourceDefinition, 'shops.docs.example.com');
    definition.spec.conversion = {
      strategy: 'Webhook',
      webhook: { clientConfig: { url: 'https://converts.example.com' }, conversionReviewVersions: ['v1'] },
    };
    await client.update(CustomResourceDefinition, definition);
    expect((await run('migrate', 'shops')).err).toContain('\n  spec.color of 2 objects, such as default/shop-');
    isLossy = false;
    expect(await run('migrate', 'shops')).toMatchObject({ exitCode: 0, err: '' });
  });

  it('reports a conversion webhook that cannot be called, and does not propose to lose data', async () => {
    await install(2);
    const definition = await client.get(CustomResourceDefinition, 'shops.docs.example.com');
    definition.spec.conversion = {
      strategy: 'Webhook',
      webhook: { clientConfig: { url: 'https://127.0.0.1:1/convert' }, conversionReviewVersions: ['v1'] },
    };
    await client.update(CustomResourceDefinition, definition);
    for (const options of [[], ['--dry-run']]) {
      const { exitCode, out, err } = await run('migrate', 'shops', ...options);
      expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
      expect(err).toMatch(
        /^error: migrate shops\.docs\.example\.com: the API server cannot call the conversion webhook: Post "https:\/\/127\.0\.0\.1:1\/convert\?timeout=30s": .*; nothing was written; start the operator that serves it \("evenkeel doctor" finds out why it is not reachable\), and run the command again \[migration-refused\]$/,
      );
    }
  });

  it('reports unknown and ambiguous names with the fix', async () => {
    await install(0);
    await install(0, 'other.example.com');
    expect((await run('migrate', 'Shopp')).err).toBe(
      'error: "Shopp": no CRD of the cluster has this kind or name; did you mean "shop"? [unknown-kind]',
    );
    expect((await run('versions', 'bakeries')).err).toBe(
      'error: "bakeries": no CRD of the cluster has this kind or name; list them with "kubectl get crd" [unknown-kind]',
    );
    expect((await run('migrate', 'Shop')).err).toBe(
      'error: "Shop": several CRDs of the cluster have this name: shops.docs.example.com, shops.other.example.com; pass one of these full names [unknown-kind]',
    );
  });

  it.each([
    [
      ['--qps', '0'],
      'error: --qps "0": not a number of requests per second; pass a positive number such as 100 [invalid-option]',
    ],
    [
      ['--qps', ''],
      'error: --qps "": not a number of requests per second; pass a positive number such as 100 [invalid-option]',
    ],
    [
      [],
      'error: no evenkeel.config.ts in <project>; run the command in the folder of your project, or pass --config FILE; or name the kinds, such as shops.example.com [invalid-config]',
    ],
    [
      ['-o', 'yaml'],
      "error: option '-o, --output <format>' argument 'yaml' is invalid. Allowed choices are text, json.",
    ],
  ])('rejects %j', async (words, message) => {
    expect(await run('migrate', ...words)).toEqual({ exitCode: 1, out: '', err: message });
  });

  it('reports a missing kubeconfig', async () => {
    expect((await project.run('migrate', 'shops', '--kubeconfig', 'missing')).err).toContain('[kubeconfig-not-found]');
  });

  it('stops after Ctrl-C with code 130, and continues', async () => {
    await install(600);
    const first = await project.interrupted(
      'objects done',
      'migrate',
      'shops',
      '--kubeconfig',
      'kubeconfig',
      '--qps',
      '40',
    );
    expect(first.exitCode).toBe(130);
    expect(first.output).toContain('interrupted; run the same command again to continue');
    expect((await run('migrate', 'shops')).out).toContain('stored 600 objects in v1');
  });
});

describe('evenkeel versions', () => {
  it('shows the versions of a kind, who has written an old one, and what blocks its removal', async () => {
    await install(2);
    await client.apply(
      { ...v1beta1, version: 'v1' },
      { metadata: { name: 'shop-0', namespace: 'default' }, spec: { color: 'red' } },
      { fieldManager: 'new', force: true },
    );
    const { exitCode, out, err } = await run('versions', 'shops');
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
    expect(
      out
        .replace(/20\d\d-\S+Z/g, 'TIME')
        .split('\n')
        .map((line) => line.replace(/ +/g, ' ')),
    ).toEqual([
      'shops.docs.example.com: 2 objects of the kind Shop',
      ' VERSION SERVED STORAGE STORED DEPRECATED REMOVABLE',
      ' v1 yes yes yes no no',
      ' v1beta1 yes no yes no no',
      ' before you remove v1beta1: objects may be stored in it; run "evenkeel migrate shops.docs.example.com"',
      ' then: it is served; when nobody uses it any more, set "served: false"',
      ' last written through another version than the storage version:',
      ' VERSION MANAGER OPERATION OBJECTS LAST WRITE EXAMPLE',
      ' v1beta1 shopkeeper Update 2 TIME default/shop-0',
    ]);
    const { definitions } = JSON.parse((await run('versions', 'shops', '-o', 'json')).out);
    expect(definitions[0].versions[0].writers).toEqual([
      {
        version: 'v1',
        manager: 'new',
        operation: 'Apply',
        subresource: '',
        objects: 1,
        lastWrite: expect.any(String),
        example: 'default/shop-0',
      },
    ]);
  });
});
