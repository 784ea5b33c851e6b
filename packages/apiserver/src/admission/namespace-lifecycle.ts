import { groupResourceOf } from '@evenkeel/core';
import type { AdmissionStep } from '../registry/write-request.ts';
import { forbidden, notFound, refusal } from '../status/refusal.ts';
import type { ObjectStore } from '../store/object-store.ts';

const namespaces = { group: '', plural: 'namespaces' };
/** Namespaces that cannot be deleted. */
const immortal = new Set(['default', 'kube-system', 'kube-public']);

/**
 * Rejects writes that the state of a namespace does not allow: any write in a missing namespace, new objects in a
 * terminating one, and the deletion of the system's namespaces (upstream's NamespaceLifecycle admission plugin).
 */
export function namespaceLifecycle(store: ObjectStore): AdmissionStep {
  return ({ request, operation, name }) => {
    const { kind, namespace, subresource } = request;
    const isNamespace = kind.storageKey === '/namespaces';
    if (isNamespace) {
      if (operation === 'DELETE' && immortal.has(name)) {
        throw forbidden(namespaces, name, 'this namespace may not be deleted');
      }
      return undefined;
    }
    if (namespace === '' || operation === 'DELETE') return undefined;
    const stored = store.get('/namespaces', '', namespace);
    if (stored === undefined) throw notFound(namespaces, namespace);
    if (operation !== 'CREATE' || subresource !== undefined) return undefined;
    if (stored.object.metadata.deletionTimestamp === undefined) return undefined;
    const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
    const shown = name === '' ? 'Unknown' : name;
    const message = `${groupResourceOf(kind.names)} ${JSON.stringify(shown)} is forbidden: ${why}`;
    throw refusal(403, 'Forbidden', message, {
      name: shown,
      ...(kind.names.group !== '' && { group: kind.names.group }),
      kind: kind.names.plural,
      causes: [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    });
  };
}
