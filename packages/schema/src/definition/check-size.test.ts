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

describe('the size of a CRD', () => {
  it('says nothing up to what kubectl can apply', () => {
    // An annotation of its own, the key of kubectl's, and a line break after the value.
    expect(saidOf(256 * 1024 - 2 - 48 - 1)).toEqual([]);
  });

  it('is told of where kubectl or etcd would refuse it', () => {
    expect([...saidOf(256 * 1024 - 2 - 48), ...saidOf(1536 * 1024 - 16 * 1024 + 1)]).toMatchInlineSnapshot(`
[
  "notice oversized-definition: the CRD has 262094 bytes as JSON; "kubectl apply" keeps it in an annotation, and all annotations have at most 262144; shorten its descriptions (maxDescriptionLength, maxDefinitionBytes), take of built-in types only what is needed (Pick<PodSpec, 'containers' | 'volumes'>), or use "kubectl apply --server-side"",
  "error oversized-definition: the CRD has 1556481 bytes as JSON; with what the API server adds that may be more than the 1572864 that etcd takes; shorten its descriptions (maxDescriptionLength, maxDefinitionBytes), take of built-in types only what is needed (Pick<PodSpec, 'containers' | 'volumes'>), or keep parts of the object as Record<string, unknown>",
]
`);
  });
});
