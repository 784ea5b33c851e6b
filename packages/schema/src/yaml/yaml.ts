import { plainDecimal } from '@evenkeel/apimachinery/go-format';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { Document, isScalar, type Scalar, type ScalarTag, visit } from 'yaml';
import { blockYaml } from './yaml-block.ts';

/** `web.example.com_nginxes.yaml`: controller-gen's name for the file. */
export function customResourceDefinitionFileName(definition: CustomResourceDefinition): string {
  const { group, names } = definition.spec;
  return `${group}_${names.plural}.yaml`;
}

/**
 * A CRD as YAML with sorted keys. The output is always the same for the same input, and parsers of YAML 1.1 and 1.2 read
 * the same JSON from it. Numbers have no exponents, because 1.1 requires a form that 1.2 does not support.
 */
export function customResourceDefinitionYaml(definition: CustomResourceDefinition): string {
  const known = new Map<string | number, string>();
  const writeScalar = (value: string | number) => {
    const text = known.get(value) ?? scalarText(value);
    known.set(value, text);
    return text;
  };
  const header = `# Made by "evenkeel generate" from the class ${definition.spec.names.kind}: change that, not this.`;
  return `${header}\n\n${blockYaml(definition, writeScalar) ?? documentText(definition)}`;
}

/** A string or number as it is written after a key, without the last line end. */
function scalarText(value: string | number): string {
  return documentText([value]).slice('- '.length, -1);
}

/** The same output from the library alone, which is slow: it takes about as long as everything else for a CRD. */
export function documentText(value: unknown): string {
  const document = new Document(value, {
    aliasDuplicateObjects: false,
    sortMapEntries: true,
    compat: 'yaml-1.1',
    customTags: [numberWithoutExponent],
  });
  visit(document, { Scalar: (_key, node) => (isScalar(node) ? makePortable(node) : undefined) });
  return document.toString({ lineWidth: 0 }).replace(breaksAndControls, escaped);
}

/** The format that selects {@link numberWithoutExponent}. */
const withoutExponent = 'WITHOUT EXPONENT';

const numberWithoutExponent: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  format: withoutExponent,
  identify: (value) => typeof value === 'number',
  // A number tag without a test is skipped by the parser; this one only writes.
  test: /(?!)/,
  resolve: Number,
  stringify: ({ value }) => plainDecimal(value as number),
};

/** The value and merge keys of 1.1, which `compat` does not handle. */
const keysOf11 = ['=', '<<'];
/** Numbers and times that `compat` does not handle: with a base of 60, or with underscores anywhere. */
const numberOf11 = /^[-+]?[0-9.][0-9._:]*(?:[eE][-+]?[0-9]*)?$|^\d{4}-\d\d?-\d\d?/;
/** Line breaks of 1.1, and characters that must be escaped in a string. */
const breaksAndControls = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

function makePortable(node: Scalar): void {
  const { value } = node;
  if (typeof value === 'number') {
    if (Object.is(value, -0)) node.value = 0;
    else if (String(value).includes('e')) node.format = withoutExponent;
  } else if (typeof value === 'string') {
    if (
      keysOf11.includes(value) ||
      numberOf11.test(value) ||
      value.search(breaksAndControls) >= 0 ||
      // For PyYAML a plain string ends at a tab, and Go's parser reads a tab as the indentation of a block.
      (value.includes('\t') && (!value.includes('\n') || /^\s*\t/.test(value)))
    ) {
      node.type = 'QUOTE_DOUBLE';
    }
  }
}

/** The escape sequence of a character for a double-quoted string. */
function escaped(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x100 ? `\\x${code.toString(16)}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
