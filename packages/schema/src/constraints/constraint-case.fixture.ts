import { type AnyClass, CustomResource, KubernetesObject, SeededRandom, Spec } from '@evenkeel/core';
import { Type } from 'class-transformer';
import { getMetadataStorage, useContainer, validateSync } from 'class-validator';
import { type CompiledSchema, compileSchema } from '../evaluate/custom-resource/compiled-schema.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import type { Finding } from '../finding/finding.ts';
import { generateCustomResourceDefinitions } from '../generate/generate.ts';
import { decoratorName } from './constraint-metadata.ts';
import { everyType, type ValueGenerator } from './random-value.fixture.ts';
import type { Grade } from './rule/constraint.ts';
import { customRules } from './value/custom.ts';

const validators = new Map<unknown, unknown>();

// class-validator's own container looks through a list of all that it ever made, for each value.
useContainer({
  get(type: unknown) {
    if (!validators.has(type)) validators.set(type, new (type as new () => object)());
    return validators.get(type) as never;
  },
});

/** One way to use a decorator, with values that compare the schema with the validator. */
export interface ConstraintCase {
  /** The name of the rule in class-validator's metadata. */
  readonly rule: string;
  /** The decorators as a user writes them: the name of the case in the tests and in docs/class-validator.md. */
  readonly written: string;
  readonly decorators: readonly PropertyDecorator[];
  /** The grade of the schema; several if one half of it is looser and the other stricter. */
  readonly grade: Grade | readonly Grade[];
  /** Returns values near the limit. The validator must accept and reject at least one in 25 each. */
  readonly values: ValueGenerator;
  /** Whether the validator accepts no JSON value, so that there is no limit. */
  readonly accepts?: 'nothing';
  /** The values for which the results may differ. For all others even a looser or stricter schema must agree. */
  readonly differsFor?: (value: unknown) => boolean;
  /** Converts the JSON before validation as an operator does, for example to an instance or a Map. Default: no conversion. */
  readonly made?: (value: unknown) => unknown;
}

/** The options of a case besides its decorators and values. */
type Remarks = Partial<Pick<ConstraintCase, 'grade' | 'accepts' | 'differsFor' | 'made'>>;

/** Cases of one rule as tuples: the source text, the decorators, the values, and the grade if it is not `exact`. */
export function casesOf(
  rule: string,
  ...cases: readonly (readonly [
    written: string,
    decorators: readonly PropertyDecorator[],
    values: ValueGenerator,
    remarks?: Grade | Remarks,
  ])[]
): ConstraintCase[] {
  return cases.map(([written, decorators, values, remarks = {}]) => ({
    rule,
    written,
    decorators,
    values,
    grade: 'exact',
    ...(typeof remarks === 'string' ? { grade: remarks } : remarks),
  }));
}

/** A class with the decorators of a case on its property `value`, and the result of the generation. */
export interface PreparedCase {
  readonly type: AnyClass;
  readonly schema: CompiledSchema;
  /** The schema of `value`; if the generation rejects the case, a schema that accepts everything. */
  readonly property: StructuralSchema;
  /** Whether the generation fails because no value is accepted. */
  readonly isImpossible: boolean;
  readonly findings: readonly Finding[];
}

export async function prepare({ decorators }: Pick<ConstraintCase, 'decorators'>): Promise<PreparedCase> {
  class SampleSpec {}
  for (const decorate of decorators) decorate(SampleSpec.prototype, 'value');
  class Sample extends KubernetesObject {}
  CustomResource({ group: 'sample.example.com', version: 'v1' })(Sample);
  Spec()(Sample.prototype, 'spec');
  Type(() => SampleSpec)(Sample.prototype, 'spec');
  const { definitions, findings } = await generateCustomResourceDefinitions([Sample]);
  const errors = findings.filter(({ level }) => level === 'error');
  const isImpossible = errors.length > 0 && errors.every(({ code }) => code === 'impossible-constraint');
  const spec = isImpossible
    ? whatever
    : (definitions[0]?.spec.versions[0]?.schema?.openAPIV3Schema?.properties?.['spec'] as StructuralSchema | undefined);
  const property = spec?.properties?.['value'];
  if (spec === undefined || property === undefined) {
    throw new Error(`no schema: ${findings.map(({ message }) => message).join('\n')}`);
  }
  return { type: SampleSpec, schema: compileSchema(spec), property, isImpossible, findings };
}

const whatever: StructuralSchema = {
  type: 'object',
  properties: { value: { 'x-kubernetes-preserve-unknown-fields': true } },
};

