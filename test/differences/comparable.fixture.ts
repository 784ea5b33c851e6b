import { isJsonObject } from '@evenkeel/apimachinery/json';
import { parse } from 'yaml';
import { type ComparedAnswer, normalise } from '../../packages/apiserver/src/comparison.fixture.ts';

/** A response as it is compared. Of YAML, only the content is. */
export function comparableAnswer(answer: ComparedAnswer): unknown {
  const { body, contentType } = answer;
  const isYaml = contentType === 'application/yaml' && typeof body === 'string';
  return comparable(normalise(isYaml ? { ...answer, body: parse(body, { version: '1.1' }) as unknown } : answer));
}

/** A normalised response without the further parts that differ between two servers in random requests. */
function comparable(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return comparableText(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => comparable(item));
    // They were sorted with the parts that differ.
    return key === 'causes' ? items.sort(byText) : items;
  }
  if (typeof value === 'number') return /nodeport$/i.test(key) && value >= 30_000 ? '<port>' : value;
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, comparable(member, name)]));
}

function comparableText(text: string): string {
  return (
    withoutStruct(text)
      // The fields are in the order of a Go map, and the first unknown one ends the check of its object. apply.server.test.ts
      // compares these errors.
      .replace(/^(failed to create typed (?:patch|live) object) .*$/s, '$1')
      // The name of a Go type of strings, such as v1.Protocol: docs/embedded-server.md.
      .replaceAll(
        /(json: cannot unmarshal \w+ into Go struct field \S+ of type )(?:\[\])?(?:v\d\w*\.\w+|string|map\[string\]string)/g,
        '$1<type>',
      )
      // Whether a map or list is empty or missing: docs/embedded-server.md.
      .replaceAll(/((?:Invalid|Unsupported) value: )(?:\{\}|\[\]|null)(?=:)/g, '$1<empty>')
      .replaceAll(/(cannot convert int64 to )(?:v\d\w*\.\w+|string)/g, '$1<type>')
      .replaceAll(/("resourceVersion":")\d+/g, '$1<revision>')
      // The node ports and cluster IPs of Services.
      .replaceAll(/(?<=\d:)3[0-2]\d{3}(?=\/(?:TCP|UDP|SCTP))/g, '<port>')
      .replaceAll(/\b10\.0\.0\.\d+\b/g, '<address>')
      // The difference of two Go structs: docs/embedded-server.md.
      .replaceAll(
        /((?:if it was previously negative\)|is immutable after creation|may not be changed)\n)(?:(?:@@|[-+ ]).*\n)+/g,
        '$1',
      )
      .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uid>')
      .replaceAll(/(strconv\.ParseUint: parsing ")\d+(?=[^\d"])/g, '$1<revision>')
      .replaceAll(/(ResourceVersion in (?:precondition|object meta): )\d+/g, '$1<revision>')
  );
}

/** A pod template is quoted as Go's struct in memory. */
function withoutStruct(text: string): string {
  const start = text.indexOf('Invalid value: {"Spec":');
  const end = start < 0 ? -1 : text.indexOf(': field is immutable', start);
  return end < 0
    ? text
    : `${text.slice(0, start)}Invalid value: <template>${text.slice(end + ': field is immutable'.length)}`;
}

/** A response whose lists of errors are sorted: the real server writes some of them in the order of a Go map. */
export function withSortedErrors(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(withSortedErrors).sort(byText);
  if (typeof answer === 'string') return [...answer].sort().join('');
  if (!isJsonObject(answer)) return answer;
  return Object.fromEntries(Object.entries(answer).map(([name, member]) => [name, withSortedErrors(member)]));
}

function byText(a: unknown, b: unknown): number {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}
