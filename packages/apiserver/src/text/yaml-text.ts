import { goFloat, type YamlDocument, YamlParser, YamlTextError } from '../apimachinery/index.ts';
import { depthMax, isTooDeep } from './json-text.ts';

export { YamlTextError };

export interface YamlText {
  readonly value: unknown;
  /** The repeated keys, as Go reports them. */
  readonly duplicates: readonly string[];
}

/** How long the parser runs before other requests get their turn. */
const sliceMs = 10;
const stepsPerCheck = 500;

/** Parses the first document of a YAML text, which includes JSON. Other requests can be served meanwhile. Throws YamlTextError. */
export async function readYaml(text: string): Promise<YamlText> {
  const parser = new YamlParser(text);
  let sliceEnd = performance.now() + sliceMs;
  for (let steps = 1; ; steps++) {
    const document = parser.step();
    if (document !== undefined) return checked(document);
    if (steps % stepsPerCheck === 0 && performance.now() > sliceEnd) {
      await new Promise((resolve) => setImmediate(resolve));
      sliceEnd = performance.now() + sliceMs;
    }
  }
}

function checked({ value, duplicates, infinite, depth, hasAliases }: YamlDocument): YamlText {
  if (infinite !== undefined) throw new YamlTextError(`json: unsupported value: ${goFloat(infinite)}`);
  if (depth > depthMax || (hasAliases && isTooDeep(value))) throw new YamlTextError('yaml: exceeded max depth');
  return { value, duplicates };
}
