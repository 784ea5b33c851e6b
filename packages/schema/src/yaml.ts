import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { Document, isScalar, visit } from 'yaml';

/** `web.example.com_nginxes.yaml`: controller-gen's name for the file. */
export function customResourceDefinitionFileName(definition: CustomResourceDefinition): string {
  const { group, names } = definition.spec;
  return `${group}_${names.plural}.yaml`;
}

/**
 * A CRD as text: keys sorted, the same for the same input always, and quoted wherever a parser of YAML 1.1 would read a
 * string as something else.
 */
export function customResourceDefinitionYaml(definition: CustomResourceDefinition): string {
  const document = new Document(definition, { aliasDuplicateObjects: false, sortMapEntries: true, compat: 'yaml-1.1' });
  document.commentBefore = ` Made by "evenkeel generate" from the class ${definition.spec.names.kind}: change that, not this.`;
  visit(document, {
    Scalar: (_key, node) => {
      // The 1.1 value and merge keys, which `compat` does not know.
      if (isScalar(node) && (node.value === '=' || node.value === '<<')) node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0 });
}
