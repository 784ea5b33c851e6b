import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { checkSize } from './check-size.ts';
import { definitionBytes } from './description-budget.ts';

function saidOf(bytes: number): string[] {
  const made = { metadata: { annotations: { a: 'b' } }, note: '' };
  made.note = 'x'.repeat(bytes - definitionBytes(made as unknown as CustomResourceDefinition));
  const said: string[] = [];
  checkSize(made as unknown as CustomResourceDefinition, {
    error: (code, message) => void said.push(`error ${code}: ${message}`),
    notice: (code, message) => void said.push(`notice ${code}: ${message}`),
  });
  return said;
}

describe('checkSize', () => {
  it('reports nothing up to the size that kubectl can apply', () => {
    // The CRD's annotation, the key of kubectl's annotation, and a line break after its value.
    expect(saidOf(256 * 1024 - 2 - 48 - 1)).toEqual([]);
  });

  it('reports a CRD that kubectl or etcd would reject', () => {
    expect([...saidOf(256 * 1024 - 2 - 48), ...saidOf(1536 * 1024 - 16 * 1024 + 1)]).toMatchInlineSnapshot(`
[
  "notice oversized-definition: the CRD has 262094 bytes as JSON; "kubectl apply" stores it in an annotation, and all annotations together have at most 262144 bytes; shorten its descriptions (maxDescriptionLength, maxDefinitionBytes), use only the needed parts of built-in types (Pick<PodSpec, 'containers' | 'volumes'>), or use "kubectl apply --server-side"",
  "error oversized-definition: the CRD has 1556481 bytes as JSON; with the fields that the API server adds, it may exceed the 1572864 bytes that etcd accepts; shorten its descriptions (maxDescriptionLength, maxDefinitionBytes), use only the needed parts of built-in types (Pick<PodSpec, 'containers' | 'volumes'>), or declare parts of the object as Record<string, unknown>",
]
`);
  });
});
