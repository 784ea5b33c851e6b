import type { FieldError } from '@evenkeel/apimachinery/field-error';
import { copyJson } from '@evenkeel/apimachinery/json';
import type { KubernetesObject, ObjectValidator, RuleEvaluator, ValidationFinding } from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import type { CompiledSchema } from '../evaluate/custom-resource/compiled-schema.ts';
import { LimitError } from '../evaluate/nesting.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';

/**
 * Checks objects with the schemas and rules of CRDs, with the API server's messages and paths. Use it with the CRDs that an
 * operator was built with, because the cluster may have an older, looser CRD.
 *
 * An object is checked in its version, with the defaults of that version, as the API server would store it; the reconcile
 * gets it without them. Status and metadata are not checked. Rules that compare with `oldSelf` do not apply. Objects of
 * other kinds and versions have no findings.
 *
 * Resolves when the evaluation code is loaded, which takes longer than the rest of this module. The API server must accept
 * the definitions, and they must not be changed afterwards.
 */
export async function definitionValidator(definitions: readonly CustomResourceDefinition[]): Promise<ObjectValidator> {
  const [{ compileSchema }, { fieldErrorBody }] = await Promise.all([
    import('../evaluate/custom-resource/compiled-schema.ts'),
    import('@evenkeel/apimachinery/field-error'),
  ]);
  const schemas = new Map<string, CompiledSchema>();
  for (const { spec } of definitions) {
    for (const { name, schema } of spec.versions) {
      if (schema?.openAPIV3Schema === undefined) continue;
      const compiled = compileSchema(schema.openAPIV3Schema as StructuralSchema);
      schemas.set(identityOf(`${spec.group}/${name}`, spec.names.kind), compiled);
    }
  }
  return new DefinitionValidator(schemas, fieldErrorBody);
}

class DefinitionValidator implements ObjectValidator {
  readonly #schemas: ReadonlyMap<string, CompiledSchema>;
  readonly #messageOf: (error: FieldError) => string;

  constructor(schemas: ReadonlyMap<string, CompiledSchema>, messageOf: (error: FieldError) => string) {
    this.#schemas = schemas;
    this.#messageOf = messageOf;
  }

  validate(object: KubernetesObject): readonly ValidationFinding[] {
    const schema = this.#schemas.get(identityOf(object.apiVersion, object.kind));
    if (schema === undefined) return [];
    try {
      const copy = copyJson(object);
      schema.default(copy);
      const errors = schema.validate(copy).filter((error) => !isInStatus(error) && !isAboutRules(error));
      return errors.map((error) => ({
        path: error.field === '<nil>' ? '' : error.field,
        message: this.#messageOf(error),
      }));
    } catch (error) {
      if (!(error instanceof LimitError)) throw error;
      return [{ path: '', message: error.message }];
    }
  }

  async ruleEvaluator(): Promise<RuleEvaluator> {
    return (await import('../evaluate/admission/rule-evaluator.ts')).ruleEvaluator;
  }
}

function identityOf(apiVersion: string, kind: string): string {
  return `${apiVersion} ${kind}`;
}

function isInStatus({ field }: FieldError): boolean {
  return field === 'status' || field.startsWith('status.') || field.startsWith('status[');
}

/** The error that rules were not checked because of other errors, possibly in the status. It is not a finding. */
function isAboutRules({ field, detail }: FieldError): boolean {
  return field === '<nil>' && detail.startsWith('some validation rules were not checked');
}
