import { isJsonObject } from '@evenkeel/apimachinery/json';
import { invalid, type KubeconfigEntry } from './kubeconfig.ts';

type FieldType = 'a text' | 'true or false' | 'a list of texts' | 'a mapping';

const isOf: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  'a text': (value) => typeof value === 'string',
  'true or false': (value) => typeof value === 'boolean',
  'a list of texts': (value) => Array.isArray(value) && value.every((text) => typeof text === 'string'),
  'a mapping': isJsonObject,
};

/** What is read of each sort of entry, as `k8s.io/client-go/tools/clientcmd/api/v1` has it. */
const fields = {
  cluster: {
    server: 'a text',
    'tls-server-name': 'a text',
    'insecure-skip-tls-verify': 'true or false',
    'certificate-authority': 'a text',
    'certificate-authority-data': 'a text',
    'proxy-url': 'a text',
  },
  context: { cluster: 'a text', user: 'a text', namespace: 'a text' },
  user: {
    'client-certificate': 'a text',
    'client-certificate-data': 'a text',
    'client-key': 'a text',
    'client-key-data': 'a text',
    token: 'a text',
    tokenFile: 'a text',
    as: 'a text',
    'as-uid': 'a text',
    'as-groups': 'a list of texts',
    'as-user-extra': 'a mapping',
    username: 'a text',
    password: 'a text',
    exec: 'a mapping',
    'auth-provider': 'a mapping',
  },
} as const satisfies Record<string, Record<string, FieldType>>;

/** Throws `invalid-kubeconfig` where a field has another type than it must, which else would go unheard. */
export function checkFields(entry: KubeconfigEntry, what: keyof typeof fields): void {
  for (const [field, type] of Object.entries<FieldType>(fields[what])) {
    const value = entry.fields[field];
    if (value === undefined || value === null || isOf[type](value)) continue;
    throw invalid(entry.file, `${field} of the ${what} "${entry.name}" is not ${type}`);
  }
}
