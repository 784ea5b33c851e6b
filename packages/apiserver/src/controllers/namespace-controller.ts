import type { Namespace } from '@evenkeel/kinds';
import type { ApiObject } from '../kind/api-object.ts';
import type { EmbeddedController } from './controller.ts';
import { splitKey } from './controller-reference.ts';
import { KeyedSync } from './keyed-sync.ts';

const namespaces = { group: '', plural: 'namespaces' };

/** Deletes the content of a terminating namespace, then finalizes the namespace when it is empty. */
export const namespaceController: EmbeddedController = {
  name: 'namespace-controller',
  start(context) {
    const { client } = context;
    const isTerminating = (name: string): boolean =>
      client.get<Namespace>(namespaces, undefined, name)?.metadata.deletionTimestamp !== undefined;
    const sync = new KeyedSync(context, async (key) => {
      const { name } = splitKey(key);
      const namespace = client.get<Namespace>(namespaces, undefined, name);
      if (namespace?.metadata.deletionTimestamp === undefined) return;
      let left = 0;
      for (const resource of client.resources()) {
        if (!resource.namespaced || !resource.verbs.includes('delete')) continue;
        for (const object of client.list<ApiObject>(resource, name)) {
          left++;
          if (object.metadata.deletionTimestamp === undefined) {
            await client.delete(resource, name, object.metadata.name, { propagationPolicy: 'Background' });
          }
        }
      }
      // The deletion of each remaining object triggers the next sync.
      if (
        left > 0 &&
        client.resources().some((resource) => resource.namespaced && client.list(resource, name).length > 0)
      ) {
        return;
      }
      if (!namespace.spec?.finalizers?.includes('kubernetes')) return;
      const finalizers = namespace.spec.finalizers.filter((finalizer) => finalizer !== 'kubernetes');
      await client.update(
        namespaces,
        { ...namespace, spec: { ...namespace.spec, finalizers } },
        { subresource: 'finalize' },
      );
    });
    const stops = [
      client.watch<Namespace>(namespaces, ({ object }) => {
        if (object.metadata.deletionTimestamp !== undefined) sync.add(`/${object.metadata.name}`);
      }),
      client.watchAll(({ type, object }) => {
        const name = object.metadata.namespace;
        if (type !== 'MODIFIED' && name !== undefined && isTerminating(name)) sync.add(`/${name}`);
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      sync.stop();
    };
  },
};
