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
 * A CRD as text: keys sorted, the same for the same input always, and such that parsers of YAML 1.1 and of YAML 1.2 read
 * the same JSON from it. Numbers have no exponents, of which 1.1 demands a form that 1.2 does not know.
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

/** A text or a number as it stands after a key, without the end of its last line. */
function scalarText(value: string | number): string {
  return documentText([value]).slice('- '.length, -1);
}

/** The same by the library alone, which takes its time: about as long as all else that is done for a CRD. */
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

/** The format that chooses {@link numberWithoutExponent}. */
const withoutExponent = 'WITHOUT EXPONENT';

const numberWithoutExponent: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  format: withoutExponent,
  identify: (value) => typeof value === 'number',
  // Tags of numbers without a test are passed over; nothing is read here.
  test: /(?!)/,
  resolve: Number,
  stringify: ({ value }) => plainDecimal(value as number),
};

/** The 1.1 value and merge keys, which `compat` does not know. */
const keysOf11 = ['=', '<<'];
/** Numbers and times that `compat` does not know: with a base of 60, or with underscores in any place. */
const numberOf11 = /^[-+]?[0-9.][0-9._:]*(?:[eE][-+]?[0-9]*)?$|^\d{4}-\d\d?-\d\d?/;
/** Line breaks of 1.1, and what it does not let stand in a text unescaped. */
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
      // A plain text ends at a tab for PyYAML, and Go's parser takes one for the indentation of a block.
      (value.includes('\t') && (!value.includes('\n') || /^\s*\t/.test(value)))
    ) {
      node.type = 'QUOTE_DOUBLE';
    }
  }
}

/** As it stands between double quotes, where all of these do. */
function escaped(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x100 ? `\\x${code.toString(16)}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
