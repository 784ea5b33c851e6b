import { readFile } from 'node:fs/promises';
import { EvenkeelError, type KubernetesObject } from '@evenkeel/core';
import { parseAllDocuments } from 'yaml';

/** An object to apply, and its place in a file. */
export interface SampleObject {
  readonly object: KubernetesObject;
  /** `config/samples/nginx.yaml, document 2`. */
  readonly place: string;
}

/** Reads the objects of a YAML or JSON file in their order. Throws `invalid-sample` if one is not a Kubernetes object. */
export async function readSamples(file: string): Promise<SampleObject[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new EvenkeelError(
      'invalid-sample',
      `${file}: cannot read the sample; check its path in "samples" of evenkeel.config.ts or after --sample`,
      {
        cause: error,
      },
    );
  }
  const documents = parseAllDocuments(text);
  const samples = (Array.isArray(documents) ? documents : []).flatMap((document, index) => {
    const [mistake] = document.errors;
    const place = `${file}, document ${index + 1}`;
    try {
      if (mistake !== undefined) throw mistake;
      const value: unknown = document.toJS({ maxAliasCount: 100 });
      if (value === null) return [];
      const lacking = lackingIn(value);
      if (lacking.length === 0) return [{ object: value as KubernetesObject, place }];
      throw new Error(`missing ${lacking.join(', ').replace(/, (?=[^,]*$)/, ' and ')}`);
    } catch (error) {
      const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
      throw new EvenkeelError('invalid-sample', `${place}: not a Kubernetes object: ${why?.replace(/:$/, '')}`);
    }
  });
  if (samples.length > 0) return samples;
  throw new EvenkeelError('invalid-sample', `${file}: contains no object; add one, or remove the file from "samples"`);
}

/** The required fields that this value lacks. */
function lackingIn(value: unknown): string[] {
  const { apiVersion, kind, metadata } = fieldsOf(value);
  const texts = { apiVersion, kind, 'metadata.name': fieldsOf(metadata)['name'] };
  return Object.entries(texts).flatMap(([field, text]) => (typeof text === 'string' ? [] : field));
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
