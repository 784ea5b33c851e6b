import { readFile } from 'node:fs/promises';
import { EvenkeelError, type KubernetesObject } from '@evenkeel/core';
import { parseAllDocuments } from 'yaml';

/** An object to apply, and where it stands. */
export interface SampleObject {
  readonly object: KubernetesObject;
  /** `config/samples/nginx.yaml, document 2`. */
  readonly place: string;
}

/** The objects of a YAML or JSON file, in their order. Throws `invalid-sample` where one is no Kubernetes object. */
export async function readSamples(file: string): Promise<SampleObject[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new EvenkeelError(
      'invalid-sample',
      `cannot read the sample ${file}; check its path, in "samples" of evenkeel.config.ts or after --sample`,
      {
        cause: error,
      },
    );
  }
  const documents = parseAllDocuments(text);
  return (Array.isArray(documents) ? documents : []).map((document, index) => {
    const [mistake] = document.errors;
    const place = `${file}, document ${index + 1}`;
    try {
      if (mistake !== undefined) throw mistake;
      const value: unknown = document.toJS({ maxAliasCount: 100 });
      if (isObject(value)) return { object: value, place };
      throw new Error('it has no apiVersion, kind and metadata.name');
    } catch (error) {
      const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
      throw new EvenkeelError('invalid-sample', `${place}, is no Kubernetes object: ${why?.replace(/:$/, '')}`);
    }
  });
}

function isObject(value: unknown): value is KubernetesObject {
  if (typeof value !== 'object' || value === null) return false;
  const { apiVersion, kind, metadata } = value as Record<string, unknown>;
  return (
    typeof apiVersion === 'string' &&
    typeof kind === 'string' &&
    typeof metadata === 'object' &&
    metadata !== null &&
    typeof (metadata as Record<string, unknown>)['name'] === 'string'
  );
}
