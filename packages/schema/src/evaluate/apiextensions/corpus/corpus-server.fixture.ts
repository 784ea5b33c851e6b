import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { StatusCause } from '@evenkeel/core';
import type { RealAnswer, RealServer } from '../../../../../../test/real-server.fixture.ts';
import type { CustomResourceDefinition } from '../custom-resource-definition.ts';
import { type CorpusEntry, type OldDefinition, spec } from './corpus-entry.fixture.ts';
import { type Verdict, verdictOf } from './verdict.fixture.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Sends entries to a real API server as dry runs, so that none of them is stored. */
export class CorpusServer {
  readonly #server: RealServer;
  readonly #etcd: string;
  #old: OldDefinition | undefined;
  #oldVersion = '';

  private constructor(server: RealServer, etcd: string) {
    this.#server = server;
    this.#etcd = etcd;
  }

  /** Needs a dedicated server, because definitions that it would reject are written into its store. */
  static async on(server: RealServer): Promise<CorpusServer> {
    const pid = await readFile(join(dirname(server.kubeconfig), 'etcd.pid'), 'utf8');
    const flags = (await readFile(`/proc/${pid.trim()}/cmdline`, 'utf8')).split('\0');
    const etcd = flags[flags.indexOf('--advertise-client-urls') + 1];
    if (etcd === undefined) throw new Error(`etcd has no --advertise-client-urls: ${flags.join(' ')}`);
    return new CorpusServer(server, etcd);
  }

  /** The server's response to a dry run that creates or replaces the definition. */
  async answerTo({ crd, old }: CorpusEntry): Promise<RealAnswer> {
    if (old === undefined) return await this.#server.send('POST', `${definitions}?dryRun=All`, { body: crd });
    await this.#store(old);
    for (;;) {
      const answer = await this.#replace(crd, old);
      if (answer.status !== 409) return answer;
      // The server's controllers have changed it in between.
      this.#oldVersion = (await this.#server.send('GET', pathOf(old.crd))).body.metadata.resourceVersion;
    }
  }

  #replace(crd: unknown, old: OldDefinition): Promise<RealAnswer> {
    const { metadata, ...rest } = crd as CustomResourceDefinition;
    const body = { ...rest, metadata: { ...metadata, resourceVersion: this.#oldVersion } };
    return this.#server.send('PUT', `${pathOf(old.crd)}?dryRun=All`, { body });
  }

  /** Stores an old definition on the server in place of the previous one. */
  async #store(old: OldDefinition): Promise<void> {
    if (this.#old === old) return;
    if (this.#old !== undefined) await Promise.all([this.#remove(this.#old.crd), this.#remove(rival)]);
    this.#old = old;
    if (old.state === 'grandfathered') await this.#putIntoStore(old.crd);
    else {
      if (old.state === 'conflicting') await this.#create(rival, 'True');
      await this.#create(old.crd, undefined);
    }
    this.#oldVersion = await this.#established(old.crd, old.state === 'conflicting' ? 'False' : 'True');
  }

  async #create(crd: CustomResourceDefinition, established: 'True' | undefined): Promise<void> {
    const { status, text } = await this.#server.send('POST', definitions, { body: crd });
    if (status !== 201) throw new Error(`the server rejected the old definition: ${text}`);
    if (established !== undefined) await this.#established(crd, established);
  }

  async #established(crd: CustomResourceDefinition, wanted: string): Promise<string> {
    const isSo = ({ body }: RealAnswer) =>
      (body.status?.conditions ?? []).some(
        ({ type, status }: { type: string; status: string }) => type === 'Established' && status === wanted,
      );
    return (await this.#server.sendUntil(isSo, 'GET', pathOf(crd))).body.metadata.resourceVersion;
  }

  async #putIntoStore(crd: CustomResourceDefinition): Promise<void> {
    const metadata = { ...crd.metadata, uid: '0', generation: 1, creationTimestamp: '2020-01-01T00:00:00Z' };
    const names = crd.spec?.names;
    const acceptedNames = { ...names, singular: names?.kind?.toLowerCase(), listKind: `${names?.kind}List` };
    const conditions = ['NamesAccepted', 'Established'].map((type) => ({ type, status: 'True' }));
    const stored = { ...crd, metadata, status: { storedVersions: ['v1'], acceptedNames, conditions } };
    await this.#askStore('put', { key: keyOf(crd), value: base64(JSON.stringify(stored)) });
  }

  /** Deletes it in the store, because the server's controllers would list objects and call the definition's webhooks. */
  async #remove(crd: CustomResourceDefinition): Promise<void> {
    await this.#askStore('deleterange', { key: keyOf(crd) });
    await this.#server.sendUntil(({ status }) => status === 404, 'GET', pathOf(crd));
  }

  async #askStore(operation: string, body: object): Promise<void> {
    const answer = await fetch(`${this.#etcd}/v3/kv/${operation}`, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`etcd failed to ${operation}: ${await answer.text()}`);
  }
}

/** The verdict in the server's response. */
export function verdictIn({ status, headers, body }: RealAnswer): Verdict {
  const { message = '', details } = body as { message?: string; details?: { causes?: readonly StatusCause[] } };
  if (status === 400 && message.includes('cannot be handled as a CustomResourceDefinition')) {
    return { undecoded: /Go struct field \w+\.(\S+) of type/.exec(message)?.[1] ?? '' };
  }
  if (status === 422) return verdictOf(details?.causes ?? [], warningsIn(headers['warning']));
  if (status !== 200 && status !== 201) throw new Error(`the server responded with ${status}: ${message}`);
  return verdictOf([], warningsIn(headers['warning']));
}

function warningsIn(header: string | string[] | undefined): string[] {
  const texts = [header ?? []].flat().flatMap((line) => [...line.matchAll(/299 - "((?:\\.|[^"\\])*)"/g)]);
  // The server writes UTF-8 into the header, which Node decodes as Latin-1.
  return texts.map(([, text = '']) => Buffer.from(text.replaceAll(/\\(.)/g, '$1'), 'latin1').toString('utf8'));
}

/** A definition whose kind conflicts with those of the corpus. */
const rival: CustomResourceDefinition = {
  ...spec({ names: { plural: 'rivals', kind: 'Thing' } }),
  metadata: { name: 'rivals.crd.example.com' },
};

function pathOf(crd: CustomResourceDefinition): string {
  return `${definitions}/${crd.metadata?.name}`;
}

function keyOf(crd: CustomResourceDefinition): string {
  return base64(`/registry/apiextensions.k8s.io/customresourcedefinitions/${crd.metadata?.name}`);
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