/** The findings of the generation about a rule: none if it is exact. */
export function reportsOn(
  rule: string,
  { findings }: PreparedCase,
): readonly { readonly grade: Grade; readonly reason: string }[] {
  const decorator = decoratorName({ name: rule });
  return findings
    .filter(({ message }) => rule in customRules || new RegExp(`^${decorator}[ :]`).test(message))
    .map(({ message }) => {
      const [text = '', ...reason] = message.split(': ');
      const inDirection = text.includes('which accepts more') ? 'looser' : 'stricter';
      return { grade: text.includes('which accepts') ? inDirection : 'not-expressible', reason: reason.join(': ') };
    });
}

/** The reported grades of a rule; `exact` if none was reported. */
export function reportedGrades(rule: string, prepared: PreparedCase): readonly Grade[] {
  const grades = reportsOn(rule, prepared).map(({ grade }) => grade);
  return grades.length === 0 ? ['exact'] : grades;
}

/** The expected grades of a case. */
export function gradesOf({ grade }: ConstraintCase): readonly Grade[] {
  return typeof grade === 'string' ? [grade] : grade;
}

/** Removes the class from class-validator's storage, because validation searches all decorated classes. */
export function forget({ type }: PreparedCase): void {
  const { validationMetadatas } = getMetadataStorage() as unknown as { validationMetadatas: Map<unknown, unknown> };
  validationMetadatas.delete(type);
}

const validatorOptions = { dismissDefaultMessages: true, validationError: { target: false, value: false } };

export interface Verdicts {
  /** The value that both check: the server removes null before it validates, and so before an operator sees it. */
  readonly stored: { readonly value?: unknown };
  readonly byValidator: boolean;
  readonly bySchema: boolean;
}

/** Checks one value with the validator and with the schema. */
export function verdictsOn(
  value: unknown,
  { type, schema }: PreparedCase,
  made: (value: unknown) => unknown = (json) => json,
): Verdicts {
  const stored: { value?: unknown } =
    value === undefined ? {} : { value: typeof value === 'object' ? structuredClone(value) : value };
  schema.prune(stored);
  schema.default(stored);
  const object = instanceOf(type, 'value' in stored ? { value: made(stored.value) } : {}) as object;
  return {
    stored,
    byValidator: passesValidator(object),
    bySchema: schema.validate(stored).length === 0,
  };
}

/** An instance with the members of a JSON object; other values are returned unchanged. */
export function instanceOf(type: AnyClass, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.assign(Object.create(type.prototype as object) as object, value);
}

/** A validator that throws, as @IsNumber({ maxDecimalPlaces: 1 }) does for 1e-7, accepts nothing. */
function passesValidator(object: object): boolean {
  try {
    return validateSync(object, validatorOptions).length === 0;
  } catch {
    return false;
  }
}

/**
 * Checks a case with 10,000 of its own values (3000 if it is not exact) and one of each type. Throws if the results do not
 * fit its grade, or if nearly all values are accepted or rejected, so that the case proves nothing.
 */
export function compareVerdicts(tried: ConstraintCase, prepared: PreparedCase, seed: number): void {
  const { values, written, accepts, differsFor = () => true, made } = tried;
  const grades = gradesOf(tried);
  const count = grades.includes('exact') ? 4000 : 2000;
  const mayAccept = grades.some((grade) => grade === 'looser' || grade === 'not-expressible');
  const mayRefuse = grades.includes('stricter');
  const random = new SeededRandom(seed);
  const check = (value: unknown): boolean => {
    const { stored, byValidator, bySchema } = verdictsOn(value, prepared, made);
    if (byValidator === bySchema) return byValidator;
    if ((bySchema ? mayAccept : mayRefuse) && differsFor(stored.value)) return byValidator;
    throw new Error(
      `${written}, seed ${seed}: the validator ${byValidator ? 'accepts' : 'rejects'} ${JSON.stringify(stored)}, ` +
        `the schema does not: ${JSON.stringify(prepared.property)}`,
    );
  };
  for (const value of everyType) check(value);
  let accepted = 0;
  for (let tries = 0; tries < count; tries++) {
    if (check(values(random))) accepted++;
  }
  if (accepts === 'nothing') {
    if (accepted > 0) throw new Error(`${written}, seed ${seed}: of ${count} values, ${accepted} are good`);
    return;
  }
  if (accepted < count / 25 || accepted > count - count / 25) {
    throw new Error(`${written}, seed ${seed}: of ${count} values, ${accepted} are good; both need at least one in 25`);
  }
}
