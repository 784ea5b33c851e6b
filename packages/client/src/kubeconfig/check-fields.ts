import { isJsonObject } from '@evenkeel/apimachinery/json';
import { invalid, type KubeconfigEntry } from './kubeconfig.ts';

type FieldType = 'a string' | 'true or false' | 'a list of strings' | 'a mapping';

const isOf: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  'a string': (value) => typeof value === 'string',
  'true or false': (value) => typeof value === 'boolean',
  'a list of strings': (value) => Array.isArray(value) && value.every((text) => typeof text === 'string'),
  'a mapping': isJsonObject,
};

/** The fields of each type of entry that are read, as in `k8s.io/client-go/tools/clientcmd/api/v1`. */
const fields = {
  cluster: {
    server: 'a string',
    'tls-server-name': 'a string',
    'insecure-skip-tls-verify': 'true or false',
    'certificate-authority': 'a string',
    'certificate-authority-data': 'a string',
    'proxy-url': 'a string',
  },
  context: { cluster: 'a string', user: 'a string', namespace: 'a string' },
  user: {
    'client-certificate': 'a string',
    'client-certificate-data': 'a string',
    'client-key': 'a string',
    'client-key-data': 'a string',
    token: 'a string',
    tokenFile: 'a string',
    as: 'a string',
    'as-uid': 'a string',
    'as-groups': 'a list of strings',
    'as-user-extra': 'a mapping',
    username: 'a string',
    password: 'a string',
    exec: 'a mapping',
    'auth-provider': 'a mapping',
  },
} as const satisfies Record<string, Record<string, FieldType>>;

/** Throws `invalid-kubeconfig` if a field has a wrong type. Otherwise the field would be ignored silently. */
export function checkFields(entry: KubeconfigEntry, what: keyof typeof fields): void {
  for (const [field, type] of Object.entries<FieldType>(fields[what])) {
    const value = entry.fields[field];
    if (value === undefined || value === null || isOf[type](value)) continue;
    throw invalid(entry.file, `${field} of the ${what} "${entry.name}" is not ${type}; fix its value`);
  }
}
