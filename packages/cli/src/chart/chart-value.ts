/** A value that users of a chart can set. `values.yaml` and its JSON Schema follow from a list of them. */
export interface ChartValue {
  /** The names of the mappings and the value: `['image', 'tag']`. */
  readonly path: readonly [string, ...string[]];
  readonly default: unknown;
  /** The comment above the value, in one line. */
  readonly about: string;
  /** Its JSON Schema without the description. */
  readonly schema: object;
}

const text = { type: 'string' };
const flag = { type: 'boolean' };
const list = { type: 'array' };
const mapping = { type: 'object' };
const strings = { type: 'object', additionalProperties: text };

/** The forms of values. */
export const forms = { text, flag, list, mapping, strings } as const;
