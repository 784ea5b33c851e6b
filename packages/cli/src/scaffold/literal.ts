import { isJsonObject } from '@evenkeel/apimachinery/json';

/** The longest line that is not divided, without its indentation. */
const lineWidth = 80;

/** Returns a JSON value as TypeScript in the style of our templates. Long objects have a line for each field. */
export function literal(value: unknown): string {
  const line = inOneLine(value);
  if (line.length <= lineWidth || !(isJsonObject(value) || Array.isArray(value))) return line;
  const entries = Array.isArray(value)
    ? value.map(literal)
    : Object.entries(value).map(([name, below]) => `${keyOf(name)}: ${literal(below)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const lines = entries.flatMap((entry) => `${entry},`.split('\n'));
  return [open, ...lines.map((each) => `  ${each}`), close].join('\n');
}

function inOneLine(value: unknown): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(', ')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, below]) => `${keyOf(name)}: ${inOneLine(below)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : inOneLine(name);
}
